// Tuples of numbers that are known, as tables of the module.
#pragma once

#include <optional>
#include <vector>

#include "sema/value.h"

namespace pyk {

/// The array that a tuple of numbers of one type is, under the name that it is written with; nullopt: it is no such.
std::optional<NamedConst> table_of(const Value& tuple);
/// Of a tuple of tuples of numbers, such as the offsets of a stencil, an array for each place in them; empty: it is no
/// such.
std::vector<NamedConst> columns_of(const Value& tuple);
/// An item of a tuple, or of its table.
ir::ExprPtr item_at(ir::ExprPtr tuple, ir::ExprPtr index, Type type, Span span);

}  // namespace pyk
