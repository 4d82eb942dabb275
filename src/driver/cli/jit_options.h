// The command line's options and arguments as libpyk takes them.
#pragma once

#include "driver/cli/arguments.h"
#include "driver/cli/options.h"
#include "pyk/pyk.hpp"

namespace pyk {

jit::Options jit_options(const RunOptions& options);

/// Refers to the argument's array. Throws UsageError for one that no kernel takes.
jit::Argument launch_argument(RunArgument& argument);

}  // namespace pyk
