// Loops over `prange`.
#pragma once

#include "ir/ir.h"
#include "support/diagnostics.h"

namespace pyk {

/// Gives each iteration variables of its own and finds what the iterations build up together, as Numba does. Reports
/// what no order of the iterations gives a meaning. Where the host does not call the functions, the loops become plain
/// ones.
void settle_parallel_loops(ir::Module& module, bool is_called_by_host, Diagnostics& diagnostics);

}  // namespace pyk
