#include "passes/ranges.h"

#include <optional>
#include <utility>

#include "ir/build.h"
#include "ir/table.h"
#include "ir/walk.h"
#include "passes/builtin_ranges.h"
#include "passes/comparison.h"
#include "passes/range_facts.h"
#include "passes/range_state.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// Rounds through a loop before every local that it assigns is given up, and the nesting from which on that is done at
/// once.
constexpr int kRounds = 5;
constexpr int kNesting = 4;

/// The states after a condition that held, and that did not.
struct Branches {
    RangeState yes, no;
};

/// Where `break` and `continue` of a loop lead.
struct LoopExits {
    RangeState breaks, continues;
};

}  // namespace

class RangeAnalysis {
  public:
    RangeAnalysis(const ir::Module& module, const ir::Function& function, Ranges& result)
        : module_(module), function_(function), result_(result), counters_(counters_of(module, function)) {
        for (const ir::Local& local : function.locals)
            state_.add(local.storage == ir::Storage::parameter ? of_parameter(local)
                       : is_whole(local.type)                  ? Interval{}
                                                               : all_of(local.type));
        block(function.body);
    }

  private:
    // Statements: each takes state_ from before to after.
    void block(const ir::Block& block) {
        for (const ir::Stmt& stmt : block) std::visit([&](const auto& node) { run(stmt, node); }, stmt.node);
    }
    void run(const ir::Stmt&, const ir::Assign& n) {
        const Interval value = eval(*n.value);
        const auto place = rehearsals_ ? std::nullopt : place_of(*n.value);
        state_.assign(n.target, value, state_.offset_of(module_, *n.value));
        if (place && *place) state_.assume_place(n.target, **place);
    }
    void run(const ir::Stmt& stmt, const ir::Store& n) {
        eval_parts(stmt);
        note_places(*n.array, n.indices);
    }
    void run(const ir::Stmt& stmt, const ir::StoreField&) { eval_parts(stmt); }
    void run(const ir::Stmt& stmt, const ir::Evaluate&) { eval_parts(stmt); }
    void run(const ir::Stmt&, const ir::If& n);
    void run(const ir::Stmt& stmt, const ir::While& n);
    void run(const ir::Stmt& stmt, const ir::ForRange& n);
    void run(const ir::Stmt&, const ir::Break&) { leave(exits_->breaks); }
    void run(const ir::Stmt&, const ir::Continue&) { leave(exits_->continues); }
    void run(const ir::Stmt& stmt, const ir::Return&) {
        eval_parts(stmt);
        state_.reachable = false;
    }
    void run(const ir::Stmt&, const ir::Raise&) { state_.reachable = false; }
    void run(const ir::Stmt&, const ir::Try& n);
    void run(const ir::Stmt& stmt, const ir::Print&) { eval_parts(stmt); }
    void eval_parts(const ir::Stmt& stmt) {
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) { eval(expr); });
    }
    void leave(RangeState& to) {
        to.join(state_);
        state_.reachable = false;
    }
    RangeState nowhere() const {
        RangeState state = state_;
        state.reachable = false;
        return state;
    }

    template <typename Round>
    RangeState loop(const LocalSet& assigned, const ir::Block& orelse, const Round& round,
                    const std::optional<RangeState>& end = std::nullopt);
    template <typename Round>
    std::optional<RangeState> go_through(const ir::While& n, const LocalSet& assigned, const Round& round);
    template <typename Round>
    void rehearse(const Round& round);
    template <typename Round>
    void stabilise(const LocalSet& assigned, const Round& round);
    template <typename Round>
    void tighten(const RangeState& entry, RangeState end, const Round& round);
    void give_up(const LocalSet& assigned);
    std::optional<std::pair<ir::LocalId, Interval>> kept_bound(const ir::ForRange& n, const LocalSet& assigned);
    Interval counter_range(const ir::ForRange& n);
    void assume_counter(const ir::ForRange& n, const LocalSet& assigned);

    // Expressions: their interval, which is noted.
    Interval eval(const ir::Expr& expr);
    Interval value(const ir::Expr&, const ir::Constant& n, Type type) { return of_value(n.value, type); }
    Interval value(const ir::Expr&, const ir::ConstantRef& n, Type type) {
        if (!type.is_scalar()) return all_of(type);
        return of_value(module_.constants[static_cast<size_t>(n.id)].value, type);
    }
    Interval value(const ir::Expr&, const ir::LocalRef& n, Type) { return state_[n.id]; }
    Interval value(const ir::Expr&, const ir::Unary& n, Type type);
    Interval value(const ir::Expr&, const ir::Binary& n, Type type);
    Interval value(const ir::Expr& expr, const ir::Logical&, Type type);
    Interval value(const ir::Expr&, const ir::Convert& n, Type type) {
        return converted(eval(*n.operand), n.operand->type, type);
    }
    Interval value(const ir::Expr&, const ir::Select& n, Type);
    Interval value(const ir::Expr&, const ir::BuiltinCall& n, Type type);
    Interval value(const ir::Expr& expr, const ir::ShapeOf&, Type type) { return extent(expr, type); }
    Interval value(const ir::Expr& expr, const ir::SizeOf&, Type type) { return extent(expr, type); }
    Interval value(const ir::Expr& expr, const ir::Call&, Type type) { return unknown(expr, type); }
    Interval value(const ir::Expr& expr, const ir::MakeTuple&, Type type) { return unknown(expr, type); }
    Interval value(const ir::Expr& expr, const ir::TupleItem& n, Type type) {
        const Interval any = unknown(expr, type);
        const bool of_threads = n.tuple->type.tuple_kind() == TupleKind::dim3;
        return of_threads ? Interval{0, std::numeric_limits<int32_t>::max()} : any;
    }
    Interval value(const ir::Expr& expr, const ir::TupleAt& n, Type type) {
        const Interval any = unknown(expr, type);
        const ir::Table* table = table_of(*n.tuple);
        return table && type.is_integer() ? items_of(*table, type) : any;
    }
    Interval value(const ir::Expr& expr, const ir::Element& n, Type type) { return element(expr, n, type); }
    Interval value(const ir::Expr& expr, const ir::ElementRef& n, Type type) { return element(expr, n, type); }
    Interval value(const ir::Expr& expr, const ir::View&, Type type) { return unknown(expr, type); }
    Interval value(const ir::Expr& expr, const ir::Transpose&, Type type) { return unknown(expr, type); }
    Interval value(const ir::Expr& expr, const ir::RecordField&, Type type) { return unknown(expr, type); }
    Interval value(const ir::Expr& expr, const ir::FieldsOf&, Type type) { return unknown(expr, type); }
    Interval unknown(const ir::Expr& expr, Type type) {
        ir::for_each_child(expr, [&](const ir::Expr& child) { eval(child); });
        return all_of(type);
    }
    Interval extent(const ir::Expr& expr, Type type) {
        unknown(expr, type);
        return {0, is_small(expr) ? kMostInIndex32 : kMostElements, false, {1, 0, 1}};
    }
    /// An extent of an array that the launch of an index32 kernel has seen.
    bool is_small(const ir::Expr& extent) const {
        const auto* shape = extent.as<ir::ShapeOf>();
        const auto* size = extent.as<ir::SizeOf>();
        const auto* ref = shape ? shape->array->as<ir::LocalRef>() : size ? size->array->as<ir::LocalRef>() : nullptr;
        return function_.index32 && ref && function_.local(ref->id).storage == ir::Storage::parameter;
    }
    template <typename Node>
    Interval element(const ir::Expr& expr, const Node& n, Type type) {
        const Interval any = unknown(expr, type);
        note_places(*n.array, n.indices);
        const ir::Table* table = table_of(*n.array);
        return table && type.is_integer() ? items_of(*table, type) : any;
    }
    const ir::Table* table_of(const ir::Expr& array) const {
        const auto* ref = array.as<ir::ConstantRef>();
        return ref ? module_.constants[static_cast<size_t>(ref->id)].table.get() : nullptr;
    }
    Interval note(const ir::Expr& expr, const Interval& interval);
    std::optional<Place> place_of(const ir::Expr& expr) const;
    std::optional<Place> both(const std::optional<Place>& a, const std::optional<Place>& b) const;
    void note_places(const ir::Expr& array, const std::vector<ir::Index>& indices);

    // Conditions.
    Branches branches(const ir::Expr& condition);
    Branches branches_of(const ir::Logical& n);
    Branches branches_of(const ir::Binary& n);
    Branches branches_of_truth(const ir::Expr& condition);
    Interval at_hand(const RangeState& state, const ir::Expr& expr) const;
    void constrain(RangeState& state, const ir::Expr& expr, Interval allowed);
    void constrain_difference(RangeState& state, Type type, const ir::Binary& n, Interval allowed);
    void assume_differences(RangeState& state, const ir::Expr& lhs, BinaryOp op, const ir::Expr& rhs);

    const ir::Module& module_;
    const ir::Function& function_;
    Ranges& result_;
    const LocalSet counters_;
    RangeState state_;
    LoopExits* exits_ = nullptr;
    int nesting_ = 0;
    int rehearsals_ = 0;  ///< rounds through loops around whose heads are not stable: nothing is noted
};

// --- statements -----------------------------------------------------------------------------------------------------
void RangeAnalysis::run(const ir::Stmt&, const ir::If& n) {
    Branches ways = branches(*n.condition);
    state_ = std::move(ways.yes);
    block(n.then);
    std::swap(state_, ways.no);
    block(n.otherwise);
    state_.join(ways.no);
}

/// The handler runs after any part of the body.
void RangeAnalysis::run(const ir::Stmt&, const ir::Try& n) {
    RangeState other = state_;
    block(n.body);
    std::swap(state_, other);
    give_up(assigned_in(function_, n.body));
    block(n.handler);
    state_.join(other);
}

void RangeAnalysis::run(const ir::Stmt&, const ir::While& n) {
    const auto round = [&] {
        Branches ways = branches(*n.condition);
        state_ = std::move(ways.yes);
        block(n.body);
        return std::move(ways.no);
    };
    const LocalSet assigned = assigned_in(function_, n.body);
    const auto end = nesting_ == 0 ? go_through(n, assigned, round) : std::nullopt;
    state_ = loop(assigned, n.orelse, round, end);
}

/// `d = 512; while d > 0: … d //= 2; offset *= 2`: where the rounds of a loop follow from numbers, each is gone through
/// by itself. Then state_ is the head of all of them, and what is given the one at which the loop ends; nullopt: they
/// do not, and it is as it was.
template <typename Round>
std::optional<RangeState> RangeAnalysis::go_through(const ir::While& n, const LocalSet& assigned, const Round& round) {
    constexpr int kMostRounds = 64;
    if (!follows_from_numbers(*n.condition, state_, assigned)) return std::nullopt;
    const RangeState before = state_;
    RangeState heads = state_, last = state_;
    bool ends = false;
    ++rehearsals_;
    ++nesting_;
    for (int i = 0; i < kMostRounds && !ends && follows_from_numbers(*n.condition, state_, assigned); ++i) {
        last = state_;
        rehearse(round);
        ends = !state_.reachable;
        heads.join(state_);
    }
    --nesting_;
    --rehearsals_;
    state_ = ends ? std::move(heads) : before;
    return ends ? std::optional(std::move(last)) : std::nullopt;
}

/// Takes state_ from the head of a loop to its next head.
template <typename Round>
void RangeAnalysis::rehearse(const Round& round) {
    LoopExits exits{nowhere(), nowhere()};
    LoopExits* outer = std::exchange(exits_, &exits);
    round();
    exits_ = outer;
    state_.join(exits.continues);
}

void RangeAnalysis::run(const ir::Stmt& stmt, const ir::ForRange& n) {
    eval_parts(stmt);
    const LocalSet assigned = assigned_in(function_, n.body);
    const Interval counter = counter_range(n);
    const auto bound = kept_bound(n, assigned);
    const auto round = [&] {
        RangeState done = state_;
        state_.assign(n.counter, counter);
        assume_counter(n, assigned);
        if (bound) state_.set(bound->first, bound->second);
        block(n.body);
        return done;
    };
    state_ = loop(assigned, n.orelse, round);
    state_.assign(n.counter, all_of(function_.local(n.counter).type));
}

/// Of `range(n)`: in the loop there is a number below `n`, and nobody counts further than a place in memory. nullopt:
/// the loop does not end at a variable that stays as it is.
std::optional<std::pair<ir::LocalId, Interval>> RangeAnalysis::kept_bound(const ir::ForRange& n,
                                                                          const LocalSet& assigned) {
    const auto* stop = n.stop->as<ir::LocalRef>();
    if (!stop || !n.stop->type.is_integer() || eval(*n.step).lo < 0 || assigned.contains(stop->id)) return std::nullopt;
    const Interval start = eval(*n.start);
    Interval bound = state_[stop->id];
    bound.lo = std::max(bound.lo, start.lo + 1);
    bound.place = greater_of(bound.place, counter_of(start));
    if (bound.lo > bound.hi) return std::nullopt;
    return std::pair(stop->id, bound);
}

/// From `start` towards `stop`, which it does not reach. A step's unknown sign allows both directions.
Interval RangeAnalysis::counter_range(const ir::ForRange& n) {
    const Interval start = eval(*n.start), stop = eval(*n.stop), step = eval(*n.step);
    const Interval up = {start.lo, std::max(start.lo, stop.hi - 1)}, down = {std::min(stop.lo + 1, start.hi), start.hi};
    const Interval either = step.lo >= 0 ? up : step.hi <= 0 ? down : hull(up, down);
    Interval counter = meet(either, all_of(function_.local(n.counter).type));
    counter.place = counter_of(start);
    return counter;
}

/// In the loop, of which state_ is the head: the counter is between its bounds, where these stay what they are.
void RangeAnalysis::assume_counter(const ir::ForRange& n, const LocalSet& assigned) {
    const Interval step = eval(*n.step);
    if (step.lo < 0 && step.hi > 0) return;
    const Offset counter{{.local = n.counter}};
    const auto is_kept = [&](const Term& term) {
        return term.builtin || (!assigned.contains(term.local) && term.local != n.counter);
    };
    const auto start = state_.offset_of(module_, *n.start), stop = state_.offset_of(module_, *n.stop);
    const bool up = step.lo >= 0;
    if (start && is_kept(start->term)) state_.assume_difference(up ? counter : *start, up ? *start : counter, 0);
    if (stop && is_kept(stop->term)) state_.assume_difference(up ? *stop : counter, up ? counter : *stop, 1);
}

/// `round` runs the body once from the loop's head in state_, leaves the state at its end there, and returns the state
/// in which the loop ends by itself, unless `end` says it better: state_ is the head of every round then. Gives the
/// state after the loop.
template <typename Round>
RangeState RangeAnalysis::loop(const LocalSet& assigned, const ir::Block& orelse, const Round& round,
                               const std::optional<RangeState>& end) {
    ++nesting_;
    state_.forget_differences(assigned);
    if (nesting_ > kNesting)
        give_up(assigned);
    else if (!end)
        stabilise(assigned, round);
    LoopExits exits{nowhere(), nowhere()};
    LoopExits* outer = std::exchange(exits_, &exits);
    RangeState done = round();
    exits_ = outer;
    --nesting_;
    state_ = end ? *end : std::move(done);
    block(orelse);
    state_.join(exits.breaks);
    return state_;
}

/// Widens state_, the loop's head, until the body keeps it.
template <typename Round>
void RangeAnalysis::stabilise(const LocalSet& assigned, const Round& round) {
    ++rehearsals_;
    const RangeState entry = state_;
    for (int i = 0;; ++i) {
        const RangeState head = state_;
        rehearse(round);
        RangeState next = head;
        next.join(state_);
        next.widen(head, function_, counters_);
        const bool is_stable = next.has_same_locals(head);
        const RangeState end = std::exchange(state_, std::move(next));
        if (is_stable) {
            tighten(entry, end, round);
            break;
        }
        if (i < kRounds) continue;
        give_up(assigned);
        break;
    }
    --rehearsals_;
}

/// A stable head that bounds were let go for. What is less for one local may leave less in others.
template <typename Round>
void RangeAnalysis::tighten(const RangeState& entry, RangeState end, const Round& round) {
    for (int i = 0; i < kRounds && state_.tighten(entry, end); ++i) {
        const RangeState head = state_;
        rehearse(round);
        end = std::exchange(state_, head);
    }
}

void RangeAnalysis::give_up(const LocalSet& assigned) {
    for (size_t i = 0; i < state_.size(); ++i) {
        const auto id = static_cast<ir::LocalId>(i);
        if (!assigned.contains(id)) continue;
        Interval all = all_of(function_.local(id).type);
        all.grown = true;
        state_.set(id, all);
    }
    state_.forget_differences(assigned);
}

// --- expressions ----------------------------------------------------------------------------------------------------
/// What the expression and its type say already is not kept.
Interval RangeAnalysis::note(const ir::Expr& expr, const Interval& interval) {
    if (!rehearsals_ && is_whole(expr.type) && !expr.as<ir::Constant>() && interval != all_of(expr.type))
        result_.known_.set(&expr, interval);
    return interval;
}

Interval RangeAnalysis::eval(const ir::Expr& expr) {
    return note(expr, std::visit([&](const auto& node) { return value(expr, node, expr.type); }, expr.node));
}

Interval RangeAnalysis::value(const ir::Expr&, const ir::Unary& n, Type type) {
    const Interval operand = eval(*n.operand);
    return is_whole(type) ? apply(n.op, operand, type) : all_of(type);
}

Interval RangeAnalysis::value(const ir::Expr&, const ir::Binary& n, Type type) {
    const Interval lhs = eval(*n.lhs), rhs = eval(*n.rhs);
    if (!type.is_integer()) return all_of(type);
    const bool is_sum = n.op == BinaryOp::Add && state_.knows_sums();
    if (n.op != BinaryOp::Sub && !is_sum) return apply(n.op, lhs, rhs, type);
    const auto a = state_.offset_of(module_, *n.lhs), b = state_.offset_of(module_, *n.rhs);
    if (!a || !b) return apply(n.op, lhs, rhs, type);
    return is_sum ? difference(lhs, {-rhs.hi, -rhs.lo, rhs.grown, rhs.place}, state_.difference(*a, -*b), type)
                  : difference(lhs, rhs, state_.difference(*a, *b), type);
}

/// The right operand is evaluated where the left one let it be.
Interval RangeAnalysis::value(const ir::Expr& expr, const ir::Logical&, Type type) {
    RangeState before = state_;
    branches(expr);
    state_ = std::move(before);
    return all_of(type);
}

Interval RangeAnalysis::value(const ir::Expr&, const ir::Select& n, Type) {
    RangeState before = state_;
    Branches ways = branches(*n.condition);
    state_ = std::move(ways.yes);
    const Interval then = eval(*n.then);
    state_ = std::move(ways.no);
    const Interval otherwise = eval(*n.otherwise);
    state_ = std::move(before);
    return hull(then, otherwise);
}

Interval RangeAnalysis::value(const ir::Expr&, const ir::BuiltinCall& n, Type type) {
    std::vector<Interval> args;
    for (const ir::ExprPtr& arg : n.args) args.push_back(eval(*arg));
    return range_of(*n.builtin, args, type, function_.index32);
}

// --- places ---------------------------------------------------------------------------------------------------------
/// Where the expression, which was evaluated, is not negative; nullopt: it may be anywhere.
std::optional<Place> RangeAnalysis::place_of(const ir::Expr& expr) const {
    if (!expr.type.is_integer()) return std::nullopt;
    if (result_.never_negative(expr)) return Place();
    if (const auto* ref = expr.as<ir::LocalRef>()) return state_.place_of(ref->id);
    if (const auto offset = state_.offset_of(module_, expr); offset && offset->plus == -1) return offset->term;
    if (const auto* select = expr.as<ir::Select>()) return both(place_of(*select->then), place_of(*select->otherwise));
    const auto* call = ir::call_of(expr, "min");
    if (!call) return std::nullopt;
    std::optional<Place> place = Place();
    for (const ir::ExprPtr& arg : call->args) place = both(place, place_of(*arg));
    return place;
}

/// Of what is one of two places.
std::optional<Place> RangeAnalysis::both(const std::optional<Place>& a, const std::optional<Place>& b) const {
    if (!a || !b) return std::nullopt;
    if (!*a || *a == *b) return b;
    if (!*b || state_.difference({**b}, {**a}).lo >= 0) return a;
    return state_.difference({**a}, {**b}).lo >= 0 ? b : std::nullopt;
}

void RangeAnalysis::note_places(const ir::Expr& array, const std::vector<ir::Index>& indices) {
    const auto* ref = array.as<ir::LocalRef>();
    if (!ref || rehearsals_) return;
    for (int axis = 0; const ir::Index& index : indices) {
        const Term extent{.local = ref->id, .part = axis++};
        if (!index.wraps || result_.never_negative(*index.value)) continue;
        const auto place = place_of(*index.value);
        if (place && *place && state_.difference({**place}, {extent}).lo >= 0)
            result_.places_.set(index.value.get(), true);
    }
}

// --- conditions -----------------------------------------------------------------------------------------------------
Branches RangeAnalysis::branches(const ir::Expr& condition) {
    if (const auto* logical = condition.as<ir::Logical>()) return branches_of(*logical);
    const auto* binary = condition.as<ir::Binary>();
    if (binary && is_comparison(binary->op)) return branches_of(*binary);
    const auto* unary = condition.as<ir::Unary>();
    if (!unary || unary->op != UnaryOp::Not) return branches_of_truth(condition);
    Branches ways = branches(*unary->operand);
    return {std::move(ways.no), std::move(ways.yes)};
}

Branches RangeAnalysis::branches_of(const ir::Logical& n) {
    Branches lhs = branches(*n.lhs);
    state_ = std::move(n.is_and ? lhs.yes : lhs.no);
    Branches rhs = branches(*n.rhs);
    if (n.is_and)
        rhs.no.join(lhs.no);
    else
        rhs.yes.join(lhs.yes);
    return rhs;
}

Branches RangeAnalysis::branches_of(const ir::Binary& n) {
    const Interval lhs = eval(*n.lhs), rhs = eval(*n.rhs);
    Branches ways{state_, state_};
    if (!is_whole(n.lhs->type)) return ways;
    auto assume = [&](RangeState& state, BinaryOp op) {
        constrain(state, *n.lhs, allowed(lhs, op, rhs));
        constrain(state, *n.rhs, allowed(rhs, swapped(op), lhs));
        assume_differences(state, *n.lhs, op, *n.rhs);
    };
    assume(ways.yes, n.op);
    assume(ways.no, negated(n.op));
    return ways;
}

/// A literal, or a number's truth: it is not zero.
Branches RangeAnalysis::branches_of_truth(const ir::Expr& condition) {
    const Interval truth = eval(condition);
    Branches ways{state_, state_};
    ways.yes.reachable = ways.yes.reachable && truth.hi != 0;
    ways.no.reachable = ways.no.reachable && truth.lo == 0;
    const auto* convert = condition.as<ir::Convert>();
    if (!convert || !convert->operand->type.is_integer()) return ways;
    const Interval number = at_hand(state_, *convert->operand);
    constrain(ways.yes, *convert->operand, allowed(number, BinaryOp::Ne, {0, 0}));
    constrain(ways.no, *convert->operand, {0, 0});
    return ways;
}

/// What is known without evaluating anything again.
Interval RangeAnalysis::at_hand(const RangeState& state, const ir::Expr& expr) const {
    const auto* ref = expr.as<ir::LocalRef>();
    return ref ? state[ref->id] : all_of(expr.type);
}

/// Takes over that an expression's value is within an interval, down to the local that it is made of.
void RangeAnalysis::constrain(RangeState& state, const ir::Expr& expr, Interval allowed) {
    if (const auto* ref = expr.as<ir::LocalRef>()) {
        const Interval both = meet(state[ref->id], allowed);
        if (both.lo > both.hi)
            state.reachable = false;
        else
            state.set(ref->id, both);
        return;
    }
    if (const auto* convert = expr.as<ir::Convert>()) {
        const Type from = convert->operand->type;
        if (from.is_integer() && expr.type.is_integer() && fits(at_hand(state, *convert->operand), expr.type))
            constrain(state, *convert->operand, allowed);
        return;
    }
    const auto* binary = expr.as<ir::Binary>();
    if (!binary) return;
    if (const auto addend = small_addend(module_, *binary, expr.type))
        return constrain(state, *binary->lhs, {allowed.lo - *addend, allowed.hi - *addend});
    if (const auto divisor = small_divisor(module_, *binary))
        return constrain(state, *binary->lhs, {allowed.lo * *divisor, allowed.hi * *divisor + *divisor - 1});
    if (binary->op == BinaryOp::Sub || binary->op == BinaryOp::Add)
        constrain_difference(state, expr.type, *binary, allowed);
}

void RangeAnalysis::constrain_difference(RangeState& state, Type type, const ir::Binary& n, Interval allowed) {
    const auto a = state.offset_of(module_, *n.lhs), b = state.offset_of(module_, *n.rhs);
    if (!a || !b) return;
    const Interval lhs = state.values_of(*a), rhs = state.values_of(*b);
    const bool is_sum = n.op == BinaryOp::Add;
    if (!fits(is_sum ? Interval{lhs.lo + rhs.lo, lhs.hi + rhs.hi} : Interval{lhs.lo - rhs.hi, lhs.hi - rhs.lo}, type))
        return;
    const Offset taken = is_sum ? -*b : *b;
    state.assume_difference(*a, taken, allowed.lo);
    state.assume_difference(taken, *a, -allowed.hi);
}

/// Takes over what a comparison that held says of two integers that change.
void RangeAnalysis::assume_differences(RangeState& state, const ir::Expr& lhs, BinaryOp op, const ir::Expr& rhs) {
    const auto a = state.offset_of(module_, lhs), b = state.offset_of(module_, rhs);
    if (!a || !b) return;
    const bool is_less = op == BinaryOp::Lt, is_greater = op == BinaryOp::Gt;
    if (is_less || op == BinaryOp::Le || op == BinaryOp::Eq) state.assume_difference(*b, *a, is_less);
    if (is_greater || op == BinaryOp::Ge || op == BinaryOp::Eq) state.assume_difference(*a, *b, is_greater);
}

Interval Ranges::of(const ir::Expr& expr) const {
    if (const Interval* known = known_.find(&expr)) return *known;
    const auto* constant = expr.as<ir::Constant>();
    return constant ? of_value(constant->value, expr.type) : all_of(expr.type);
}

Ranges::Ranges(const ir::Module& module, const ir::Function& function) { RangeAnalysis(module, function, *this); }

void convert_known(ir::ExprPtr& expr, Type type, const Interval& values, Ranges& ranges) {
    if (const auto value = ir::integer_value(*expr); value && expr->as<ir::Constant>()) {
        *expr = std::move(*ir::integer(*value, type, expr->span));
        return;
    }
    const Span span = expr->span;
    expr = ir::make(type, span, ir::Convert{std::move(expr)});
    ranges.set(*expr, values);
}

}  // namespace pyk
