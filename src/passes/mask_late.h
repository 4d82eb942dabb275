#pragma once

#include "ir/ir.h"

namespace pyk {

/// A recurrence in so many lower bits, as of generators of random numbers, needs no mask: upper bits never come into
/// lower ones. An iteration waits for one instruction less. In loops, where nothing else reads `state`:
///
///   state = (((1103515245 * state) + 12345) & 2147483647)       state = ((1103515245 * state) + 12345)
///   total = (total + (state & 255))                             total = (total + (state & 255))
///   last = state                                                last = (state & 2147483647)
void mask_late(ir::Function& function);

}  // namespace pyk
