// The values that integer builtins have: builtin_ranges.def.
#pragma once

#include <span>

#include "builtins/builtins.h"
#include "passes/interval.h"

namespace pyk {

/// `args`: the intervals of the arguments. Everything that the type holds, of a builtin that has no row.
/// `in_index32`: in a kernel of small grids.
Interval range_of(const Builtin& builtin, std::span<const Interval> args, Type type, bool in_index32 = false);

/// What is always less than another builtin, as `cuda.threadIdx.x` is than `cuda.blockDim.x`; null: no row says.
const Builtin* always_below(const Builtin& bound);

}  // namespace pyk
