#pragma once

#include "ir/ir.h"

namespace pyk {

/// Python's `else` of loops:
///
///   while c { if d { break } } else { x = 1 }
///   broke = False   while c { if d { broke = True   break } }   if (not broke) { x = 1 }
///
/// Without a `break` in the body the `else` block just follows the loop.
void lower_loop_else(ir::Function& function);

}  // namespace pyk
