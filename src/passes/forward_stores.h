#pragma once

#include "ir/ir.h"

namespace pyk {

/// What an iteration stores and the next one loads stays in a register: memory takes longer, and g++ sees it only where
/// no other store could be in between. What such a loop chooses between two floats is chosen without a branch, which
/// numbers that depend on each other often mislead. With `u: float64[:, ::1]`:
///
///   for x in range(1, n, 1) { store u[y, x] = (u[y, (x - 1)] * 0.5); store u[(y + 1), x] = 1.0 }
///
///   u_at = (u[y, (1 - 1)] if (1 < n) else 0.0)
///   for x in range(1, n, 1) { u_at = (u_at * 0.5); store u[y, x] = u_at; store u[(y + 1), x] = 1.0 }
void forward_stores(ir::Function& function);

}  // namespace pyk
