#include "passes/hoist_divisor_checks.h"

#include <algorithm>
#include <utility>

#include "ir/build.h"
#include "ir/same_expr.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// A division that looks at its divisor.
const ir::Binary* checked_division(const ir::Expr& expr) {
    const auto* binary = expr.as<ir::Binary>();
    return binary && ir::may_divide_by_zero(*binary) ? binary : nullptr;
}

bool has_no_check(const ir::Expr& expr) {
    bool result = true;
    ir::for_each_expr_deep(expr, [&](const ir::Expr& part) { result = result && !checked_division(part); });
    return result;
}

class Hoister {
  public:
    Hoister(const ir::Module& module, ir::Function& function) : module_(module), function_(function) {}

    /// Whether the block has a loop of its own.
    bool block(ir::Block& body) {
        ir::Block result;
        bool has_loop = false;
        for (ir::Stmt& stmt : body) {
            bool is_outer = false;
            ir::for_each_block(stmt, [&](ir::Block& inner) { is_outer |= block(inner); });
            auto* loop = stmt.as<ir::ForRange>();
            has_loop |= is_outer || loop || stmt.as<ir::While>();
            if (loop && !is_outer) hoist(*loop, result);
            result.push_back(std::move(stmt));
        }
        body = std::move(result);
        return has_loop;
    }

  private:
    void hoist(ir::ForRange& loop, ir::Block& before) {
        const auto step = ir::integer_value(module_, *loop.step);
        if (!step || *step == 0 || !may_be_repeated(*loop.start) || !may_be_repeated(*loop.stop)) return;
        changed_ = assigned_in(function_, loop.body);
        changed_.insert(loop.counter);
        found_.clear();
        for (const ir::Stmt& stmt : loop.body)
            if (!goes_on(stmt)) break;
        for (const ir::Expr* division : found_) before.push_back(check_of(loop, *step, *division));
        ir::rewrite(loop.body, [&](ir::ExprPtr& expr) {
            auto* division = expr->as<ir::Binary>();
            if (division && checked_division(*expr) && division->rhs->type.is_float() && is_found(*division->rhs))
                division->op = BinaryOp::CDiv;
        });
    }

    bool may_be_repeated(const ir::Expr& bound) const {
        return !is_action(ir::effects_of(module_, bound)) && has_no_check(bound);
    }

    /// Takes what a statement of the first iteration surely divides by. Whether the next one is as if it came first:
    /// this one changes nothing but locals, and raises nothing else.
    bool goes_on(const ir::Stmt& stmt) {
        if (!stmt.as<ir::Assign>() && !stmt.as<ir::Store>()) return false;
        bool is_quiet = true;
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) {
            if (is_action(ir::effects_of(module_, expr)))
                is_quiet = false;
            else if (is_quiet)
                is_quiet = take(expr);
        });
        return is_quiet && stmt.as<ir::Assign>();
    }

    /// Whether all divisions of an expression were taken.
    bool take(const ir::Expr& expr) {
        if (const auto* logical = expr.as<ir::Logical>()) return take(*logical->lhs) & has_no_check(*logical->rhs);
        if (const auto* select = expr.as<ir::Select>())
            return take(*select->condition) & has_no_check(*select->then) & has_no_check(*select->otherwise);
        bool taken = true;
        ir::for_each_child(expr, [&](const ir::Expr& child) { taken &= take(child); });
        const ir::Binary* division = checked_division(expr);
        if (!division || division->rhs->type.is_complex()) return taken;
        if (division->op != BinaryOp::TrueDiv || !is_invariant(*division->rhs, changed_) ||
            !has_no_check(*division->rhs))
            return false;
        if (!is_found(*division->rhs)) found_.push_back(&expr);
        return taken;
    }

    bool is_found(const ir::Expr& divisor) const {
        return std::ranges::any_of(
            found_, [&](const ir::Expr* found) { return ir::is_same(*found->as<ir::Binary>()->rhs, divisor); });
    }

    static ir::Stmt check_of(const ir::ForRange& loop, int64_t step, const ir::Expr& division) {
        const Span span = division.span;
        const ir::Expr& divisor = *division.as<ir::Binary>()->rhs;
        ir::ExprPtr is_zero = ir::binary(BinaryOp::Eq, ir::clone(divisor), ir::floating(0.0, divisor.type, span), span);
        const BinaryOp order = step > 0 ? BinaryOp::Lt : BinaryOp::Gt;
        ir::ExprPtr runs = ir::binary(order, ir::clone(*loop.start), ir::clone(*loop.stop), span);
        ir::If check;
        check.condition = ir::make(Scalar::boolean, span, ir::Logical{true, std::move(runs), std::move(is_zero)});
        check.then.push_back({span, ir::Raise{"ZeroDivisionError: division by zero"}});
        return {span, std::move(check)};
    }

    const ir::Module& module_;
    ir::Function& function_;
    LocalSet changed_;
    std::vector<const ir::Expr*> found_;  ///< divisions in the loop, each by another divisor
};

}  // namespace

void hoist_divisor_checks(const ir::Module& module, ir::Function& function) {
    Hoister(module, function).block(function.body);
}

}  // namespace pyk
