#include "builtins/comparisons.h"

namespace pyk {

BinaryOp swapped(BinaryOp op) {
    switch (op) {
        case BinaryOp::Lt:
            return BinaryOp::Gt;
        case BinaryOp::Le:
            return BinaryOp::Ge;
        case BinaryOp::Gt:
            return BinaryOp::Lt;
        case BinaryOp::Ge:
            return BinaryOp::Le;
        default:
            return op;
    }
}

BinaryOp negated(BinaryOp op) {
    switch (op) {
        case BinaryOp::Lt:
            return BinaryOp::Ge;
        case BinaryOp::Le:
            return BinaryOp::Gt;
        case BinaryOp::Gt:
            return BinaryOp::Le;
        case BinaryOp::Ge:
            return BinaryOp::Lt;
        case BinaryOp::Eq:
            return BinaryOp::Ne;
        case BinaryOp::Ne:
            return BinaryOp::Eq;
        default:
            return op;
    }
}

}  // namespace pyk
