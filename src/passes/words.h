#pragma once

#include "passes/ranges.h"

namespace pyk {

/// What needs no more than 32 unsigned bits is computed in them, as hash functions and generators of random numbers
/// are written in C++, though Numba counts in 64:
///
///   h = 5381                                            h.uint32 = 5381
///   h = (((h * 33) + int64(a[i])) & 4294967295)         h = ((h * 33) + uint32(a[i]))
///   a[int64((uint64(crc) ^ 255)) & 15] of crc: uint32   a[(crc ^ 255) & 15]
///
/// A variable is one where its values are in `0 … 2**32 - 1`, or where nobody asks for the upper half of it. `ranges`
/// are still right afterwards.
void compute_in_words(ir::Function& function, Ranges& ranges);

}  // namespace pyk
