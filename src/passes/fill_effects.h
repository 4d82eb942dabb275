#pragma once

#include "ir/ir.h"

namespace pyk {

/// Says of each function that says nothing yet what calling it does, callees first; a recursive group until nothing
/// changes:
///
///   device f = f_a1f4c(a: float32[::1]) { store a[0] = 1.0:float32 }
///   device f = f_a1f4c(a: float32[::1]) effects(writes) { store a[0] = 1.0:float32 }
///
/// and whether it raises.
void fill_effects(ir::Module& module);

}  // namespace pyk
