#include "advice/lone_threads.h"

#include "ir/build.h"

namespace pyk {
namespace {

/// Whether a comparison that is true, or false, says what a number is: `t < 1` does where it is true.
bool is_equality(const ir::Binary& n, bool holds) {
    const auto right = ir::integer_value(*n.rhs), left = ir::integer_value(*n.lhs);
    switch (n.op) {
        case BinaryOp::Eq:
            return holds;
        case BinaryOp::Ne:
            return !holds;
        case BinaryOp::Lt:  // t < 1, not 0 < t
            return holds ? right == 1 : left == 0;
        case BinaryOp::Le:  // t <= 0, not 1 <= t
            return holds ? right == 0 : left == 1;
        case BinaryOp::Gt:  // 1 > t, not t > 0
            return holds ? left == 1 : right == 0;
        case BinaryOp::Ge:  // 0 >= t, not t >= 1
            return holds ? left == 0 : right == 1;
        default:
            return false;
    }
}

Alone of_spread(Spread spread) { return {spread.apart, spread.repeated}; }

/// `depth`: of variables that are looked through.
Alone alone_where(const ir::Expr& condition, bool holds, const ThreadVariables& variables, int depth) {
    const auto within = [&](const ir::Expr& part, bool part_holds, int part_depth) {
        return alone_where(part, part_holds, variables, part_depth);
    };
    if (const auto* n = condition.as<ir::Logical>()) {
        const Alone lhs = within(*n->lhs, holds, depth), rhs = within(*n->rhs, holds, depth);
        return n->is_and == holds ? lhs | rhs : lhs & rhs;
    }
    if (const auto* n = condition.as<ir::Unary>(); n && n->op == UnaryOp::Not)
        return within(*n->operand, !holds, depth);
    if (const ir::Expr* value = value_of(condition, variables.assigned); value && depth < kMostNames)
        return within(*value, holds, depth + 1);
    const auto* n = condition.as<ir::Binary>();
    if (!n || !is_comparison(n->op)) return of_spread(variables.spreads.of(condition));
    if (!is_equality(*n, holds)) return {};
    const Alone one = of_spread(variables.spreads.of(*n->lhs)), other = of_spread(variables.spreads.of(*n->rhs));
    // Of `i == j` one is given by the other.
    const ThreadAxes either = one.surely ? one.surely : other.surely;
    return {one.surely & other.surely ? ThreadAxes(0) : either, (one | other).among_others};
}

}  // namespace

Alone alone_where(const ir::Expr& condition, bool holds, const ThreadVariables& variables) {
    return alone_where(condition, holds, variables, 0);
}

}  // namespace pyk
