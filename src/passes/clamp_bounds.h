#pragma once

#include "passes/ranges.h"

namespace pyk {

/// What a loop compares small integers with, or adds to them before it clamps the sum, is an int32 where the loop
/// leaves it alone, so that SIMD has no lanes of 64 bits: beyond what makes a difference, one number says as much as
/// another. With `image: uint8[:]`, `n: int64`:
///
///   (int64(image[i]) > n)                          (int32(image[i]) > @pyk.clamped(n, -1, 256):int32)
///   min(255, max(0, (int64(image[i]) + n)))        min(255, max(0, int64((int32(image[i]) + @pyk.clamped(n, -255,
///   255):int32))))
///
/// A sum wraps where `n` is almost as great as an int64 can be: the second loop becomes
///
///   if ((n >= -2**62) and (n <= 2**62)) { for … } else { for … as it was }
///
/// `ranges` are still right afterwards.
void clamp_bounds(ir::Function& function, Ranges& ranges);

}  // namespace pyk
