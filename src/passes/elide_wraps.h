#pragma once

#include "passes/ranges.h"

namespace pyk {

/// Says of each index whether it may be negative, and so counts from the axis' end then:
///
///   if (i > 0) { store a[wrap i] = a[wrap (i - 1)] }
///   if (i > 0) { store a[i] = a[(i - 1)] }
///
/// and makes elements of the items of tables whose index is in range.
void elide_wraps(const ir::Module& module, ir::Function& function, const Ranges& ranges);

}  // namespace pyk
