#include "passes/clamp_bounds.h"

#include <optional>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/interval.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// The 8 or 16 bits that an int64 was; none: it has more.
std::optional<Type> small_type(const ir::Expr& expr) {
    const auto* convert = expr.as<ir::Convert>();
    if (!convert || expr.type != Type(Scalar::int64)) return std::nullopt;
    const Type type = convert->operand->type;
    if (!type.is_integer() || type.bits() > 16) return std::nullopt;
    return type;
}

ir::ExprPtr clamped(ir::ExprPtr value, Type small) {
    const Span span = value->span;
    const Interval all = all_of(small);
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(value));
    args.push_back(ir::integer(static_cast<int64_t>(all.lo) - 1, Scalar::int32, span));
    args.push_back(ir::integer(static_cast<int64_t>(all.hi) + 1, Scalar::int32, span));
    return ir::applied("pyk.clamped", Scalar::int32, std::move(args), span);
}

/// `changed`: by the innermost loop around it.
void clamp(ir::ExprPtr& expr, const LocalSet& changed) {
    auto* n = expr->as<ir::Binary>();
    if (!n || !is_comparison(n->op)) return;
    const auto is_bound = [&](const ir::Expr& side) {
        const auto* ref = side.as<ir::LocalRef>();
        return ref && side.type == Type(Scalar::int64) && !changed.contains(ref->id);
    };
    for (auto [value, bound] : {std::pair{&n->lhs, &n->rhs}, std::pair{&n->rhs, &n->lhs}}) {
        const auto small = small_type(**value);
        if (!small || !is_bound(**bound)) continue;
        *bound = clamped(std::move(*bound), *small);
        *value = ir::convert(std::move((*value)->as<ir::Convert>()->operand), Scalar::int32);
        return;
    }
}

void clamp_bounds(const ir::Function& function, ir::Block& block, const LocalSet* changed) {
    for (ir::Stmt& stmt : block) {
        if (changed)
            ir::for_each_expr(
                stmt, [&](ir::ExprPtr& root) { ir::rewrite(root, [&](ir::ExprPtr& expr) { clamp(expr, *changed); }); });
        const auto* counted = stmt.as<ir::ForRange>();
        const bool loops = counted || stmt.as<ir::While>();
        ir::for_each_block(stmt, [&](ir::Block& inner) {
            if (!loops) return clamp_bounds(function, inner, changed);
            LocalSet assigned = assigned_in(function, inner);
            if (counted) assigned.insert(counted->counter);
            clamp_bounds(function, inner, &assigned);
        });
    }
}

}  // namespace

void clamp_bounds(ir::Module& module) {
    for (ir::Function& function : module.functions) clamp_bounds(function, function.body, nullptr);
}

}  // namespace pyk
