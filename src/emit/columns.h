// Operands of loops over whole arrays of which a row has one element: the first of `a[:, None] - b`.
#pragma once

#include <vector>

#include "ir/ir.h"

namespace pyk::emitter {

/// By LocalId: stretched to the shape of another array, from one whose last axis is known to have one element.
std::vector<bool> column_locals(const ir::Function& function);

}  // namespace pyk::emitter
