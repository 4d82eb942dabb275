#pragma once

#include "passes/ranges.h"

namespace pyk {

/// Loops that count, or add up small integers, in an int64 do that in an int32 for as long as it lasts, so that SIMD
/// has no lanes of 64 bits. With `image: uint8[:]`:
///
///   for i in range(0, n, 1) { total = (total + int64(image[i])) }
///
///   for i_first in range(0, n, 8388608) {
///     total_part = 0:int32
///     for i in range(i_first, min(i_first + 8388608, n), 1) { total_part = (total_part + int32(image[i])) }
///     total = (total + int64(total_part))
///   }
///
/// `ranges` are still right afterwards.
void sum_in_parts(ir::Function& function, Ranges& ranges);

}  // namespace pyk
