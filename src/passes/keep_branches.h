#pragma once

#include "ir/ir.h"

namespace pyk {

/// What a condition's load waits for is chosen by a branch, which is predicted, and not by a conditional move, for
/// which the next load waits, too. In loops:
///
///   if (x[i] > x[best]) {       if (x[i] > x[best]) {
///     best = i                    best = @pyk.branched(i):int64
///   }                           }
void keep_branches(ir::Function& function);

}  // namespace pyk
