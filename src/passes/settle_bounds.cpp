#include "passes/settle_bounds.h"

#include <utility>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// A bound of more nodes is evaluated once, even where it could stay.
constexpr int kCheapNodes = 12;

/// Whether evaluating an expression again, in the loop, is cheap and gives the same.
bool stays(const ir::Expr& expr, const LocalSet& changed) {
    int nodes = 0;
    bool is_cheap = true;
    ir::for_each_expr_deep(expr, [&](const ir::Expr& part) {
        const auto* binary = part.as<ir::Binary>();
        const auto* call = part.as<ir::BuiltinCall>();
        is_cheap = is_cheap && ++nodes <= kCheapNodes && !(binary && !info(binary->op).function.empty()) &&
                   !(call && !call->args.empty());
    });
    return is_cheap && is_invariant(expr, changed);
}

struct Bounds {
    Interval start, stop, step;
    bool goes_up() const { return step.lo > 0; }
    bool goes_down() const { return step.hi < 0; }
    bool is_unit() const { return step.is_single() && (step.lo == 1 || step.lo == -1); }
};

/// Whether the counter may leave its type by the step that ends the loop.
bool may_overflow(const Bounds& bounds, Type type) {
    if (bounds.is_unit()) return false;
    const Wide last = bounds.goes_up() ? bounds.stop.hi - 1 + bounds.step.hi : bounds.stop.lo + 1 + bounds.step.lo;
    return !all_of(type).contains(last);
}

class Settler {
  public:
    Settler(const ir::Module& module, ir::Function& function, const Ranges& ranges)
        : module_(module), function_(function), ranges_(ranges) {}

    /// Inner loops first: ranges_ knows their bounds as they were analysed.
    void block(ir::Block& body) {
        ir::Block result;
        result.reserve(body.size());
        for (ir::Stmt& stmt : body) {
            ir::for_each_block(stmt, [&](ir::Block& inner) { block(inner); });
            if (auto* loop = stmt.as<ir::ForRange>()) settle(*loop, stmt.span, result);
            result.push_back(std::move(stmt));
        }
        body = std::move(result);
    }
    bool has_changed() const { return changed_; }

  private:
    void settle(ir::ForRange& loop, Span span, ir::Block& before) {
        const Bounds bounds{ranges_.of(*loop.start), ranges_.of(*loop.stop), ranges_.of(*loop.step)};
        const bool known = bounds.goes_up() || bounds.goes_down();
        const Type type = function_.local(loop.counter).type;
        if (!known) return count_trips(loop, bounds.step, span, before);
        // What counts its iterations does not pass the end.
        const bool is_counted = bounds.goes_up() && counts_iterations(module_, loop);
        if (may_overflow(bounds, type)) {
            if (type.bits() == 64 && bounds.stop.is_single()) return count_trips(loop, bounds.step, span, before);
            if (type.bits() < 64 && !is_counted) widen_counter(loop);
        }
        keep_plain(loop, span, before);
    }

    // The plain loop.
    void keep_plain(ir::ForRange& loop, Span span, ir::Block& before) {
        const LocalSet changed = changed_by(loop);
        const bool stop_stays = stays(*loop.stop, changed), step_stays = stays(*loop.step, changed);
        if (start_moves(loop, stop_stays, step_stays)) hoist(loop.start, loop, "_start", span, before);
        if (!stop_stays) hoist(loop.stop, loop, "_stop", span, before);
        if (!step_stays) hoist(loop.step, loop, "_step", span, before);
    }

    LocalSet changed_by(const ir::ForRange& loop) const {
        LocalSet changed = assigned_in(function_, loop.body);
        changed.insert(loop.counter);
        return changed;
    }

    /// `start` is evaluated first. It need not be hoisted for that, unless what is hoisted over it would show; and
    /// C++'s `int x = x` is not what the author meant.
    bool start_moves(const ir::ForRange& loop, bool stop_stays, bool step_stays) const {
        if (reads(*loop.start, loop.counter)) return true;
        Effects hoisted = Effects::none;
        if (!stop_stays) hoisted = hoisted | ir::effects_of(module_, *loop.stop);
        if (!step_stays) hoisted = hoisted | ir::effects_of(module_, *loop.step);
        const Effects own = ir::effects_of(module_, *loop.start);
        return (is_action(own) && any(hoisted)) || (is_action(hoisted) && any(own));
    }

    void hoist(ir::ExprPtr& bound, const ir::ForRange& loop, const char* suffix, Span span, ir::Block& before) {
        changed_ = true;
        const ir::LocalId id = add(loop, suffix, bound->type, span);
        ir::ExprPtr value = std::exchange(bound, ir::local(function_, id, span));
        before.push_back({span, ir::Assign{id, std::move(value)}});
    }

    ir::LocalId add(const ir::ForRange& loop, const char* suffix, Type type, Span span) {
        return ir::add_temporary(function_, name_of(loop) + suffix, type, span);
    }

    /// The author's variable, where the loop has one.
    const std::string& name_of(const ir::ForRange& loop) const {
        const auto* assign = loop.body.empty() ? nullptr : loop.body.front().as<ir::Assign>();
        const auto* value = assign ? assign->value->as<ir::LocalRef>() : nullptr;
        return function_.local(value && value->id == loop.counter ? assign->target : loop.counter).name;
    }

    // A wider counter.
    void widen_counter(ir::ForRange& loop) {
        changed_ = true;
        const Type wide = Scalar::int64;
        ir::Local local = function_.local(loop.counter);
        local.type = wide;
        local.maybe_unassigned = false;
        const ir::LocalId counter = ir::add_local(function_, std::move(local));
        for (ir::ExprPtr* bound : {&loop.start, &loop.stop, &loop.step}) *bound = ir::convert(std::move(*bound), wide);
        ir::rewrite(loop.body, [&](ir::ExprPtr& expr) {
            const auto* ref = expr->as<ir::LocalRef>();
            if (ref && ref->id == loop.counter) expr->node = ir::Convert{ir::local(function_, counter, expr->span)};
        });
        loop.counter = counter;
    }

    // A count of iterations.
    void count_trips(ir::ForRange& loop, const Interval& step, Span span, ir::Block& before) {
        changed_ = true;
        const Type type = function_.local(loop.counter).type;
        const LocalSet changed = changed_by(loop);
        if (!stays(*loop.start, changed)) hoist(loop.start, loop, "_start", span, before);
        const bool step_stays = stays(*loop.step, changed);
        if (!step_stays) hoist(loop.stop, loop, "_stop", span, before);
        if (!step_stays) hoist(loop.step, loop, "_step", span, before);
        if (step.contains(0) && !loop.step->as<ir::Constant>()) refuse_zero(loop, span, before);
        ir::ExprPtr length = range_length(loop, span);
        const Type count = length->type;
        const ir::LocalId trips = add(loop, "_trips", count, span), trip = add(loop, "_trip", count, span);
        before.push_back({span, ir::Assign{trips, std::move(length)}});
        ir::ExprPtr done = ir::convert(ir::local(function_, trip, span), type);
        ir::ExprPtr offset = ir::binary(BinaryOp::Mul, std::move(done), std::move(loop.step), span);
        const bool starts_at_zero = ir::integer_value(*loop.start) == 0;
        ir::ExprPtr value = starts_at_zero ? std::move(offset)
                                           : ir::binary(BinaryOp::Add, std::move(loop.start), std::move(offset), span);
        loop.body.insert(loop.body.begin(), {span, ir::Assign{loop.counter, std::move(value)}});
        loop.counter = trip;
        loop.start = ir::integer(0, count, span);
        loop.stop = ir::local(function_, trips, span);
        loop.step = ir::integer(1, count, span);
    }

    // A step of zero is Python's ValueError.
    void refuse_zero(const ir::ForRange& loop, Span span, ir::Block& before) {
        ir::If zero;
        zero.condition = ir::binary(BinaryOp::Eq, ir::clone(*loop.step), ir::integer(0, loop.step->type, span), span);
        zero.then.push_back({span, ir::Raise{"ValueError: range() arg 3 must not be zero"}});
        before.push_back({span, std::move(zero)});
        function_.effects = function_.effects | Effects::ordered;
    }

    static ir::ExprPtr range_length(ir::ForRange& loop, Span span) {
        const Type type = loop.start->type;
        const Type types[] = {type, type, type};
        std::vector<ir::ExprPtr> args;
        args.push_back(ir::clone(*loop.start));
        args.push_back(std::move(loop.stop));
        args.push_back(ir::clone(*loop.step));
        return ir::applied("pyk.range_length", resolve(builtin("pyk.range_length"), types)->result, std::move(args),
                           span);
    }

    const ir::Module& module_;
    ir::Function& function_;
    const Ranges& ranges_;
    bool changed_ = false;
};

}  // namespace

bool counts_iterations(const ir::Module& module, const ir::ForRange& loop) {
    bool has_loop = ir::has_loop(loop.body);
    ir::for_each_expr_deep(loop.body, [&](const ir::Expr& expr) {
        const auto* call = expr.as<ir::Call>();
        has_loop = has_loop || (call && ir::has_loop(module.function(call->callee).body));
    });
    return !ir::integer_value(module, *loop.step) && !ir::integer_value(module, *loop.stop) && !has_loop &&
           !any(ir::effects_of(module, loop.body) & Effects::barrier);
}

void settle_bounds(const ir::Module& module, ir::Function& function, Ranges& ranges) {
    Settler settler(module, function, ranges);
    settler.block(function.body);
    if (settler.has_changed()) ranges = Ranges(module, function);
}

}  // namespace pyk
