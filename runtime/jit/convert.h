// Arrays of other element types.
#pragma once

#include "jit/engine.h"

namespace pyk::jit {

/// Stores the elements of an array, or a number, to an array of the same shape and another type, as NumPy's `astype`.
Status convert(Engine& engine, const Argument& from, const Argument& to, StreamRef stream);

}  // namespace pyk::jit
