#include "advice/assigned_once.h"

#include <algorithm>

#include "ir/walk.h"

namespace pyk {

AssignedOnce assigned_once(const ir::Function& function) {
    AssignedOnce values;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* assign = stmt.as<ir::Assign>();
        if (!assign) return;
        const auto [at, is_first] = values.try_emplace(assign->target, assign->value.get());
        const bool is_parameter = std::ranges::count(function.params, assign->target) != 0;
        if (!is_first || is_parameter) at->second = nullptr;
    });
    return values;
}

bool has_one_value(ir::LocalId local, const AssignedOnce& assigned) {
    const auto known = assigned.find(local);
    return known == assigned.end() || known->second;
}

const ir::Expr* value_of(ir::LocalId local, const AssignedOnce& assigned) {
    const auto found = assigned.find(local);
    return found == assigned.end() ? nullptr : found->second;
}

const ir::Expr* value_of(const ir::Expr& expr, const AssignedOnce& assigned) {
    const auto* local = expr.as<ir::LocalRef>();
    return local ? value_of(local->id, assigned) : nullptr;
}

const ir::Expr& resolved(const ir::Expr& expr, const AssignedOnce& assigned) {
    const ir::Expr* known = &ir::without_conversions(expr);
    for (int depth = 0; depth < kMostNames; ++depth) {
        const ir::Expr* const value = value_of(*known, assigned);
        if (!value) break;
        known = &ir::without_conversions(*value);
    }
    return *known;
}

}  // namespace pyk
