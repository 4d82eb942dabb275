#pragma once

#include "ir/ir.h"

namespace pyk {

/// Both of two comparisons of floats are made where the second needs nothing but what there is: g++ has SIMD for `&`,
/// while `&&` is a branch to it, as a comparison of floats could trap.
///
///   ((low <= x) and (x < high))       ((low <= x) & (x < high))
///   ((a[i] < low) or (a[i] > high))   ((a[i] < low) | (a[i] > high))
void join_conditions(ir::Function& function);

}  // namespace pyk
