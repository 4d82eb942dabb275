#include "passes/comparison.h"

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

Interval allowed(const Interval& a, BinaryOp op, const Interval& b) {
    switch (op) {
        case BinaryOp::Lt:
            return {a.lo, b.hi - 1};
        case BinaryOp::Le:
            return {a.lo, b.hi};
        case BinaryOp::Gt:
            return {b.lo + 1, a.hi};
        case BinaryOp::Ge:
            return {b.lo, a.hi};
        case BinaryOp::Eq:
            return b;
        case BinaryOp::Ne: {
            if (!b.is_single()) return a;
            return {a.lo + (a.lo == b.lo), a.hi - (a.hi == b.lo)};
        }
        default:
            return a;
    }
}

}  // namespace pyk
