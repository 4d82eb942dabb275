#include "passes/usage.h"

#include "ir/walk.h"

namespace pyk {

std::optional<ir::LocalId> assigned_by(const ir::Stmt& stmt) {
    if (const auto* assign = stmt.as<ir::Assign>()) return assign->target;
    if (const auto* loop = stmt.as<ir::ForRange>()) return loop->counter;
    return std::nullopt;
}

Usage::Usage(const ir::Function& function) : reads(function.locals.size()), writes(function.locals.size()) {
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        if (auto id = assigned_by(stmt)) ++writes_of(*id);
    });
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        if (const auto* ref = expr.as<ir::LocalRef>()) ++reads_of(ref->id);
    });
}

LocalSet assigned_in(const ir::Function& function, const ir::Block& block) {
    LocalSet result(function);
    ir::for_each_stmt(block, [&](const ir::Stmt& stmt) {
        if (auto id = assigned_by(stmt)) result.insert(*id);
    });
    return result;
}

bool reads(const ir::Expr& expr, ir::LocalId id) {
    bool found = false;
    ir::for_each_expr_deep(expr, [&](const ir::Expr& part) { found |= ir::is_local(part, id); });
    return found;
}

bool reads_any(const ir::Expr& expr, const LocalSet& locals) {
    bool found = false;
    ir::for_each_expr_deep(expr, [&](const ir::Expr& part) {
        const auto* ref = part.as<ir::LocalRef>();
        found |= ref && locals.contains(ref->id);
    });
    return found;
}

bool is_invariant(const ir::Expr& expr, const LocalSet& changed) {
    if (const auto* ref = expr.as<ir::LocalRef>()) return !changed.contains(ref->id);
    const auto* call = expr.as<ir::BuiltinCall>();
    bool result = expr.as<ir::Constant>() || expr.as<ir::ConstantRef>() || expr.as<ir::Unary>() ||
                  expr.as<ir::Binary>() || expr.as<ir::Convert>() || expr.as<ir::ShapeOf>() || expr.as<ir::SizeOf>() ||
                  expr.as<ir::TupleItem>() || (call && !any(call->builtin->effects));
    ir::for_each_child(expr, [&](const ir::Expr& child) { result = result && is_invariant(child, changed); });
    return result;
}

uint32_t count_reads(const ir::Block& block, ir::LocalId id) {
    uint32_t count = 0;
    ir::for_each_expr_deep(block, [&](const ir::Expr& expr) { count += ir::is_local(expr, id); });
    return count;
}

uint32_t count_writes(const ir::Block& block, ir::LocalId id) {
    uint32_t count = 0;
    ir::for_each_stmt(block, [&](const ir::Stmt& stmt) { count += assigned_by(stmt) == id; });
    return count;
}

uint32_t count_reads(const ir::Stmt& stmt, ir::LocalId id) {
    uint32_t count = 0;
    ir::for_each_expr(stmt, [&](const ir::Expr& expr) {
        ir::for_each_expr_deep(expr, [&](const ir::Expr& part) { count += ir::is_local(part, id); });
    });
    ir::for_each_block(stmt, [&](const ir::Block& inner) { count += count_reads(inner, id); });
    return count;
}

uint32_t count_writes(const ir::Stmt& stmt, ir::LocalId id) {
    uint32_t count = assigned_by(stmt) == id;
    ir::for_each_block(stmt, [&](const ir::Block& inner) { count += count_writes(inner, id); });
    return count;
}

}  // namespace pyk
