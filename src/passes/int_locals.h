#pragma once

#include "passes/ranges.h"

namespace pyk {

/// A variable of a kernel is an int where all its values are, as a person would have it, and as it costs one register:
///
///   lane.int64 = int64((threadIdx.x TruncMod 32))   for j.int64 in range(0, 16, 1)
///   lane.int32 = (threadIdx.x TruncMod 32)          for j.int32 in range(0, 16, 1)
///
/// Not one whose use would have to be widened again, as `lane * n` of an n that may be great. Conversions that this
/// leaves are `narrow`'s to drop. `ranges` are still right afterwards.
void make_int_locals(ir::Function& function, Ranges& ranges);

}  // namespace pyk
