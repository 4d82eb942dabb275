#pragma once

#include "passes/ranges.h"

namespace pyk {

/// A variable of a loop over small integers of memory is as small as its values, which Numba counts in 64 bits: SIMD
/// has the more lanes. With `image: uint8[:]`:
///
///   least = 255                                  least = 255:uint8
///   for … { least = min(least, int64(image[i])) } for … { least = uint8(min(int64(least), int64(image[i]))) }
///
/// Conversions that this leaves are `narrow`'s to drop. `ranges` are still right afterwards.
void narrow_locals(ir::Function& function, Ranges& ranges);

}  // namespace pyk
