// Threads of one launch that write one element.
#pragma once

#include "ir/ir.h"
#include "support/diagnostics.h"

namespace pyk {

/// Warns where a kernel, or a function that it calls, updates an element (`out[0] += x`, `out[i] = max(out[i], x)`, `if
/// x > out[i]: out[i] = x`) that other threads may update as well: threads of the block, or of other blocks, whose
/// index is the same (`out[0]`, `out[i // 2]`, `out[i]` of a kernel with a `j`), or whose index memory holds
/// (`out[x[i]]`). It passes over what it cannot tell.
void warn_races(const ir::Module& module, Diagnostics& diagnostics);

}  // namespace pyk
