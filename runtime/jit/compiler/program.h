// The compiler behind libpyk: everything of src/ that a launch can need.
#pragma once

#include "jit/compiler/interface.h"

namespace pyk::jit {

/// The one of this process.
const Compiler& compiler();

}  // namespace pyk::jit
