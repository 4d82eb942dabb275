// Warnings that teach. They change nothing, and speak of functions of the user's files only.
#pragma once

#include "advice/written.h"
#include "ir/ir.h"
#include "support/diagnostics.h"

namespace pyk {

/// Of what the author wrote, before it is raised: what is wanted of the following.
void advise_on_meaning(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// A barrier in a branch or a loop that only some threads of a block take.
void advise_on_barriers(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// Stores that no test keeps within their array, and atomics whose result alone says what they did: `-Wextra`.
void advise_on_guards(const ir::Module& module, const Written& files, Diagnostics& diagnostics);

/// Of what is really emitted, in raised IR: what is wanted of the following, the group `-Wperf`.
void advise_on_cost(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// What costs time without being asked for.
void advise_on_speed(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// Accesses of global memory that a warp makes in many pieces, launched with a usual block.
void advise_on_coalescing(const ir::Module& module, const Written& files, Diagnostics& diagnostics);

}  // namespace pyk
