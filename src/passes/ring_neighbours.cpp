#include "passes/ring_neighbours.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/same_expr.h"
#include "ir/walk.h"
#include "passes/comparison.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// What costs nothing where it is written again.
bool is_plain(const ir::Expr& expr) {
    if (const auto* convert = expr.as<ir::Convert>()) return expr.type.is_scalar() && is_plain(*convert->operand);
    return expr.as<ir::LocalRef>() || expr.as<ir::Constant>() || expr.as<ir::ConstantRef>();
}

/// A local that is below `end`, which nothing changes while that is known.
struct Place {
    ir::LocalId local;
    const ir::Expr* end;
};

/// `place + step`, or `place - step`, where a step is at most 1.
struct Neighbour {
    const ir::Expr *place, *step;
    bool adds;
};

class RingNeighbours {
  public:
    RingNeighbours(const ir::Module& module, const ir::Function& function, const Ranges& ranges)
        : module_(module), function_(function), ranges_(ranges), usage_(function) {}

    void block(ir::Block& body) {
        const size_t outer = places_.size();
        for (ir::Stmt& stmt : body) {
            if (!places_.empty())
                ir::for_each_expr(
                    stmt, [&](ir::ExprPtr& root) { ir::rewrite(root, [&](ir::ExprPtr& expr) { lower(expr); }); });
            if (auto* branch = stmt.as<ir::If>())
                this->branch(*branch);
            else
                inner_blocks(stmt);
        }
        places_.resize(outer);
    }
    bool has_replaced() const { return !retired_.empty(); }

  private:
    // What is known of places.
    void inner_blocks(ir::Stmt& stmt) {
        const auto* loop = stmt.as<ir::ForRange>();
        const bool counts = loop && counts_places(*loop);
        if (counts) places_.push_back({loop->counter, loop->stop.get()});
        ir::for_each_block(stmt, [&](ir::Block& inner) { block(inner); });
        if (counts) places_.pop_back();
    }

    /// Its counter is at least 0 and below its end, which the body leaves alone.
    bool counts_places(const ir::ForRange& loop) const {
        const auto step = ir::integer_value(module_, *loop.step);
        if (!step || *step <= 0 || ranges_.of(*loop.start).lo < 0 || !loop.orelse.empty()) return false;
        LocalSet changed = assigned_in(function_, loop.body);
        changed.insert(loop.counter);
        return is_invariant(*loop.stop, changed);
    }

    /// Behind a branch that leaves the block its condition does not hold, to the block's end.
    void branch(ir::If& branch) {
        const size_t outer = places_.size();
        learn(*branch.condition, true);
        block(branch.then);
        places_.resize(outer);
        learn(*branch.condition, false);
        block(branch.otherwise);
        if (!ir::ends_in_jump(branch.then) || !branch.otherwise.empty()) places_.resize(outer);
    }

    void learn(const ir::Expr& condition, bool holds) {
        if (const auto* logical = condition.as<ir::Logical>(); logical && logical->is_and == holds) {
            learn(*logical->lhs, holds);
            learn(*logical->rhs, holds);
        }
        const auto* compared = condition.as<ir::Binary>();
        if (!compared || !is_comparison(compared->op) || !compared->lhs->type.is_integer()) return;
        const BinaryOp op = holds ? compared->op : negated(compared->op);
        if (op == BinaryOp::Lt) learn_below(*compared->lhs, *compared->rhs);
        if (op == BinaryOp::Gt) learn_below(*compared->rhs, *compared->lhs);
    }

    void learn_below(const ir::Expr& place, const ir::Expr& end) {
        const auto* ref = place.as<ir::LocalRef>();
        if (ref && is_settled(place) && is_settled(end)) places_.push_back({ref->id, &end});
    }

    /// Of locals that are assigned once: it has one value wherever it can be read.
    bool is_settled(const ir::Expr& expr) {
        bool result = is_invariant(expr, LocalSet(function_));
        ir::for_each_expr_deep(expr, [&](const ir::Expr& part) {
            const auto* ref = part.as<ir::LocalRef>();
            if (!ref) return;
            const ir::Local& local = function_.local(ref->id);
            const uint32_t most = local.storage == ir::Storage::parameter ? 0 : 1;
            result = result && usage_.writes_of(ref->id) <= most && !local.maybe_unassigned;
        });
        return result;
    }

    // What stands on the ring.
    void lower(ir::ExprPtr& expr) {
        const auto* mod = expr->as<ir::Binary>();
        if (!mod || mod->op != BinaryOp::Mod || mod->lhs->type != Type(Scalar::int64)) return;
        const auto neighbour = neighbour_of(*mod->lhs, *mod->rhs);
        if (neighbour && is_on_ring(*neighbour->place, *mod->rhs))
            retired_.push_back(std::exchange(expr, place_on_ring(*neighbour, *mod)));
    }

    bool is_on_ring(const ir::Expr& place, const ir::Expr& size) const {
        return ranges_.of(place).lo >= 0 && std::ranges::any_of(places_, [&](const Place& known) {
                   return ir::is_local(place, known.local) && ir::is_same(*known.end, size);
               });
    }

    /// One that went around once more, `i - 1 + size`, is the same.
    std::optional<Neighbour> neighbour_of(const ir::Expr& sum, const ir::Expr& size) const {
        std::vector<Term> terms;
        add_terms(sum, true, terms);
        if (terms.size() == 3) {
            const auto turn = std::ranges::find_if(
                terms, [&](const Term& term) { return term.is_positive && ir::is_same(*term.expr, size); });
            if (turn != terms.end()) terms.erase(turn);
        }
        if (terms.size() != 2) return std::nullopt;
        for (const auto& [place, step] : {std::pair(terms[0], terms[1]), std::pair(terms[1], terms[0])})
            if (place.is_positive && place.expr->as<ir::LocalRef>() && is_step(*step.expr))
                return Neighbour{place.expr, step.expr, step.is_positive};
        return std::nullopt;
    }

    struct Term {
        const ir::Expr* expr;
        bool is_positive;
    };
    static void add_terms(const ir::Expr& expr, bool is_positive, std::vector<Term>& terms) {
        const auto* sum = expr.as<ir::Binary>();
        const bool adds = sum && sum->op == BinaryOp::Add, subtracts = sum && sum->op == BinaryOp::Sub;
        if (terms.size() > 3 || (!adds && !subtracts)) return terms.push_back({&expr, is_positive});
        add_terms(*sum->lhs, is_positive, terms);
        add_terms(*sum->rhs, adds == is_positive, terms);
    }

    bool is_step(const ir::Expr& expr) const {
        const Interval range = ranges_.of(expr);
        return is_plain(expr) && range.lo >= -1 && range.hi <= 1;
    }

    ir::ExprPtr place_on_ring(const Neighbour& neighbour, const ir::Binary& mod) const {
        const Interval step = ranges_.of(*neighbour.step);
        const bool adds = neighbour.adds;
        const bool goes_up = adds ? step.hi > 0 : step.lo < 0, goes_down = adds ? step.lo < 0 : step.hi > 0;
        const Span span = mod.lhs->span;
        const auto sum = [&] {
            return ir::binary(adds ? BinaryOp::Add : BinaryOp::Sub, ir::clone(*neighbour.place),
                              ir::clone(*neighbour.step), span);
        };
        const auto number = [&](int64_t value) { return ir::integer(value, Scalar::int64, span); };
        ir::ExprPtr place = sum();
        if (goes_down)
            place = select(step.is_single() && neighbour.step->as<ir::Constant>()
                               ? ir::binary(BinaryOp::Eq, ir::clone(*neighbour.place), number(0), span)
                               : ir::binary(BinaryOp::Lt, sum(), number(0), span),
                           ir::binary(BinaryOp::Sub, ir::clone(*mod.rhs), number(1), span), std::move(place));
        if (goes_up)
            place = select(ir::binary(BinaryOp::Eq, sum(), ir::clone(*mod.rhs), span), number(0), std::move(place));
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
    Usage usage_;
    std::vector<Place> places_;         ///< known where the statement stands
    std::vector<ir::ExprPtr> retired_;  ///< kept: ranges_ knows nodes by address, so no address may serve twice
};

}  // namespace

void lower_ring_neighbours(const ir::Module& module, ir::Function& function, Ranges& ranges) {
    RingNeighbours rings(module, function, ranges);
    rings.block(function.body);
    if (rings.has_replaced()) ranges = Ranges(module, function);
}

}  // namespace pyk
