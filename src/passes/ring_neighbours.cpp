#include "passes/ring_neighbours.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/same_expr.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// What costs nothing where it is written again.
bool is_plain(const ir::Expr& expr) {
    if (const auto* convert = expr.as<ir::Convert>()) return expr.type.is_scalar() && is_plain(*convert->operand);
    return expr.as<ir::LocalRef>() || expr.as<ir::Constant>() || expr.as<ir::ConstantRef>();
}

class RingNeighbours {
  public:
    RingNeighbours(const ir::Module& module, const ir::Function& function, const Ranges& ranges)
        : module_(module), function_(function), ranges_(ranges) {}

    void block(ir::Block& body) {
        for (ir::Stmt& stmt : body) {
            if (!loops_.empty())
                ir::for_each_expr(
                    stmt, [&](ir::ExprPtr& root) { ir::rewrite(root, [&](ir::ExprPtr& expr) { lower(expr); }); });
            const auto* loop = stmt.as<ir::ForRange>();
            const bool counts = loop && counts_places(*loop);
            if (counts) loops_.push_back(loop);
            ir::for_each_block(stmt, [&](ir::Block& inner) { block(inner); });
            if (counts) loops_.pop_back();
        }
    }
    bool has_replaced() const { return !retired_.empty(); }

  private:
    /// Its counter is at least 0 and below its end, which the body leaves alone.
    bool counts_places(const ir::ForRange& loop) const {
        const auto step = ir::integer_value(module_, *loop.step);
        if (!step || *step <= 0 || ranges_.of(*loop.start).lo < 0 || !loop.orelse.empty()) return false;
        LocalSet changed = assigned_in(function_, loop.body);
        changed.insert(loop.counter);
        return is_invariant(*loop.stop, changed);
    }

    void lower(ir::ExprPtr& expr) {
        const auto* mod = expr->as<ir::Binary>();
        if (!mod || mod->op != BinaryOp::Mod || mod->lhs->type != Type(Scalar::int64)) return;
        const auto is_ring = [&](const ir::ForRange* loop) {
            return ir::is_same(*loop->stop, *mod->rhs) && is_neighbour(*mod->lhs, loop->counter);
        };
        if (std::ranges::any_of(loops_, is_ring)) retired_.push_back(std::exchange(expr, place_on_ring(*mod)));
    }

    bool is_neighbour(const ir::Expr& place, ir::LocalId counter) const {
        const auto* sum = place.as<ir::Binary>();
        if (!sum || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub)) return false;
        const auto is_step = [&](const ir::Expr& expr) {
            const Interval range = ranges_.of(expr);
            return is_plain(expr) && range.lo >= -1 && range.hi <= 1;
        };
        return (ir::is_local(*sum->lhs, counter) && is_step(*sum->rhs)) ||
               (sum->op == BinaryOp::Add && ir::is_local(*sum->rhs, counter) && is_step(*sum->lhs));
    }

    ir::ExprPtr place_on_ring(const ir::Binary& mod) const {
        const auto& sum = *mod.lhs->as<ir::Binary>();
        const Interval lhs = ranges_.of(*sum.lhs), rhs = ranges_.of(*sum.rhs);
        const Interval step = lhs.lo >= -1 && lhs.hi <= 1 ? lhs : rhs;
        const bool adds = sum.op == BinaryOp::Add;
        const bool goes_up = adds ? step.hi > 0 : step.lo < 0, goes_down = adds ? step.lo < 0 : step.hi > 0;
        ir::ExprPtr place = ir::clone(*mod.lhs);
        const Span span = mod.lhs->span;
        const auto number = [&](int64_t value) { return ir::integer(value, Scalar::int64, span); };
        if (goes_down)
            place = select(ir::binary(BinaryOp::Lt, ir::clone(*mod.lhs), number(0), span),
                           ir::binary(BinaryOp::Sub, ir::clone(*mod.rhs), number(1), span), std::move(place));
        if (goes_up)
            place = select(ir::binary(BinaryOp::Eq, ir::clone(*mod.lhs), ir::clone(*mod.rhs), span), number(0),
                           std::move(place));
        return place;
    }

    static ir::ExprPtr select(ir::ExprPtr condition, ir::ExprPtr then, ir::ExprPtr otherwise) {
        const Type type = then->type;
        const Span span = otherwise->span;
        return ir::make(type, span, ir::Select{std::move(condition), std::move(then), std::move(otherwise)});
    }

    const ir::Module& module_;
    const ir::Function& function_;
    const Ranges& ranges_;
    std::vector<const ir::ForRange*> loops_;  ///< around the statement
    std::vector<ir::ExprPtr> retired_;        ///< kept: ranges_ knows nodes by address, so no address may serve twice
};

}  // namespace

void lower_ring_neighbours(const ir::Module& module, ir::Function& function, Ranges& ranges) {
    RingNeighbours rings(module, function, ranges);
    rings.block(function.body);
    if (rings.has_replaced()) ranges = Ranges(module, function);
}

}  // namespace pyk
