// Records of arrays that cannot be written to.
#pragma once

#include "ir/ir.h"
#include "support/diagnostics.h"

namespace pyk {

/// Reports stores through references to records (`r = TABLE[i]`, `r.x = 1`) of readonly arrays, also in functions that
/// get them. Stores to elements of such arrays were reported by inference.
void check_readonly(const ir::Module& module, Diagnostics& diagnostics);

}  // namespace pyk
