// The listings: `--list`, `--list-builtins`.
#pragma once

#include <string>

#include "driver/pipeline.h"

namespace pyk {

/// One line per kernel, `name(parameter, …)`, and below it one per signature.
std::string list_kernels(const Program& program);

/// One line per builtin: name, typing rule, targets that have it, what it does.
std::string list_builtins();

}  // namespace pyk
