// What a comparison that held, or did not, says of its operands.
#pragma once

#include "passes/interval.h"

namespace pyk {

/// `a op b` is `b swapped(op) a`, and not `a negated(op) b`.
BinaryOp swapped(BinaryOp op);
BinaryOp negated(BinaryOp op);

/// What `a` can be where `a op b` holds. `lo > hi` where nothing can.
Interval allowed(const Interval& a, BinaryOp op, const Interval& b);

}  // namespace pyk
