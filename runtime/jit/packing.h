// What arguments say of their types, and where parameters lie in the packed buffer.
#pragma once

#include "jit/engine.h"

namespace pyk::jit {

/// What an argument says of its type.
ArgumentType type_of(const Argument& argument);

/// Where the parameters lie in the packed buffer of an instance, and how large it is.
void lay_out(Instance& instance);

}  // namespace pyk::jit
