#include "passes/clamp_bounds.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// The values of the 8 or 16 bits that an int64 was; none: it has more.
std::optional<Interval> small_values(const ir::Expr& expr) {
    const auto* convert = expr.as<ir::Convert>();
    if (!convert || expr.type != Type(Scalar::int64)) return std::nullopt;
    const Type type = convert->operand->type;
    if (!type.is_integer() || type.bits() > 16) return std::nullopt;
    return all_of(type);
}

/// `min(hi, max(lo, value))`, or the other way round.
struct Clamp {
    Interval within;
    ir::Expr* inner;  ///< the call that has the value
    ir::ExprPtr* value;
};

/// A literal and something else, whichever comes first.
std::optional<std::pair<Wide, ir::ExprPtr*>> bounded(ir::Expr& expr, std::string_view name) {
    auto* call = expr.as<ir::BuiltinCall>();
    if (!call || call->builtin->name != name || call->args.size() != 2) return std::nullopt;
    for (const size_t i : {0, 1})
        if (const auto bound = ir::integer_value(*call->args[i]); bound && fits({*bound, *bound}, Scalar::int16))
            return std::pair(Wide{*bound}, &call->args[1 - i]);
    return std::nullopt;
}

std::optional<Clamp> clamp_of(ir::Expr& expr) {
    if (expr.type != Type(Scalar::int64)) return std::nullopt;
    const auto upper = bounded(expr, "min"), lower = bounded(expr, "max");
    if (!upper && !lower) return std::nullopt;
    const auto outer = upper ? *upper : *lower;
    const auto inner = bounded(**outer.second, upper ? "max" : "min");
    if (!inner) return std::nullopt;
    const Interval within = upper ? Interval{inner->first, outer.first} : Interval{outer.first, inner->first};
    if (within.lo > within.hi) return std::nullopt;
    return Clamp{within, outer.second->get(), inner->second};
}

class Clamping {
  public:
    Clamping(const ir::Function& function, Ranges& ranges) : function_(function), ranges_(ranges) {}

    /// `changed`: by the innermost loop around it; null: there is none.
    void block(ir::Block& block, const LocalSet* changed) {
        for (ir::Stmt& stmt : block) {
            if (changed)
                ir::for_each_expr(stmt, [&](ir::ExprPtr& root) {
                    ir::rewrite(root, [&](ir::ExprPtr& expr) { this->expr(*expr, *changed); });
                });
            const auto* counted = stmt.as<ir::ForRange>();
            ir::for_each_block(stmt, [&](ir::Block& inner) {
                if (!ir::is_loop(stmt)) return this->block(inner, changed);
                LocalSet assigned = assigned_in(function_, inner);
                if (counted) assigned.insert(counted->counter);
                this->block(inner, &assigned);
            });
        }
    }

  private:
    void expr(ir::Expr& expr, const LocalSet& changed) {
        if (auto* n = expr.as<ir::Binary>(); n && is_comparison(n->op))
            with_bound(*n, changed, [](const Interval& small, bool) { return Interval{small.lo - 1, small.hi + 1}; });
        else if (const auto clamp = clamp_of(expr))
            sum(*clamp, changed);
    }

    void sum(const Clamp& clamp, const LocalSet& changed) {
        ir::Expr& sum = **clamp.value;
        auto* n = sum.as<ir::Binary>();
        if (!n || (n->op != BinaryOp::Add && n->op != BinaryOp::Sub)) return;
        // The sum reaches either end of what it is clamped to, whatever the small number is.
        const Interval within = clamp.within;
        const auto limits = [&](const Interval& small, bool bound_first) {
            if (n->op == BinaryOp::Add) return Interval{within.lo - small.hi, within.hi - small.lo};
            if (bound_first) return Interval{within.lo + small.lo, within.hi + small.hi};
            return Interval{small.lo - within.hi, small.hi - within.lo};
        };
        if (!with_bound(*n, changed, limits)) return;
        sum.type = Scalar::int32;
        const Interval values = apply(n->op, ranges_.of(*n->lhs), ranges_.of(*n->rhs), sum.type);
        ranges_.set(sum, values);
        ranges_.set(*clamp.inner, hull(values, within));
        const Span span = sum.span;
        *clamp.value = ir::make(Scalar::int64, span, ir::Convert{std::move(*clamp.value)});
        ranges_.set(**clamp.value, values);
    }

    /// Makes int32s of a small number and a bound of 64 bits that an operator has, if it has them.
    bool with_bound(ir::Binary& n, const LocalSet& changed,
                    const std::function<Interval(const Interval&, bool)>& limits_of) {
        for (auto [value, bound] : {std::pair{&n.lhs, &n.rhs}, std::pair{&n.rhs, &n.lhs}}) {
            const auto small = small_values(**value);
            const auto* ref = (*bound)->as<ir::LocalRef>();
            if (!small || !ref || (*bound)->type != Type(Scalar::int64) || changed.contains(ref->id)) continue;
            const Interval limits = limits_of(*small, bound == &n.lhs);
            *bound = clamped(std::move(*bound), limits);
            ranges_.set(**bound, limits);
            (*value)->type = Scalar::int32;  // in its place, which `ranges_` knows it by
            return true;
        }
        return false;
    }
    static ir::ExprPtr clamped(ir::ExprPtr value, const Interval& limits) {
        const Span span = value->span;
        std::vector<ir::ExprPtr> args;
        args.push_back(std::move(value));
        args.push_back(ir::integer(static_cast<int64_t>(limits.lo), Scalar::int32, span));
        args.push_back(ir::integer(static_cast<int64_t>(limits.hi), Scalar::int32, span));
        return ir::applied("pyk.clamped", Scalar::int32, std::move(args), span);
    }

    const ir::Function& function_;
    Ranges& ranges_;
};

}  // namespace

void clamp_bounds(ir::Module& module, std::span<Ranges> ranges) {
    for (size_t i = 0; i < ranges.size(); ++i)
        Clamping(module.functions[i], ranges[i]).block(module.functions[i].body, nullptr);
}

}  // namespace pyk
