// What comparisons say: their opposites, and of their operands where they hold.
#pragma once

#include "builtins/comparisons.h"
#include "ir/ir.h"
#include "passes/interval.h"

namespace pyk {

/// `not a < b` is `a >= b` of integers, `not x & 1` is `x & 1 == 0`, and `not (a == 1 or b == 2)` asks for `a != 1 and
/// b != 2`. NaN is neither less nor not less.
ir::ExprPtr negation(ir::ExprPtr truth, Span span);

/// What `a` can be where `a op b` holds. `lo > hi` where nothing can.
Interval allowed(const Interval& a, BinaryOp op, const Interval& b);

}  // namespace pyk
