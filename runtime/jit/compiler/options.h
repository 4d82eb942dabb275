// libpyk's options as the compiler's.
#pragma once

#include "driver/pipeline.h"
#include "jit/compiler/interface.h"

namespace pyk::jit {

struct CompilerOptions {
    pyk::Defines defines;
    WarningOptions warnings;
    EmitOptions emit;
};
Result<CompilerOptions> compiler_options(const Options& options);

}  // namespace pyk::jit
