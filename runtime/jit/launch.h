// From arguments to a running kernel.
#pragma once

#include "jit/engine.h"

namespace pyk::jit {

/// What an argument says of its type.
ArgumentType type_of(const Argument& argument);

/// Where the parameters lie in the packed buffer of an instance, and how large it is.
void lay_out(Instance& instance);

}  // namespace pyk::jit
