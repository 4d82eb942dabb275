#include "advice/clamped_places.h"

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {

ClampedPlaces::ClampedPlaces(const ThreadVariables& variables) : variables_(variables) {
    ir::for_each_stmt(variables.function.body, [&](const ir::Stmt& stmt) {
        const auto* branch = stmt.as<ir::If>();
        const auto* loop = stmt.as<ir::While>();
        if (!branch && !loop) return;
        ir::for_each_expr_deep(branch ? *branch->condition : *loop->condition, [&](const ir::Expr& expr) {
            if (const auto* local = expr.as<ir::LocalRef>()) tested_.insert(local->id);
        });
    });
}

ThreadAxes ClampedPlaces::axes(const StoredPlace& element) const {
    ThreadAxes met = 0, apart = variables_.spreads.of(*element.base).apart;
    for (const ir::Index& index : *element.indices) {
        const ThreadAxes here = axes(*index.value, 0);
        met |= here;
        apart |= variables_.spreads.of(*index.value).apart & ~here;
    }
    return met & ~apart;
}

/// Not those of `end = min(i * 4, n)`, where tests ask about `end`. `depth`: of variables that are looked through.
ThreadAxes ClampedPlaces::axes(const ir::Expr& number, int depth) const {
    if (const auto* n = number.as<ir::Convert>()) return axes(*n->operand, depth);
    if (const auto* n = number.as<ir::LocalRef>()) {
        const ir::Expr* const value = tested_.contains(n->id) ? nullptr : value_of(number, variables_.assigned);
        return value && depth < kMostNames ? axes(*value, depth + 1) : ThreadAxes(0);
    }
    if (const auto* n = number.as<ir::Binary>()) {
        const ThreadAxes left = axes(*n->lhs, depth), right = axes(*n->rhs, depth);
        return (left & ~variables_.spreads.of(*n->rhs).axes()) | (right & ~variables_.spreads.of(*n->lhs).axes());
    }
    const auto* call = number.as<ir::BuiltinCall>();
    return call ? axes(*call, depth) : ThreadAxes(0);
}

/// Of `min(i, 10)`, `max(i - 3, 0)`.
ThreadAxes ClampedPlaces::axes(const ir::BuiltinCall& call, int depth) const {
    const bool is_most = is_minimum(*call.builtin), is_least = is_maximum(*call.builtin);
    if ((!is_most && !is_least) || call.args.size() != 2) return 0;
    const bool is_first = variables_.spreads.of(*call.args[0]).axes();
    const ir::Expr &value = *call.args[is_first ? 0 : 1], &bound = *call.args[is_first ? 1 : 0];
    if (variables_.spreads.of(bound).axes()) return 0;
    const Spread spread = variables_.spreads.of(value);
    const auto known = ir::integer_value(bound);
    const auto* local = ir::without_conversions(value).as<ir::LocalRef>();
    // No index is below 0 by itself; and one that a test keeps below `n` needs no `min(i, n - 1)`.
    const bool is_beyond =
        spread.moved || (is_least ? known && *known > 0 : known || !local || !tested_.contains(local->id));
    return (is_beyond ? spread.apart : ThreadAxes(0)) | axes(value, depth);
}

}  // namespace pyk
