// Comparisons and their opposites.
#pragma once

#include "builtins/operators.h"

namespace pyk {

/// `a op b` is `b swapped(op) a`, and not `a negated(op) b`.
BinaryOp swapped(BinaryOp op);
BinaryOp negated(BinaryOp op);

}  // namespace pyk
