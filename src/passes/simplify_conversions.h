#pragma once

#include "ir/ir.h"

namespace pyk {

/// Drops conversions that change nothing:
///
///   a[int64(tx)]   float32(float64(x))   int64(n)      of tx: int32, x: float32, n: int64
///   a[tx]          x                     n
///
/// An index, a shift's amount and a slice's bounds may have any integer type, and so need no widening. Nor does an
/// integer have to be a float to be compared with a whole number: `float64(n) == 3.0` is `n == 3`.
void simplify_conversions(ir::Function& function);

/// Whether every value of `from` is also one of `to`.
bool preserves_values(Type from, Type to);

}  // namespace pyk
