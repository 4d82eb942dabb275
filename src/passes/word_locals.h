#pragma once

#include "passes/ranges.h"

namespace pyk {

/// A variable of a kernel is an unsigned int where its values are in `0 … 2**32 - 1`, or where nobody asks for the
/// upper half of it, as in hash functions and generators of random numbers that are written in C++:
///
///   h.int64 = 5381                                h.uint32 = 5381
///   h = (((h * 33) + int64(a[i])) & 4294967295)   h = uint32((((int64(h) * 33) + int64(a[i])) & 4294967295))
///
/// Of numbers that bits are made of alone. Conversions that this leaves are `narrow`'s to drop. `ranges` are still
/// right afterwards.
void make_word_locals(ir::Function& function, Ranges& ranges);

}  // namespace pyk
