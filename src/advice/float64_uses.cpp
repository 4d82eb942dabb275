#include "advice/float64_uses.h"

#include "advice/widening.h"
#include "ir/walk.h"

namespace pyk {

Float64Uses::Float64Uses(const ir::Function& function) {
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        if (const auto* store = stmt.as<ir::Store>()) add(*store->value, stored_);
        if (const auto* store = stmt.as<ir::StoreField>()) add(*store->value, stored_);
    });
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) { look_at(expr); });
}

void Float64Uses::look_at(const ir::Expr& expr) {
    if (const ir::Expr* source = source_of(expr); source && is_narrow(expr.type)) add(*source, narrowed_);
    const auto* test = expr.as<ir::Binary>();
    const bool is_equality = test && (test->op == BinaryOp::Eq || test->op == BinaryOp::Ne);
    if (is_equality || (expr.type && expr.type.is_integer()))
        ir::for_each_child(expr, [&](const ir::Expr& child) { add(child, counted_); });
}

/// With what it is computed of as a float64.
void Float64Uses::add(const ir::Expr& whole, Exprs& to) {
    const ir::Expr& expr = real_part(whole);
    if (!is_double(expr) || source_of(expr)) return;
    to.insert(&expr);
    ir::for_each_child(expr, [&](const ir::Expr& child) { add(child, to); });
}

}  // namespace pyk
