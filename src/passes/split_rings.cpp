#include "passes/split_rings.h"

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

constexpr Wide kFarthest = 8;           ///< neighbour that counts as one
constexpr Wide kFewTrips = 64;          ///< of a loop that is not worth it
constexpr int64_t kMostInner = 8;       ///< trips of a loop in its body: over neighbours
constexpr size_t kMostStatements = 16;  ///< that are written three times

/// What a loop's body looks at around its place, and how far.
struct Reach {
    Wide below = 0, above = 0;
    std::vector<ir::Index*> indices;                           ///< that may be negative
    std::vector<std::pair<ir::ExprPtr*, ir::ExprPtr*>> rings;  ///< places, each in what brings it back to the ring
};

class Splitter {
  public:
    Splitter(const ir::Module& module, ir::Function& function, const Ranges& ranges)
        : module_(module), function_(function), ranges_(ranges) {}

    void block(ir::Block& block) {
        ir::Block result;
        for (ir::Stmt& stmt : block) {
            ir::for_each_block(stmt, [&](ir::Block& inner) { this->block(inner); });
            auto* loop = stmt.as<ir::ForRange>();
            const Reach reach = loop && can_split(*loop) ? reach_of(*loop) : Reach{};
            if (reach.below > 0 || reach.above > 0)
                split(std::move(stmt), reach, result);
            else
                result.push_back(std::move(stmt));
        }
        block = std::move(result);
    }
    bool has_split() const { return has_split_; }

  private:
    bool can_split(const ir::ForRange& loop) const {
        if (loop.is_parallel || !loop.orelse.empty() || ir::integer_value(module_, *loop.step) != 1) return false;
        const auto start = ir::integer_value(*loop.start);
        if (loop.stop->type != Type(Scalar::int64) || !start || *start < 0) return false;
        if (ranges_.of(*loop.stop).hi - *start <= kFewTrips ||
            !is_invariant(*loop.stop, assigned_in(function_, loop.body)))
            return false;
        size_t statements = 0;
        bool is_plain = true;
        ir::for_each_stmt(loop.body, [&](const ir::Stmt& stmt) {
            ++statements;
            const auto* inner = stmt.as<ir::ForRange>();
            is_plain = is_plain && !stmt.as<ir::While>() && !stmt.as<ir::Break>() && !stmt.as<ir::Return>() &&
                       (!inner || is_short(*inner));
        });
        return is_plain && statements <= kMostStatements;
    }
    bool is_short(const ir::ForRange& loop) const {
        const auto start = ir::integer_value(module_, *loop.start), stop = ir::integer_value(module_, *loop.stop);
        return start && stop && *stop - *start <= kMostInner;
    }

    /// What is added to the counter, if it is little.
    std::optional<Interval> offset_of(const ir::Expr& place, ir::LocalId counter) const {
        if (ir::is_local(place, counter)) return Interval{0, 0};
        const auto* sum = place.as<ir::Binary>();
        if (!sum || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub)) return std::nullopt;
        if (sum->op == BinaryOp::Add && !reads(*sum->lhs, counter))
            return moved(sum->op, *sum->rhs, *sum->lhs, counter);
        return moved(sum->op, *sum->lhs, *sum->rhs, counter);
    }
    std::optional<Interval> moved(BinaryOp op, const ir::Expr& place, const ir::Expr& by, ir::LocalId counter) const {
        const auto offset = offset_of(place, counter);
        if (!offset || reads(by, counter)) return std::nullopt;
        const Interval sum = apply(op, *offset, ranges_.of(by), Scalar::int64);
        if (sum.lo < -kFarthest || sum.hi > kFarthest) return std::nullopt;
        return sum;
    }
    /// `place` of `place % n` and `(place + n) % n`, where the loop ends at n; null: it is something else.
    static ir::ExprPtr* place_on_ring(ir::Expr& expr, const ir::ForRange& loop) {
        auto* mod = expr.as<ir::Binary>();
        if (!mod || mod->op != BinaryOp::Mod || expr.type != Type(Scalar::int64) || !ir::is_same(*mod->rhs, *loop.stop))
            return nullptr;
        auto* sum = mod->lhs->as<ir::Binary>();
        if (!sum || sum->op != BinaryOp::Add) return &mod->lhs;
        if (ir::is_same(*sum->rhs, *mod->rhs)) return &sum->lhs;
        return ir::is_same(*sum->lhs, *mod->rhs) ? &sum->rhs : &mod->lhs;
    }

    Reach reach_of(ir::ForRange& loop) const {
        Reach reach;
        const auto visit = [&](std::vector<ir::Index>& indices) {
            for (ir::Index& index : indices) {
                const auto offset = index.wraps ? offset_of(*index.value, loop.counter) : std::nullopt;
                if (!offset) continue;
                reach.below = std::max(reach.below, -offset->lo);
                reach.indices.push_back(&index);
            }
        };
        ir::for_each_stmt(loop.body, [&](ir::Stmt& stmt) {
            if (auto* store = stmt.as<ir::Store>()) visit(store->indices);
        });
        ir::rewrite(loop.body, [&](ir::ExprPtr& expr) {
            if (auto* element = expr->as<ir::Element>()) visit(element->indices);
            ir::ExprPtr* place = place_on_ring(*expr, loop);
            const auto offset = place ? offset_of(**place, loop.counter) : std::nullopt;
            if (!offset) return;
            reach.below = std::max(reach.below, -offset->lo);
            reach.above = std::max(reach.above, offset->hi);
            reach.rings.emplace_back(&expr, place);
        });
        reach.below = std::max<Wide>(0, reach.below - *ir::integer_value(*loop.start));
        return reach;
    }
    /// The inner part meets no end. What is around a place on the ring is not looked at again: it was farther away.
    void open(const Reach& reach) {
        for (ir::Index* index : reach.indices) index->wraps = false;
        for (const auto& [expr, place] : reach.rings) {
            ir::ExprPtr kept = std::move(*place);
            retired_.push_back(std::exchange(*expr, std::move(kept)));
        }
    }

    void split(ir::Stmt stmt, const Reach& reach, ir::Block& result) {
        has_split_ = true;
        auto& loop = *stmt.as<ir::ForRange>();
        const Span span = stmt.span;
        const int64_t start = *ir::integer_value(*loop.start);
        const auto number = [&](Wide value) { return ir::integer(static_cast<int64_t>(value), Scalar::int64, span); };
        const auto edge = [&](ir::ExprPtr first, ir::ExprPtr end) {
            return ir::Stmt{
                span,
                ir::ForRange{
                    loop.counter, std::move(first), std::move(end), ir::clone(*loop.step), ir::clone(loop.body), {}}};
        };
        const auto call = [&](BuiltinName name, ir::ExprPtr a, ir::ExprPtr b) {
            std::vector<ir::ExprPtr> args;
            args.push_back(std::move(a));
            args.push_back(std::move(b));
            return ir::applied(name, Scalar::int64, std::move(args), span);
        };
        const auto end_of_inner = [&] {
            return ir::binary(BinaryOp::Sub, ir::clone(*loop.stop), number(reach.above), span);
        };
        const Wide inner = start + reach.below;
        std::optional<ir::Stmt> last;
        if (reach.above > 0) last = edge(call("max", number(inner), end_of_inner()), ir::clone(*loop.stop));
        if (reach.below > 0) result.push_back(edge(number(start), call("min", number(inner), ir::clone(*loop.stop))));
        open(reach);
        retired_.push_back(std::exchange(loop.start, number(inner)));
        if (reach.above > 0) retired_.push_back(std::exchange(loop.stop, end_of_inner()));
        result.push_back(std::move(stmt));
        if (last) result.push_back(std::move(*last));
    }

    const ir::Module& module_;
    ir::Function& function_;
    const Ranges& ranges_;
    bool has_split_ = false;
    std::vector<ir::ExprPtr> retired_;  ///< kept: ranges_ knows nodes by address, so no address may serve twice
};

}  // namespace

void split_rings(const ir::Module& module, ir::Function& function, Ranges& ranges) {
    Splitter splitter(module, function, ranges);
    splitter.block(function.body);
    if (splitter.has_split()) ranges = Ranges(module, function);
}

}  // namespace pyk
