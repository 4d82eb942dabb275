// Other numbers for a function's locals.
#pragma once

#include <optional>
#include <vector>

#include "ir/ir.h"

namespace pyk::ir {

/// `ids`: the new number of each; nullopt: the local goes, which nothing mentions. New numbers are those from 0 on.
void renumber(Function& function, const std::vector<std::optional<LocalId>>& ids);
/// Parameters get the first numbers; the others keep their order.
void put_parameters_first(Function& function);

}  // namespace pyk::ir
