#pragma once

#include "passes/ranges.h"

namespace pyk {

/// The neighbours of a loop's place on a ring, of `for i in range(m, n)` with m >= 0, need no division:
///
///   ((i + 1) % n)                         ((i - 1) % n)
///   (0 if ((i + 1) == n) else (i + 1))    ((n - 1) if ((i - 1) < 0) else (i - 1))
///
/// So does `(i + d) % n` where d is -1, 0 or 1. `ranges` are still right afterwards.
void lower_ring_neighbours(const ir::Module& module, ir::Function& function, Ranges& ranges);

}  // namespace pyk
