// Arrays that loops over whole arrays read the same element of all along the last axis: `a[:, None]` in `a[:, None] -
// b`.
#pragma once

#include <vector>

#include "ir/ir.h"

namespace pyk::emitter {

/// By LocalId: stretched to the shape of another array, from one whose last axis is known to have one element.
std::vector<bool> column_locals(const ir::Function& function);

}  // namespace pyk::emitter
