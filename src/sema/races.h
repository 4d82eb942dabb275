// Threads of one launch that write one element.
#pragma once

#include "ir/ir.h"
#include "support/diagnostics.h"

namespace pyk {

/// Warns where a kernel that tells its threads apart updates an element (`out[0] += x`) at an index, and under
/// conditions, that are the same for all threads of a block. It looks at one kernel at a time and passes over what it
/// cannot tell.
void warn_races(const ir::Module& module, Diagnostics& diagnostics);

}  // namespace pyk
