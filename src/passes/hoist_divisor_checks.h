#pragma once

#include "ir/ir.h"

namespace pyk {

/// Where a division by zero is an error: a divisor that an innermost loop does not change is looked at once, before the
/// loop, if the first iteration divides by it before it changes anything.
///
///   for i in range(0, n, 1) { store out[i] = (x[i] / (dx * dx)) }
///   if ((0 < n) and ((dx * dx) == 0.0)) { raise "ZeroDivisionError: division by zero" }
///   for i in range(0, n, 1) { store out[i] = (x[i] CDiv (dx * dx)) }
///
/// The error comes as it came, and C++ compilers make SIMD code of what is left.
void hoist_divisor_checks(const ir::Module& module, ir::Function& function);

}  // namespace pyk
