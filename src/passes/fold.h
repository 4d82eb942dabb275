#pragma once

#include "ir/ir.h"

namespace pyk {

/// Evaluates what is constant, with Numba's arithmetic, and drops what does nothing:
///
///   x = ((24 * 60) + int64(2:int32))   y = (x * 1)   z = ((7 // -2) if True else n)   w = ($TPB + 1)
///   x = 1442                           y = x         z = -4                           w = ($TPB + 1)
///
/// A module's constant keeps its name: `TPB + 1` says more than 17. Branches on literals go, too.
void fold(const ir::Module& module, ir::Function& function);

}  // namespace pyk
