#pragma once

#include "ir/ir.h"

namespace pyk {

/// Removes the constants that no function names: those of branches that are not there, of rounds of inference that
/// were thrown away, of functions that nobody calls.
void drop_constants(ir::Module& module);

}  // namespace pyk
