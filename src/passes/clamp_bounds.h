#pragma once

#include "ir/ir.h"

namespace pyk {

/// What a loop compares small integers with is an int32 where the loop leaves it alone, so that SIMD has no lanes of 64
/// bits: beyond what the small type holds, one number says as much as another. With `image: uint8[:]`, `level: int64`:
///
///   (int64(image[i]) > level)      (int32(image[i]) > @pyk.clamped(level, -1, 256):int32)
void clamp_bounds(ir::Module& module);

}  // namespace pyk
