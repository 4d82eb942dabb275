#pragma once

#include "passes/ranges.h"

namespace pyk {

/// The neighbours of a place on a ring need no division: of `for i in range(m, n)` with m >= 0, and where `i < n` is
/// known of an i that is not negative.
///
///   ((i + 1) % n)                         ((i - 1) % n), (((i - 1) + n) % n)
///   (0 if ((i + 1) == n) else (i + 1))    ((n - 1) if (i == 0) else (i - 1))
///
/// So does `(i + d) % n` where d is -1, 0 or 1. `ranges` are still right afterwards.
void lower_ring_neighbours(const ir::Module& module, ir::Function& function, Ranges& ranges);

}  // namespace pyk
