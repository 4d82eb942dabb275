// Loops in which a thread waits for what another one stores: locks, flags, barriers of a grid by hand.
#pragma once

#include "ir/ir.h"

namespace pyk {

/// Whether leaving the loop depends on memory that other threads write: on an atomic operation, or on a load in a loop
/// with one or with a fence. All others end whatever other threads do.
bool is_waiting_loop(const ir::Module& module, const ir::Function& function, const ir::While& loop);

/// Whether the function has such a loop. Those of its callees do not count.
bool has_waiting_loop(const ir::Module& module, const ir::Function& function);

}  // namespace pyk
