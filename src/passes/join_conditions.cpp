#include "passes/join_conditions.h"

#include <utility>

#include "ir/build.h"
#include "ir/same_expr.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// Whether the expression reads that element, always.
bool reads(const ir::Expr& expr, const ir::Expr& element) {
    bool result = ir::is_same(expr, element);
    const auto* logical = expr.as<ir::Logical>();
    if (logical) return reads(*logical->lhs, element);
    if (expr.as<ir::Select>()) return result;
    ir::for_each_child(expr, [&](const ir::Expr& child) { result = result || reads(child, element); });
    return result;
}

/// A number that is at hand once `before` has been computed.
bool is_at_hand(const ir::Expr& number, const ir::Expr& before) {
    if (!number.type.is_float()) return false;
    if (const auto* negative = number.as<ir::Unary>()) return is_at_hand(*negative->operand, before);
    if (const auto* convert = number.as<ir::Convert>()) return is_at_hand(*convert->operand, before);
    if (number.as<ir::Element>()) return reads(before, number);
    return number.as<ir::LocalRef>() || number.as<ir::Constant>() || number.as<ir::ConstantRef>();
}

bool compares_floats(const ir::Expr& expr) {
    const auto* binary = expr.as<ir::Binary>();
    if (binary && expr.type == Type(Scalar::boolean) && !is_comparison(binary->op))
        return compares_floats(*binary->lhs) && compares_floats(*binary->rhs);
    return binary && is_comparison(binary->op) && binary->lhs->type.is_float();
}

void join(ir::ExprPtr& expr) {
    auto* logical = expr->as<ir::Logical>();
    if (!logical || !compares_floats(*logical->lhs)) return;
    const auto* second = logical->rhs->as<ir::Binary>();
    if (!second || !is_comparison(second->op)) return;
    if (!is_at_hand(*second->lhs, *logical->lhs) || !is_at_hand(*second->rhs, *logical->lhs)) return;
    expr = ir::binary(logical->is_and ? BinaryOp::BitAnd : BinaryOp::BitOr, std::move(logical->lhs),
                      std::move(logical->rhs), expr->span);
}

}  // namespace

void join_conditions(ir::Function& function) {
    ir::rewrite(function.body, [](ir::ExprPtr& expr) { join(expr); });
}

}  // namespace pyk
