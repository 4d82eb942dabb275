#pragma once

#include "passes/ranges.h"

namespace pyk {

/// Computes in 32 bits what provably fits them, so that `tx + 1` costs what it costs in C++ and needs no cast:
///
///   (int64(tx) + 1)        (int64(tx) TruncMod 32)        (int64(tx) < 5)    int64(int32(k))    where k fits an int32
///   int64((tx + 1:int32))  int64((tx TruncMod 32:int32))  (tx < 5:int32)     k
///
/// Sums of small unsigned numbers, which are uint64 in Numba, too.
void narrow(ir::Function& function, const Ranges& ranges);

}  // namespace pyk
