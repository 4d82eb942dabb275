#include "passes/load_early.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/same_expr.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

constexpr size_t kMostStatements = 8;    ///< of a loop that may be written twice
constexpr size_t kMostExpressions = 12;  ///< that are evaluated without need

/// A loop whose iterations may be taken side by side: it has no other loop, and goes to its end.
bool is_simple(const ir::Function& function, const ir::ForRange& loop) {
    if (loop.is_parallel || !loop.orelse.empty() || ir::integer_value(*loop.step) != 1) return false;
    size_t statements = 0;
    bool result = true;
    ir::for_each_stmt(loop.body, [&](const ir::Stmt& stmt) {
        ++statements;
        result =
            result && (stmt.as<ir::Assign>() || stmt.as<ir::Store>() || stmt.as<ir::If>() || stmt.as<ir::Continue>());
    });
    return result && statements <= kMostStatements && is_invariant(*loop.stop, assigned_in(function, loop.body));
}

/// What must hold so that every iteration of a loop may load what its conditions ask for.
class Bounds {
  public:
    Bounds(const ir::Function& function, const ir::ForRange& loop)
        : loop_(loop), changed_(assigned_in(function, loop.body)) {
        changed_.insert(loop.counter);
    }

    /// Whether the second part of a condition may be evaluated early, if the bounds hold that this adds.
    bool add(const ir::Expr& second) {
        std::vector<ir::ExprPtr> bounds;
        size_t expressions = 0;
        if (!is_early(second, bounds, expressions) || expressions > kMostExpressions) return false;
        for (ir::ExprPtr& bound : bounds) {
            const auto is_known = [&](const ir::ExprPtr& known) { return ir::is_same(*known, *bound); };
            if (std::ranges::none_of(bounds_, is_known)) bounds_.push_back(std::move(bound));
        }
        return true;
    }
    /// All of them; null: there is none.
    ir::ExprPtr take() {
        ir::ExprPtr all;
        for (ir::ExprPtr& bound : bounds_) {
            const Span span = bound->span;
            all = all ? ir::make(Scalar::boolean, span, ir::Logical{true, std::move(all), std::move(bound)})
                      : std::move(bound);
        }
        return all;
    }

  private:
    bool is_early(const ir::Expr& expr, std::vector<ir::ExprPtr>& bounds, size_t& expressions) const {
        ++expressions;
        if (const auto* element = expr.as<ir::Element>()) return has_bounds(*element, bounds);
        const auto* binary = expr.as<ir::Binary>();
        if (!expr.type.is_scalar() || (binary && (ir::may_divide_by_zero(*binary) || binary->op == BinaryOp::Pow)))
            return false;
        bool result = binary || expr.as<ir::Unary>() || expr.as<ir::Convert>() || expr.as<ir::LocalRef>() ||
                      expr.as<ir::Constant>() || expr.as<ir::ConstantRef>();
        ir::for_each_child(expr,
                           [&](const ir::Expr& child) { result = result && is_early(child, bounds, expressions); });
        return result;
    }

    bool has_bounds(const ir::Element& element, std::vector<ir::ExprPtr>& bounds) const {
        const auto* array = element.array->as<ir::LocalRef>();
        if (!array || changed_.contains(array->id)) return false;
        for (size_t axis = 0; axis < element.indices.size(); ++axis) {
            const ir::Index& index = element.indices[axis];
            if (index.wraps) return false;
            ir::ExprPtr extent = ir::make(Scalar::int64, element.array->span,
                                          ir::ShapeOf{ir::clone(*element.array), static_cast<uint32_t>(axis)});
            auto bound = bound_of(*index.value, std::move(extent));
            auto floor = bound ? floor_of(*index.value) : std::nullopt;
            if (!floor) return false;
            if (*bound) bounds.push_back(std::move(*bound));
            if (*floor) bounds.push_back(std::move(*floor));
        }
        return true;
    }
    /// Says that no iteration's index, of which there is a `bound_of`, is negative, as only the first part of the
    /// condition may have known: null where that is sure; none: the first iteration's is.
    std::optional<ir::ExprPtr> floor_of(const ir::Expr& index) const {
        const auto* sum = index.as<ir::Binary>();
        ir::ExprPtr least = ir::clone(index);
        if (!is_invariant(index, changed_)) {
            const auto start = ir::integer_value(*loop_.start);
            const int64_t offset = sum ? *ir::integer_value(*sum->rhs) : 0;
            if (start && *start >= 0) {
                const bool is_inside = !sum || (sum->op == BinaryOp::Add ? offset >= -*start : offset <= *start);
                return is_inside ? std::optional(ir::ExprPtr{}) : std::nullopt;
            }
            least = ir::clone(*loop_.start);
            if (sum) least = ir::binary(sum->op, std::move(least), ir::clone(*sum->rhs), index.span);
        } else if (const auto known = ir::integer_value(index); known && *known >= 0) {
            return ir::ExprPtr{};
        }
        return ir::binary(BinaryOp::Ge, ir::convert(std::move(least), Scalar::int64),
                          ir::integer(0, Scalar::int64, index.span), index.span);
    }
    /// Says that no iteration's index reaches the extent: null where that is sure; none: there is no saying it.
    std::optional<ir::ExprPtr> bound_of(const ir::Expr& index, ir::ExprPtr extent) const {
        const Span span = index.span;
        if (is_invariant(index, changed_))
            return ir::binary(BinaryOp::Lt, ir::convert(ir::clone(index), Scalar::int64), std::move(extent), span);
        const auto* ref = index.as<ir::LocalRef>();
        const auto* sum = index.as<ir::Binary>();
        if (sum) ref = sum->lhs->as<ir::LocalRef>();
        if (!ref || ref->id != loop_.counter || loop_.stop->type != Type(Scalar::int64)) return std::nullopt;
        if (sum && ((sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub) || !ir::integer_value(*sum->rhs)))
            return std::nullopt;
        if (!sum && ends_at(*loop_.stop, *extent)) return ir::ExprPtr{};
        ir::ExprPtr end = ir::clone(*loop_.stop);
        if (sum) end = ir::binary(sum->op, std::move(end), ir::clone(*sum->rhs), span);
        return ir::binary(BinaryOp::Le, std::move(end), std::move(extent), span);
    }

    /// Or before it.
    static bool ends_at(const ir::Expr& stop, const ir::Expr& extent) {
        const auto* call = ir::call_of(stop, "min");
        if (!call) return ir::is_same(stop, extent);
        return std::ranges::any_of(call->args, [&](const ir::ExprPtr& arg) { return ir::is_same(*arg, extent); });
    }

    const ir::ForRange& loop_;
    LocalSet changed_;
    std::vector<ir::ExprPtr> bounds_;
};

void load_early(const ir::Function& function, ir::Block& block) {
    for (ir::Stmt& stmt : block) {
        ir::for_each_block(stmt, [&](ir::Block& inner) { load_early(function, inner); });
        auto* loop = stmt.as<ir::ForRange>();
        if (!loop || !is_simple(function, *loop)) continue;
        Bounds bounds(function, *loop);
        bool changes = false;
        ir::Block early = ir::clone(loop->body);
        ir::rewrite(early, [&](ir::ExprPtr& expr) {
            auto* logical = expr->as<ir::Logical>();
            if (!logical || !bounds.add(*logical->rhs)) return;
            changes = true;
            expr = ir::binary(logical->is_and ? BinaryOp::BitAnd : BinaryOp::BitOr, std::move(logical->lhs),
                              std::move(logical->rhs), expr->span);
        });
        if (!changes) continue;
        ir::ExprPtr condition = bounds.take();
        if (!condition) {
            loop->body = std::move(early);
            continue;
        }
        const Span span = stmt.span;
        ir::If choice{std::move(condition), {}, {}};
        choice.then.push_back({span, ir::ForRange{loop->counter,
                                                  ir::clone(*loop->start),
                                                  ir::clone(*loop->stop),
                                                  ir::clone(*loop->step),
                                                  std::move(early),
                                                  {}}});
        choice.otherwise.push_back(std::move(stmt));
        stmt = {span, std::move(choice)};
    }
}

}  // namespace

void load_early(ir::Function& function) { load_early(function, function.body); }

}  // namespace pyk
