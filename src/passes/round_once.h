#pragma once

#include "ir/ir.h"

namespace pyk {

/// One operation of float32 numbers in float64, whose result becomes a float32 at once, is that of float32: a float64
/// has more than twice as many digits and two, so that rounding to them first makes no difference. In kernels:
///
///   store o[i] = float32((float64(x[i]) * 0.5))   store o[i] = float32((1.0 - float64(x[i])))
///   store o[i] = (x[i] * 0.5:float32)             store o[i] = (1.0:float32 - x[i])
///
/// Not where a product would be a term of a sum then, in another statement too: a GPU may round both at once.
void round_once(ir::Function& function);

}  // namespace pyk
