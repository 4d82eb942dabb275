// Expressions of whole arrays are one loop: `a * x + b` makes no array for `a * x`.
#pragma once

#include "ir/ir.h"

namespace pyk {

/// Where a new array of the compiler's own is filled by a loop over all of its elements, and read by one other loop at
/// the counters of that, its elements are computed where they are read.
void fuse_array_loops(ir::Module& module);

}  // namespace pyk
