// `start = cuda.grid(2)` of which `start[0]` and `start[1]` are all that is read: a variable each, `start_0` and
// `start_1`, of which all is known that is known of numbers.
#pragma once

#include "ir/ir.h"

namespace pyk {

/// Whether there was one.
bool split_tuples(ir::Function& function);

}  // namespace pyk
