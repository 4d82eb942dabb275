#include "passes/comparison.h"

#include <utility>

#include "ir/build.h"

namespace pyk {
namespace {

/// The integer that a truth asks whether it is 0; null where it asks something else.
ir::ExprPtr* tested_integer(ir::ExprPtr& truth) {
    auto* convert = truth->as<ir::Convert>();
    ir::ExprPtr& number = convert && truth->type.is_boolean() ? convert->operand : truth;
    return number->type.is_integer() ? &number : nullptr;
}

/// Whether another comparison says the opposite.
bool has_opposite(const ir::Expr& truth) {
    if (const auto* logical = truth.as<ir::Logical>())
        return has_opposite(*logical->lhs) && has_opposite(*logical->rhs);
    const auto* compared = truth.as<ir::Binary>();
    if (!compared || !is_comparison(compared->op)) return false;
    const bool is_equality = compared->op == BinaryOp::Eq || compared->op == BinaryOp::Ne;
    return is_equality || compared->lhs->type.is_integer();
}

}  // namespace

ir::ExprPtr negation(ir::ExprPtr truth, Span span) {
    if (auto* inner = truth->as<ir::Unary>(); inner && inner->op == UnaryOp::Not && inner->operand->type.is_boolean())
        return std::move(inner->operand);
    if (has_opposite(*truth)) {
        if (auto* logical = truth->as<ir::Logical>()) {
            ir::ExprPtr lhs = negation(std::move(logical->lhs), span), rhs = negation(std::move(logical->rhs), span);
            return ir::make(Scalar::boolean, span, ir::Logical{!logical->is_and, std::move(lhs), std::move(rhs)});
        }
        auto& compared = *truth->as<ir::Binary>();
        return ir::binary(negated(compared.op), std::move(compared.lhs), std::move(compared.rhs), span);
    }
    // A variable's `!n` says it better.
    if (ir::ExprPtr* number = tested_integer(truth); number && (*number)->as<ir::Binary>()) {
        const Type type = (*number)->type;
        return ir::binary(BinaryOp::Eq, std::move(*number), ir::integer(0, type, span), span);
    }
    return ir::unary(UnaryOp::Not, std::move(truth), span);
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
