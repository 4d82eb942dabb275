// Whether a file has the names that Options::defines gives values.
#pragma once

#include "driver/pipeline.h"
#include "pyk/status.h"

namespace pyk::jit {

/// Fails for a name that is written nowhere in the program's files.
Status check_defined_names(const Program& program);

}  // namespace pyk::jit
