#pragma once

#include "ir/ir.h"

namespace pyk {

/// Where arrays are long enough, what `and` and `or` would only load if the first part does not decide is loaded
/// anyway: g++ has SIMD for that, and none for most loads that depend on something.
///
///   for i in range(0, n, 1) { store out[i] = (a[i] and b[i]) }
///
///   if (n <= shape(b, 0)) { for i in range(0, n, 1) { store out[i] = (a[i] & b[i]) } }
///   else { for i in range(0, n, 1) { store out[i] = (a[i] and b[i]) } }
void load_early(ir::Function& function);

}  // namespace pyk
