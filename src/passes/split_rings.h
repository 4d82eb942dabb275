#pragma once

#include "passes/ranges.h"

namespace pyk {

/// The inner part of a loop over a ring, or over what begins behind its own end, has no ends in its way:
///
///   for i in range(0, n, 1) { store out[i] = (x[wrap (i - 1)] + x[((i + 1) % n)]) }
///
///   for i in range(0, min(1, n), 1) { store out[i] = (x[wrap (i - 1)] + x[((i + 1) % n)]) }
///   for i in range(1, (n - 1), 1) { store out[i] = (x[(i - 1)] + x[(i + 1)]) }
///   for i in range(max(1, (n - 1)), n, 1) { store out[i] = (x[wrap (i - 1)] + x[((i + 1) % n)]) }
///
/// `ranges` are still right afterwards.
void split_rings(const ir::Module& module, ir::Function& function, Ranges& ranges);

}  // namespace pyk
