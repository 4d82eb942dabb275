// An array that an expression names twice is stretched once: compilers see that both are the same elements.
#pragma once

#include "ir/ir.h"

namespace pyk {

/// `v = broadcast(x, t); w = broadcast(x, t)` → `v = broadcast(x, t)`, and `w` is `v`, where the compiler made both
/// names and nothing between assigns to `x` or `t`.
void join_broadcasts(ir::Function& function);

}  // namespace pyk
