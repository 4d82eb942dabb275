// `--fix`: suggestions made in the user's files.
#pragma once

#include "driver/cli/options.h"

namespace pyk {

/// Makes what the diagnostics of every input suggest and nobody has to look at, in the inputs and in what they import,
/// until nothing is left to make; says what was changed. Throws UsageError (stdin) and InputOutputError.
void fix_files(const CompileOptions& options);

}  // namespace pyk
