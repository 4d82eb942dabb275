// What arguments say of their types, and where parameters lie in the packed buffer.
#pragma once

#include "jit/engine.h"

namespace pyk::jit {

/// What an argument says of its type.
ArgumentType type_of(const Argument& argument);

/// Writes an argument where its parameter lies in the packed buffer. `data`: an array's pointer. False: the value does
/// not fit.
bool pack(const PackedParam& param, const Argument& argument, void* data, unsigned char* packed);

/// Where the parameters lie in the packed buffer of an instance, and how large it is. Behind those of the arguments
/// come those that the compiler added.
void lay_out(Instance& instance);

}  // namespace pyk::jit
