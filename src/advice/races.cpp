// Threads of one launch that write one element.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "advice/advice.h"
#include "advice/shifted_updates.h"
#include "advice/updates.h"
#include "ir/build.h"
#include "ir/doers.h"
#include "ir/same_expr.h"
#include "ir/thread_spread.h"
#include "ir/walk.h"

namespace pyk {
namespace {

bool leaves(const ir::Block& block) {
    bool found = false;
    ir::for_each_stmt(block, [&](const ir::Stmt& stmt) {
        found =
            found || stmt.as<ir::Return>() || stmt.as<ir::Break>() || stmt.as<ir::Continue>() || stmt.as<ir::Raise>();
    });
    return found;
}

/// Whether it waits for other threads: `while cuda.atomic.compare_and_swap(…) != 0`, or in the loop.
bool waits(const ir::Block& block) {
    bool found = false;
    ir::for_each_stmt(block, [&](const ir::Stmt& stmt) {
        const auto* loop = stmt.as<ir::While>();
        if (!loop) return;
        const auto look = [&](const ir::Expr& expr) {
            const auto* call = expr.as<ir::BuiltinCall>();
            found = found || (call && any(call->builtin->effects & Effects::atomic));
        };
        ir::for_each_expr_deep(*loop->condition, look);
        ir::for_each_expr_deep(loop->body, look);
    });
    return found;
}

/// An update that another thread may undo, or a store that it may replace.
struct Finding {
    Span span;
    const ir::Function* function;
    const ir::LocalRef* array;
    std::string_view who;
    std::optional<std::string_view> atomic;  ///< that makes the update; none: what was there is not read
};

/// Those of one array in one function have one cause and one cure: of hundreds of such lines the first are shown.
void report(const std::vector<Finding>& findings, Diagnostics& diagnostics) {
    constexpr size_t kShown = 3;
    using Kind = std::tuple<const ir::Function*, ir::LocalId, std::optional<std::string_view>>;
    const auto kind = [](const Finding& finding) { return Kind(finding.function, finding.array->id, finding.atomic); };
    std::map<Kind, std::vector<Span>> all;
    std::map<Kind, size_t> shown;
    for (const Finding& finding : findings) all[kind(finding)].push_back(finding.span);
    for (const Finding& finding : findings) {
        const std::vector<Span>& like = all[kind(finding)];
        size_t& told = shown[kind(finding)];
        if (told == kShown) continue;
        ++told;
        const std::string_view array = finding.function->local(finding.array->id).name;
        if (finding.atomic)
            diagnostics.report(diag::race, finding.span, finding.who, array, *finding.atomic);
        else
            diagnostics.report(diag::store_race, finding.span, finding.who, array);
        if (told < kShown || like.size() == kShown) continue;
        diagnostics.note(like[kShown], like.size() == kShown + 1
                                           ? "here is one more like it"
                                           : fmt::format("here is the first of {} more like it, the last in line {}",
                                                         like.size() - kShown, like.back().line()));
    }
}

/// What is the same for all that is looked at for one kernel.
struct Search {
    const ir::Module& module;
    const ir::Doers &writers, &waiters, &askers;
    std::vector<Finding>& findings;
    ThreadAxes read;  ///< by the kernel: along them there are several threads
    bool is_guess;    ///< it reads none: only what an atomic is for is found
    /// One finding for each statement, which an unrolled loop has several times.
    std::set<std::pair<const ir::Function*, uint32_t>>& reported;
    /// Calls that were looked at.
    std::set<std::tuple<ir::FunctionId, std::vector<ThreadAxes>, ThreadAxes, ThreadAxes>> seen = {};
};

/// The axes along which but one thread comes to a place; and along which one of several that share a value does, as by
/// `i % 32 == 0`: enough where they write to what is theirs.
struct Alone {
    ThreadAxes surely = 0, among_others = 0;

    friend Alone operator|(Alone a, Alone b) {
        return {static_cast<ThreadAxes>(a.surely | b.surely), static_cast<ThreadAxes>(a.among_others | b.among_others)};
    }
    friend Alone operator&(Alone a, Alone b) {
        return {static_cast<ThreadAxes>(a.surely & b.surely), static_cast<ThreadAxes>(a.among_others & b.among_others)};
    }
};

/// A kernel, or a function as one call of a kernel's reaches it.
class Races {
  public:
    /// `alone`: in all of the function.
    Races(const ir::Function& function, Search& search, Alone alone)
        : function_(function), search_(search), spreads_(function, search.askers), gone_(alone) {}

    void set_parameter(size_t index, Spread spread) { spreads_.add(function_.params[index], spread); }

    void find() {
        const Alone alone = gone_;
        do {
            changed_ = false;
            gone_ = alone;
            block(function_.body, {});
        } while (changed_);
        reports_ = true;
        gone_ = alone;
        block(function_.body, {});
        for (const size_t i : shifted_updates(own_updates_, assigned_, starts_)) add_finding(own_findings_[i]);
    }

  private:
    /// `axes`: threads that differ along them may come here differently often.
    struct Path {
        ThreadAxes axes = 0;
        Alone alone;
        const ir::Expr* condition = nullptr;  ///< of the `if` whose branch it is
        bool is_for_neighbours = true;        ///< where a thread comes, those beside it do, but at a bound
    };

    void add(ir::LocalId local, Spread spread) { changed_ |= spreads_.add(local, spread); }

    /// Who is alone where a condition is true, or false: of `t == 0` one thread where it is true, of `t > 0` where it
    /// is false, of `i < n` none. `depth`: of variables that are looked through, which may stand for each other.
    Alone singled_out(const ir::Expr& condition, bool holds, int depth = 0) const {
        constexpr int kDeepest = 8;
        if (const auto* n = condition.as<ir::Logical>()) {
            const Alone lhs = singled_out(*n->lhs, holds, depth), rhs = singled_out(*n->rhs, holds, depth);
            return n->is_and == holds ? lhs | rhs : lhs & rhs;
        }
        if (const auto* n = condition.as<ir::Unary>(); n && n->op == UnaryOp::Not)
            return singled_out(*n->operand, !holds, depth);
        if (const auto* n = condition.as<ir::LocalRef>(); n && depth < kDeepest)
            if (const auto found = assigned_.find(n->id); found != assigned_.end() && found->second)
                return singled_out(*found->second, holds, depth + 1);
        const auto* n = condition.as<ir::Binary>();
        if (!n || !is_comparison(n->op)) return of_spread(spreads_.of(condition));
        if (!is_equality(*n, holds)) return {};
        const Alone one = of_spread(spreads_.of(*n->lhs)), other = of_spread(spreads_.of(*n->rhs));
        // Of `i == j` one is given by the other.
        return {static_cast<ThreadAxes>(one.surely & other.surely ? 0
                                        : one.surely              ? one.surely
                                                                  : other.surely),
                static_cast<ThreadAxes>(one.among_others | other.among_others)};
    }

    static Alone of_spread(Spread spread) { return {spread.apart, spread.repeated}; }

    /// Whether a comparison that is true, or false, says what a number is: `t < 1` does where it is true.
    static bool is_equality(const ir::Binary& n, bool holds) {
        const auto right = ir::integer_value(*n.rhs), left = ir::integer_value(*n.lhs);
        switch (n.op) {
            case BinaryOp::Eq:
                return holds;
            case BinaryOp::Ne:
                return !holds;
            case BinaryOp::Lt:  // t < 1, not 0 < t
                return holds ? right == 1 : left == 0;
            case BinaryOp::Le:  // t <= 0, not 1 <= t
                return holds ? right == 0 : left == 1;
            case BinaryOp::Gt:  // 1 > t, not t > 0
                return holds ? left == 1 : right == 0;
            case BinaryOp::Ge:  // 0 >= t, not t >= 1
                return holds ? left == 0 : right == 1;
            default:
                return false;
        }
    }

    void block(const ir::Block& block, Path path) {
        for (const ir::Stmt& stmt : block) statement(stmt, path);
    }
    /// One that not every path goes through, or several times.
    void branch(const ir::Block& inner, Path path) {
        variables_.enter();
        block(inner, path);
        variables_.leave();
    }

    void statement(const ir::Stmt& stmt, Path path) {
        if (reports_ && search_.module.functions.size() > 1)  // else there are no calls
            ir::for_each_expr(stmt, [&](const ir::Expr& expr) { calls(expr, path); });
        if (reports_)
            ir::for_each_expr(stmt, [&](const ir::Expr& expr) {
                barriers_ += any(ir::effects_of(search_.module, expr) & Effects::barrier);
            });
        if (const auto* n = stmt.as<ir::Assign>()) {
            Spread spread = spreads_.of(*n->value);
            spread.uneven |= path.axes;
            add(n->target, spread);
            const auto [known, is_new] = assigned_.emplace(n->target, n->value.get());
            if (!is_new && known->second != n->value.get()) known->second = nullptr;
            variables_.assign(n->target, *n->value);
        } else if (const StoredPlace place = StoredPlace::of(stmt); place.base) {
            if (reports_) store(stmt, place, path);
        } else if (const auto* n = stmt.as<ir::Evaluate>()) {
            const auto* call = n->value->as<ir::Call>();
            if (call && search_.waiters.contains(call->callee)) gone_ = {kAllAxes};  // it takes a lock
        } else if (const auto* n = stmt.as<ir::If>()) {
            add_tested(*n->condition);
            const Alone where_true = singled_out(*n->condition, true), where_false = singled_out(*n->condition, false);
            const auto axes = static_cast<ThreadAxes>(path.axes | spreads_.of(*n->condition).axes());
            const bool is_for_neighbours = path.is_for_neighbours && is_bound(*n->condition);
            branch(n->then, {axes, path.alone | where_true, n->condition.get(), is_for_neighbours});
            branch(n->otherwise, {axes, path.alone | where_false, n->condition.get(), is_for_neighbours});
            // `if t != 0: return`: what follows runs for some threads only.
            if (leaves(n->then)) gone_ = gone_ | where_false;
            if (leaves(n->otherwise)) gone_ = gone_ | where_true;
        } else if (const auto* n = stmt.as<ir::While>()) {
            add_tested(*n->condition);
            const Path inner{static_cast<ThreadAxes>(path.axes | spreads_.of(*n->condition).axes()), path.alone,
                             nullptr, path.is_for_neighbours};
            // A loop that waits for a lock.
            if (acts(*n->condition)) gone_ = {kAllAxes};
            branch(n->body, inner);
            branch(n->orelse, inner);
        } else if (const auto* n = stmt.as<ir::ForRange>()) {
            Spread counter = spreads_.of(*n->start).with(spreads_.of(*n->step));
            const ThreadAxes axes = path.axes | counter.axes() | spreads_.of(*n->stop).axes();
            if (const ThreadAxes own = between_offsets(*n->start, *n->stop))
                counter = {own};
            else
                counter.uneven |= axes;
            add(n->counter, counter);
            const auto counting = counting_loop(*n);
            if (counting) loops_.push_back(*counting);
            if (spreads_.of(*n->start).axes()) starts_.emplace(n->counter, n->start.get());
            const ir::Assign* const named = name_of_counter(*n);
            const AssignedOnce around = counted_;
            if (named) counted_[named->target] = named->value.get();
            branch(n->body, {axes, path.alone, nullptr, path.is_for_neighbours});
            counted_ = around;
            if (counting) loops_.pop_back();
            branch(n->orelse, {path.axes, path.alone, nullptr, path.is_for_neighbours});
        }
    }

    /// `range(offsets[i], offsets[i + 1])`: the rows of a sparse matrix, each the thread's own. The axes that `i` tells
    /// apart.
    ThreadAxes between_offsets(const ir::Expr& start, const ir::Expr& stop) const {
        const auto* first = element_of(start);
        const auto* next = element_of(stop);
        if (!first || !next || !ir::is_same(*first->array, *next->array)) return 0;
        const auto* step = next->indices.back().value->as<ir::Binary>();
        const Spread place = spreads_.of(first->indices);
        const auto is_next_to = [&](const ir::Expr& place, const ir::Expr& one) {
            return ir::is_same(place, *first->indices.back().value) && ir::integer_value(one) == 1;
        };
        const bool is_next = step && step->op == BinaryOp::Add && !place.repeated && !place.loaded &&
                             (is_next_to(*step->lhs, *step->rhs) || is_next_to(*step->rhs, *step->lhs));
        return is_next ? place.apart : ThreadAxes(0);
    }

    /// Of a variable too that is assigned once.
    const ir::Element* element_of(const ir::Expr& expr) const {
        if (const auto* n = expr.as<ir::Convert>()) return element_of(*n->operand);
        const auto* local = expr.as<ir::LocalRef>();
        const auto found = local ? assigned_.find(local->id) : assigned_.end();
        if (found != assigned_.end() && found->second) return found->second->as<ir::Element>();
        return expr.as<ir::Element>();
    }

    /// What a thread computes of its place in floating point, which says little of what its neighbours have.
    bool is_computed_real(const ir::Expr& expr) const {
        return expr.type.is_float() && !expr.as<ir::Convert>() && spreads_.of(expr).axes();
    }

    /// `i < n`, `w[0] > 0`: what threads beside each other mostly find alike. Not `i % 2 == 0`, nor `flags[i]`, nor
    /// `x * x < r` of a real `x`, by which threads search.
    bool is_bound(const ir::Expr& condition) const {
        if (const auto* n = condition.as<ir::Logical>()) return is_bound(*n->lhs) && is_bound(*n->rhs);
        const Spread spread = spreads_.of(condition);
        if (!spread.axes()) return true;
        const auto* n = condition.as<ir::Binary>();
        if (!n || !is_comparison(n->op) || n->op == BinaryOp::Eq) return false;
        if (is_computed_real(*n->lhs) || is_computed_real(*n->rhs)) return false;
        const Spread both = spreads_.of(*n->lhs).with(spreads_.of(*n->rhs));
        return !both.repeated && !both.loaded;
    }

    /// `for j in …`: what gives `j` the counter, if the body gives it nothing else. Other loops may have a `j` as well.
    static const ir::Assign* name_of_counter(const ir::ForRange& loop) {
        const auto* first = loop.body.empty() ? nullptr : loop.body.front().as<ir::Assign>();
        const auto* counter = first ? ir::without_conversions(*first->value).as<ir::LocalRef>() : nullptr;
        if (!counter || counter->id != loop.counter) return nullptr;
        size_t assignments = 0;
        ir::for_each_stmt(loop.body, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            assignments += assign && assign->target == first->target;
        });
        return assignments == 1 ? first : nullptr;
    }

    /// nullopt: threads wait for each other in it, or share it out.
    std::optional<CountingLoop> counting_loop(const ir::ForRange& loop) const {
        const auto step = ir::integer_value(*loop.step), start = ir::integer_value(*loop.start),
                   stop = ir::integer_value(*loop.stop);
        const bool waits = any(ir::effects_of(search_.module, loop.body) & Effects::barrier);
        if (!step || *step == 0 || waits) return std::nullopt;
        // `range(i, n)` goes where the next thread begins; `range(i, n, 32)` may be as many steps as there are threads.
        const Spread begins = spreads_.of(*loop.start);
        const bool is_common_end = !spreads_.of(*loop.stop).axes();
        if (begins.axes() && (begins.axes() != begins.apart || std::abs(*step) != 1 || !is_common_end))
            return std::nullopt;
        const bool is_known = start && stop;
        if (!is_known) return CountingLoop{loop.counter, *step, INT64_MAX};
        const __int128 rounds = (__int128{*stop} - *start + *step - (*step > 0 ? 1 : -1)) / *step;
        return CountingLoop{loop.counter, *step, static_cast<int64_t>(std::min<__int128>(rounds, INT64_MAX))};
    }

    static bool acts(const ir::Expr& expr) {
        bool found = false;
        ir::for_each_expr_deep(expr, [&](const ir::Expr& e) {
            const auto* call = e.as<ir::BuiltinCall>();
            found = found || e.as<ir::Call>() || (call && any(call->builtin->effects));
        });
        return found;
    }

    void calls(const ir::Expr& expr, const Path& path) {
        ir::for_each_expr_deep(expr, [&](const ir::Expr& e) {
            const auto* call = e.as<ir::Call>();
            if (!call) return;
            const ir::Function& callee = search_.module.function(call->callee);
            if (!search_.writers.contains(call->callee)) return;
            const Alone alone = gone_ | path.alone;
            Races inner(callee, search_, alone);
            std::vector<ThreadAxes> key;
            for (size_t i = 0; i < call->args.size(); ++i) {
                const Spread spread = spreads_.of(*call->args[i]);
                inner.set_parameter(i, spread);
                key.insert(key.end(), {spread.apart, spread.repeated, spread.loaded, spread.uneven, spread.moved});
            }
            if (search_.seen.insert({call->callee, key, alone.surely, alone.among_others}).second) inner.find();
        });
    }

    void add_tested(const ir::Expr& condition) {
        ir::for_each_expr_deep(condition, [&](const ir::Expr& expr) {
            if (const auto* local = expr.as<ir::LocalRef>()) tested_.insert(local->id);
        });
    }

    /// The axes along which a number tells threads apart up to a bound only, at which the others meet: `min(i, 10)`,
    /// `max(i - 3, 0)`. Not those of `end = min(i * 4, n)`, where tests ask about `end`.
    ThreadAxes meet_at_bound(const ir::Expr& expr, int depth = 0) const {
        constexpr int kDeepest = 8;
        if (const auto* n = expr.as<ir::Convert>()) return meet_at_bound(*n->operand, depth);
        if (const auto* n = expr.as<ir::LocalRef>()) {
            const auto known = assigned_.find(n->id);
            const bool is_one = known != assigned_.end() && known->second && !tested_.contains(n->id);
            return is_one && depth < kDeepest ? meet_at_bound(*known->second, depth + 1) : ThreadAxes(0);
        }
        if (const auto* n = expr.as<ir::Binary>()) {
            const ThreadAxes left = meet_at_bound(*n->lhs, depth), right = meet_at_bound(*n->rhs, depth);
            return static_cast<ThreadAxes>((left & ~spreads_.of(*n->rhs).axes()) |
                                           (right & ~spreads_.of(*n->lhs).axes()));
        }
        const auto* call = expr.as<ir::BuiltinCall>();
        const bool is_most = call && is_minimum(*call->builtin), is_least = call && is_maximum(*call->builtin);
        if ((!is_most && !is_least) || call->args.size() != 2) return 0;
        const bool is_first = spreads_.of(*call->args[0]).axes();
        const ir::Expr &value = *call->args[is_first ? 0 : 1], &bound = *call->args[is_first ? 1 : 0];
        if (spreads_.of(bound).axes()) return 0;
        const Spread spread = spreads_.of(value);
        const auto known = ir::integer_value(bound);
        const auto* local = ir::without_conversions(value).as<ir::LocalRef>();
        // No index is below 0 by itself; and one that a test keeps below `n` needs no `min(i, n - 1)`.
        const bool is_beyond =
            spread.moved || (is_least ? known && *known > 0 : known || !local || !tested_.contains(local->id));
        return static_cast<ThreadAxes>((is_beyond ? spread.apart : 0) | meet_at_bound(value, depth));
    }

    /// Of the place of an update.
    ThreadAxes meet_at_bound(const StoredPlace& place) const {
        ThreadAxes met = 0, apart = spreads_.of(*place.base).apart;
        for (const ir::Index& index : *place.indices) {
            const ThreadAxes here = meet_at_bound(*index.value);
            met |= here;
            apart |= spreads_.of(*index.value).apart & ~here;
        }
        return static_cast<ThreadAxes>(met & ~apart);
    }

    void store(const ir::Stmt& stmt, const StoredPlace& place, const Path& path) {
        const ir::LocalRef* const root = ir::base_local(*place.base);
        if (!root) return;
        Spread spread = spreads_.of(*place.base);
        if (place.indices) spread = spread.with(spreads_.of(*place.indices));
        const Alone alone = gone_ | path.alone;
        ThreadAxes own = spread.apart | alone.surely | (spread.axes() ? alone.among_others : 0);
        // What another element's index was is no longer known of variables.
        static const LoadOrigins kNone;
        const LoadOrigins& held = has_lasting_indices(place) ? variables_.held() : kNone;
        const bool is_update = !variables_.is_copy(*place.value) && place.is_read_by(*place.value, held);
        const bool is_conditional = path.condition && place.is_read_by(*path.condition, held);
        const bool is_extreme = is_conditional && spreads_.of(*place.value).axes();
        if (is_update && place.indices) own &= ~(meet_at_bound(place) & ~alone.surely);
        const ThreadAxes together = search_.read & ~own;
        if (!is_update && !is_extreme) {
            if (path.is_for_neighbours && !spread.loaded && is_told_apart(*place.value, together))
                add_finding({stmt.span, &function_, root, of_many(together, spread), std::nullopt});
            return;
        }
        if (spread.loaded && !spread.repeated && is_of_its_own(place)) return;
        if (!together) {
            const bool may_meet = is_update && place.indices && path.is_for_neighbours && !alone.surely &&
                                  !alone.among_others && has_lasting_indices(place) &&
                                  !(spreads_.of(*place.base).axes() & kBlockAxes);
            if (!may_meet) return;
            own_updates_.push_back({root, place.base, place.indices, loops_, counted_, barriers_});
            own_findings_.push_back(
                {stmt.span, &function_, root, "several threads may", atomic_for(place, variables_, nullptr)});
            return;
        }
        const std::string_view atomic = atomic_for(place, variables_, is_extreme ? path.condition : nullptr);
        if (search_.is_guess && atomic == kNoAtomic) return;
        add_finding({stmt.span, &function_, root, of_many(together, spread), atomic});
    }

    /// Who comes to one place. `place`: how it differs between threads.
    static std::string_view of_many(ThreadAxes together, Spread place) {
        return !(together & kBlockAxes)    ? "threads of several blocks"
               : place.axes() & kBlockAxes ? "several threads may"
                                           : "all threads of a block";
    }

    /// Whether a value is another for threads that differ along the axes: computed of what each reads for itself, not
    /// of what threads tell each other (shared memory, shuffles, atomics) or what a loop made, which may end alike.
    bool is_told_apart(const ir::Expr& value, ThreadAxes axes) const {
        const Spread spread = spreads_.of(value);
        return ((spread.apart | spread.loaded) & axes) && !spread.repeated && is_computed(value);
    }
    bool is_computed(const ir::Expr& value, int depth = 0) const {
        constexpr int kDeepest = 8;
        if (const auto* element = value.as<ir::Element>()) {
            const ir::LocalRef* const root = ir::base_local(*element->array);
            const ir::Storage storage = root ? function_.local(root->id).storage : ir::Storage::variable;
            const auto made = root ? assigned_.find(root->id) : assigned_.end();
            const bool is_part = made != assigned_.end() && made->second && is_part_of_shared(*made->second);
            const bool is_own = storage == ir::Storage::shared || storage == ir::Storage::local || is_part;
            return !is_own && !spreads_.of(element->indices).repeated &&
                   std::ranges::all_of(element->indices,
                                       [&](const ir::Index& index) { return is_computed(*index.value, depth); });
        }
        if (const auto* local = value.as<ir::LocalRef>()) {
            const auto known = assigned_.find(local->id);
            return known == assigned_.end() ||
                   (known->second && depth < kDeepest && is_computed(*known->second, depth + 1));
        }
        const auto* call = value.as<ir::BuiltinCall>();
        if (value.as<ir::Call>() || (call && !axes_of(*call->builtin) && any(call->builtin->effects))) return false;
        bool all = true;
        ir::for_each_child(value, [&](const ir::Expr& child) { all = all && is_computed(child, depth); });
        return all;
    }

    void add_finding(const Finding& finding) {
        if (search_.reported.emplace(&function_, finding.span.begin).second) search_.findings.push_back(finding);
    }

    /// What a value is made of, but for what the place held.
    struct Parts {
        bool of_place = false;   ///< what other arrays have at the same indices: `vel[p]`
        bool of_thread = false;  ///< what is another thing for each thread
    };
    void add_parts(const ir::Expr& value, const StoredPlace& place, Parts& parts, int depth = 0) const {
        constexpr int kDeepest = 8;
        if (place.is_value_of(value)) return;
        if (const auto* element = value.as<ir::Element>()) {
            const bool is_beside = ir::is_same(element->indices, *place.indices);
            parts.of_place |= is_beside;
            parts.of_thread |= !is_beside && spreads_.of(value).axes();
            return;
        }
        if (const auto* local = value.as<ir::LocalRef>()) {
            const auto known = assigned_.find(local->id);
            if (known != assigned_.end() && known->second && depth < kDeepest)
                return add_parts(*known->second, place, parts, depth + 1);
            parts.of_thread |= spreads_.of(value).axes() != 0;
        }
        if (const auto* call = value.as<ir::BuiltinCall>()) parts.of_thread |= axes_of(*call->builtin) != 0;
        ir::for_each_child(value, [&](const ir::Expr& child) { add_parts(child, place, parts, depth); });
    }

    /// A function's result, perhaps by a variable.
    bool is_call(const ir::Expr& expr) const {
        const ir::Expr& bare = ir::without_conversions(expr);
        const auto* local = bare.as<ir::LocalRef>();
        const auto found = local ? assigned_.find(local->id) : assigned_.end();
        const ir::Expr& value =
            found != assigned_.end() && found->second ? ir::without_conversions(*found->second) : bare;
        return value.as<ir::Call>();
    }

    /// Whether the places that memory holds are hardly meant to come twice, as the update would mean nothing then:
    /// `pos[p] += vel[p]`, `x[p] *= 0.5`, `u[p] = 0.3 * (u[p + 1] - u[p]) + g[i]`; not `bins[p] += 1`, `f[p] += g[i]`,
    /// nor of an index that is computed, `bins[int(x[i] * 10)] *= 2`.
    bool is_of_its_own(const StoredPlace& place) const {
        const auto is_listed = [&](const ir::Index& index) {
            return !spreads_.of(*index.value).loaded || element_of(*index.value) || is_call(*index.value);
        };
        if (!place.indices || !std::ranges::all_of(*place.indices, is_listed)) return false;
        Parts parts;
        add_parts(*place.value, place, parts);
        const auto op = variables_.op_on(*place.value, [&](const ir::Expr& part) { return place.is_value_of(part); });
        const std::string_view atomic = atomic_for(place, variables_, nullptr);
        if (parts.of_thread) return !op && atomic == kNoAtomic;
        const bool is_clamp = atomic == kAtomicMax || atomic == kAtomicMin;
        return atomic == kNoAtomic || is_clamp || parts.of_place;
    }

    /// Whether its indices, and what they are read from, are assigned once at most.
    bool has_lasting_indices(const StoredPlace& place) const {
        bool lasts = true;
        const auto look = [&](const ir::Expr& expr) {
            const auto* local = expr.as<ir::LocalRef>();
            const auto known = local ? assigned_.find(local->id) : assigned_.end();
            lasts = lasts && (known == assigned_.end() || known->second || counted_.contains(local->id));
        };
        ir::for_each_expr_deep(*place.base, look);
        if (place.indices)
            for (const ir::Index& index : *place.indices) ir::for_each_expr_deep(*index.value, look);
        return lasts;
    }

    const ir::Function& function_;
    Search& search_;
    Spreads spreads_;
    LoadedVariables variables_;
    std::map<ir::LocalId, const ir::Expr*> assigned_;  ///< what a variable is assigned; null: more than once
    std::map<ir::LocalId, const ir::Expr*> starts_;    ///< of loops that threads begin at numbers of their own
    std::set<ir::LocalId> tested_;                     ///< variables that conditions ask about
    std::vector<CountingLoop> loops_;                  ///< around the statement
    AssignedOnce counted_;                             ///< names of counters of loops around the statement
    size_t barriers_ = 0;                              ///< that were passed
    std::vector<OwnUpdate> own_updates_;
    std::vector<Finding> own_findings_;  ///< of these, if other threads make them too
    Alone gone_;                         ///< other threads are gone, at another iteration, or never came
    bool changed_ = false, reports_ = false;
};

}  // namespace

void advise_on_races(const ir::Module& module, Diagnostics& diagnostics) {
    const ir::Doers writers(module, has_store);
    const ir::Doers waiters(module, waits);
    const ir::Doers askers(module, asks_threads);
    std::vector<Finding> findings;
    std::set<std::pair<const ir::Function*, uint32_t>> reported;
    for (size_t i = 0; i < module.functions.size(); ++i) {
        const ir::Function& function = module.functions[i];
        // What the host calls runs in one thread.
        const bool is_alone = !function.is_kernel || function.one_thread;
        if (is_alone || !writers.contains(static_cast<ir::FunctionId>(i))) continue;
        ThreadAxes read = axes_read(module, function);
        // Without a loop either it is no kernel that one thread runs for all: `out[0] += x`.
        const bool is_guess = !read && !ir::has_loop(function.body);
        if (is_guess) read = kAllAxes;
        if (!read) continue;
        Search search{module, writers, waiters, askers, findings, read, is_guess, reported};
        Races(function, search, {}).find();
    }
    report(findings, diagnostics);
}

}  // namespace pyk
