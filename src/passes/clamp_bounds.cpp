#include "passes/clamp_bounds.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/same_expr.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

constexpr int64_t kFar = int64_t{1} << 62;  ///< sums with small integers wrap beyond it

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
std::optional<std::pair<Wide, ir::ExprPtr*>> bounded(ir::Expr& expr, BuiltinName name) {
    auto* call = expr.as<ir::BuiltinCall>();
    if (!call || *call->builtin != name || call->args.size() != 2) return std::nullopt;
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
    const auto inner = bounded(**outer.second, upper ? BuiltinName("max") : "min");
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
            if (ir::is_loop(stmt))
                loop(stmt);
            else
                ir::for_each_block(stmt, [&](ir::Block& inner) { this->block(inner, changed); });
        }
    }

  private:
    /// A number that is so far from 0 that sums with it wrap gets the loop as it was.
    void loop(ir::Stmt& stmt) {
        const auto* counted = stmt.as<ir::ForRange>();
        auto bounds = std::exchange(bounds_, {});
        const bool was_written_once = std::exchange(is_written_once_, counted && counted->is_parallel);
        ir::Block far = is_written_once_ || !has_clamp(stmt) ? ir::Block() : clone(stmt);
        ir::for_each_block(stmt, [&](ir::Block& inner) {
            LocalSet assigned = assigned_in(function_, inner);
            if (counted) assigned.insert(counted->counter);
            block(inner, &assigned);
        });
        is_written_once_ = was_written_once;
        std::swap(bounds, bounds_);
        if (bounds.empty()) return;
        const Span span = stmt.span;
        ir::If choice{all_near(bounds), {}, std::move(far)};
        choice.then.push_back(std::move(stmt));
        stmt = {span, std::move(choice)};
    }
    static bool has_clamp(ir::Stmt& stmt) {
        bool result = false;
        ir::for_each_block(stmt, [&](ir::Block& inner) {
            ir::rewrite(inner, [&](ir::ExprPtr& expr) { result = result || clamp_of(*expr); });
        });
        return result;
    }
    static ir::Block clone(ir::Stmt& stmt) {
        ir::Block block;
        block.push_back(std::move(stmt));
        ir::Block result = ir::clone(block);
        stmt = std::move(block.front());
        return result;
    }

    static bool is_near(const Interval& values) { return values.lo >= -kFar && values.hi <= kFar; }
    static ir::ExprPtr all_near(const std::vector<ir::ExprPtr>& bounds) {
        ir::ExprPtr all;
        const auto add = [&](const ir::Expr& bound, BinaryOp op, int64_t limit) {
            ir::ExprPtr is_within =
                ir::binary(op, ir::clone(bound), ir::integer(limit, Scalar::int64, bound.span), bound.span);
            all = all ? ir::make(Scalar::boolean, bound.span, ir::Logical{true, std::move(all), std::move(is_within)})
                      : std::move(is_within);
        };
        for (const ir::ExprPtr& bound : bounds) {
            add(*bound, BinaryOp::Ge, -kFar);
            add(*bound, BinaryOp::Le, kFar);
        }
        return all;
    }

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
        const auto may_take = [&](const ir::Expr& bound) { return !is_written_once_ || is_near(ranges_.of(bound)); };
        if (!may_take(*n->lhs) || !may_take(*n->rhs)) return;
        ir::ExprPtr bound;
        if (!with_bound(*n, changed, limits, &bound)) return;
        const auto is_known = [&](const ir::ExprPtr& known) { return ir::is_same(*known, *bound); };
        if (bound && std::ranges::none_of(bounds_, is_known)) bounds_.push_back(std::move(bound));
        sum.type = Scalar::int32;
        const Interval values = apply(n->op, ranges_.of(*n->lhs), ranges_.of(*n->rhs), sum.type);
        ranges_.set(sum, values);
        ranges_.set(*clamp.inner, hull(values, within));
        const Span span = sum.span;
        *clamp.value = ir::make(Scalar::int64, span, ir::Convert{std::move(*clamp.value)});
        ranges_.set(**clamp.value, values);
    }

    /// Makes int32s of a small number and a bound of 64 bits that an operator has, if it has them. `far`: becomes the
    /// bound where it may be far from 0.
    bool with_bound(ir::Binary& n, const LocalSet& changed,
                    const std::function<Interval(const Interval&, bool)>& limits_of, ir::ExprPtr* far = nullptr) {
        for (auto [value, bound] : {std::pair{&n.lhs, &n.rhs}, std::pair{&n.rhs, &n.lhs}}) {
            const auto small = small_values(**value);
            const auto* ref = (*bound)->as<ir::LocalRef>();
            if (!small || !ref || (*bound)->type != Type(Scalar::int64) || changed.contains(ref->id)) continue;
            if (far && !is_near(ranges_.of(**bound))) *far = ir::clone(**bound);
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
    std::vector<ir::ExprPtr> bounds_;  ///< of sums in the loop, that may be far from 0
    bool is_written_once_ = false;     ///< the loop
};

}  // namespace

void clamp_bounds(ir::Function& function, Ranges& ranges) { Clamping(function, ranges).block(function.body, nullptr); }

}  // namespace pyk
