// Warnings that teach. They change nothing, and speak of functions of the user's files only.
#pragma once

#include "advice/written.h"
#include "ir/ir.h"
#include "support/diagnostics.h"

namespace pyk {

/// Of what the author wrote, before it is raised: what is wanted of the following.
void advise_on_meaning(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// Where a kernel, or a function that it calls, updates an element (`out[0] += x`, `out[i] = max(out[i], x)`, `if x >
/// out[i]: out[i] = x`) that other threads may update as well: threads of the block, or of other blocks, whose index is
/// the same (`out[0]`, `out[i // 2]`, `out[i]` of a kernel with a `j`), or whose index memory holds (`out[x[i]]`). It
/// passes over what it cannot tell.
void advise_on_races(const ir::Module& module, Diagnostics& diagnostics);
/// An array whose elements threads replace by what they make of elements beside them: `x[i] = x[i - 1] + x[i + 1]`.
void advise_on_neighbours(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// A barrier in a branch or a loop that only some threads of a block take.
void advise_on_barriers(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// An element of shared memory that other threads stored, read with no barrier in the kernel, or in the loop.
void advise_on_missing_barriers(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// A shared or local array that is read, and given nothing but what is made of its own elements: `counts[k] += 1`.
void advise_on_unfilled(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// A test that lets an index be as large as the extent of the axis that it is then used for: `if i <= x.size: x[i]`.
void advise_on_last_indices(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// Stores that no test keeps within their array, and atomics whose result alone says what they did: `-Wextra`.
void advise_on_guards(const ir::Module& module, const Written& files, Diagnostics& diagnostics);

/// Of what is really emitted, in raised IR: what is wanted of the following, the group `-Wperf`.
void advise_on_cost(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// Arrays of any strides in kernels' signatures.
void advise_on_layouts(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// float64 that a number or an integer makes of float32 values.
void advise_on_float64(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// Divisions, and products in loops, of 64-bit integers that hold no more than 32 bits.
void advise_on_int64(const ir::Module& module, const Written& files, Diagnostics& diagnostics);
/// Accesses of global memory that a warp makes in many pieces, launched with a usual block.
void advise_on_coalescing(const ir::Module& module, const Written& files, Diagnostics& diagnostics);

}  // namespace pyk
