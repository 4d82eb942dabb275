#pragma once

#include "ir/ir.h"

namespace pyk {

/// Makes the author's variable itself a loop's counter, where nobody can tell the difference:
///
///   for t in range(0, n, 1) { i = t   store a[i] = 0 }
///   for i in range(0, n, 1) { store a[i] = 0 }
///
/// Python's variable keeps its last value after the loop and may be assigned in the body; a counter does neither, so
/// `i` is one only where the body does not assign it and no value that the loop gives it is read outside of the body.
void fuse_counters(ir::Function& function);

}  // namespace pyk
