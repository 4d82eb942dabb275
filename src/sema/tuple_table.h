// Tuples of numbers that are known, as tables of the module.
#pragma once

#include <optional>

#include "sema/value.h"

namespace pyk {

/// The array that a tuple of numbers of one type is, under the name that it is written with; nullopt: it is no such.
std::optional<NamedConst> table_of(const Value& tuple);

}  // namespace pyk
