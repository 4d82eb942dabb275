#pragma once

#include "ir/ir.h"

namespace pyk {

/// What g++ leaves behind the vectors of a row of bytes, up to 31 elements that it computes one by one, is a vector
/// with those ahead of them: these are computed twice, and are the same, where nothing that the row loads is stored.
/// With `a, out: uint8[:, ::1]`:
///
///   for y in range(0, h, 1) {
///     for x in range(1, n, 1) { store out[y, x] = ((a[y, (x - 1)] + a[y, x]) >> 1) }
///   }
///
///   x_end = @pyk.tail_at(1, n, @pyk.disjoint(out, a))
///   for y in range(0, h, 1) {
///     for x in range(1, x_end, 1) { store out[y, x] = ((a[y, (x - 1)] + a[y, x]) >> 1) }
///     if (x_end < n) {
///       for k in range(0, 64, 1) { x = ((n - 64) + k); store out[y, x] = ((a[y, (x - 1)] + a[y, x]) >> 1) }
///     }
///   }
void overlap_tails(ir::Function& function);

}  // namespace pyk
