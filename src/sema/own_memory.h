// Results that refer into memory which ends with their function.
#pragma once

#include "ir/ir.h"
#include "support/diagnostics.h"

namespace pyk {

/// Reports functions that return a local array of their own, a view of one, or a record in one: the caller would read
/// what no longer is there.
void check_own_memory(const ir::Module& module, Diagnostics& diagnostics);

}  // namespace pyk
