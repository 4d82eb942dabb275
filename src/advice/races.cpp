// Threads of one launch that write one element.

#include <algorithm>
#include <set>
#include <tuple>

#include "advice/advice.h"
#include "advice/clamped_places.h"
#include "advice/counting_loops.h"
#include "advice/lone_threads.h"
#include "advice/race_findings.h"
#include "advice/scattered_updates.h"
#include "advice/shifted_updates.h"
#include "advice/updates.h"
#include "ir/build.h"
#include "ir/doers.h"
#include "ir/walk.h"

namespace pyk {
namespace {

bool leaves(const ir::Block& block) {
    bool found = false;
    ir::for_each_stmt(block, [&](const ir::Stmt& stmt) { found |= ir::is_jump(stmt); });
    return found;
}

/// Whether it does, or may do, more than give a value.
bool acts(const ir::Expr& expr) {
    bool found = false;
    ir::for_each_expr_deep(expr, [&](const ir::Expr& e) {
        const auto* call = e.as<ir::BuiltinCall>();
        found = found || e.as<ir::Call>() || (call && any(call->builtin->effects));
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

/// What is the same for all that is looked at for one kernel.
struct Search {
    const ir::Module& module;
    const ir::Doers &writers, &waiters, &askers;
    RaceFindings& findings;
    ThreadAxes read;  ///< by the kernel: along them there are several threads
    bool is_guess;    ///< it reads none: only what an atomic is for is found
    /// Calls that were looked at.
    std::set<std::tuple<ir::FunctionId, std::vector<Spread>, Alone>> seen = {};
};

/// A kernel, or a function as one call of a kernel's reaches it.
class Races {
  public:
    /// `arguments`: a kernel's are the same for all threads; `alone`: in all of the function.
    Races(const ir::Function& function, Search& search, const std::vector<Spread>& arguments, Alone alone)
        : function_(function),
          search_(search),
          variables_(function, search.askers),
          clamped_(variables_),
          loops_(search.module, variables_),
          alone_(alone) {
        for (size_t i = 0; i < arguments.size(); ++i) variables_.spreads.add(function.params[i], arguments[i]);
    }

    void find() {
        do {
            changed_ = false;
            body();
        } while (changed_);
        reports_ = true;
        body();
        for (const size_t i : shifted_updates(own_updates_)) search_.findings.add(own_findings_[i]);
    }

  private:
    /// `axes`: threads that differ along them may come here differently often.
    struct Path {
        ThreadAxes axes = 0;
        Alone alone;
        const ir::Expr* condition = nullptr;  ///< of the `if` whose branch it is
        bool is_for_neighbours = true;        ///< where a thread comes, those beside it do, but at a bound
    };

    Spread spread_of(const ir::Expr& expr) const { return variables_.spreads.of(expr); }
    Spread spread_of(const std::vector<ir::Index>& indices) const { return variables_.spreads.of(indices); }
    void add(ir::LocalId local, Spread spread) { changed_ |= variables_.spreads.add(local, spread); }

    // --- the way through the statements
    void body() {
        gone_ = alone_;
        block(function_.body, {});
    }
    void block(const ir::Block& block, const Path& path) {
        for (const ir::Stmt& stmt : block) statement(stmt, path);
    }
    /// One that not every path goes through, or several times.
    void branch(const ir::Block& inner, const Path& path) {
        loaded_.enter();
        block(inner, path);
        loaded_.leave();
    }

    void statement(const ir::Stmt& stmt, const Path& path) {
        if (reports_)
            ir::for_each_expr(stmt, [&](const ir::Expr& expr) {
                calls(expr, path);
                barriers_ += any(ir::effects_of(search_.module, expr) & Effects::barrier);
            });
        if (const auto* n = stmt.as<ir::Assign>()) {
            Spread spread = spread_of(*n->value);
            spread.uneven |= path.axes;
            add(n->target, spread);
            loaded_.assign(n->target, *n->value);
        } else if (const StoredPlace place = StoredPlace::of(stmt); place.base) {
            if (reports_) store(stmt, place, path);
        } else if (const auto* n = stmt.as<ir::Evaluate>()) {
            const auto* call = n->value->as<ir::Call>();
            if (call && search_.waiters.contains(call->callee)) gone_ = {kAllAxes};  // it takes a lock
        } else if (const auto* n = stmt.as<ir::If>()) {
            branches(*n, path);
        } else if (const auto* n = stmt.as<ir::While>()) {
            const ThreadAxes axes = path.axes | spread_of(*n->condition).axes();
            if (acts(*n->condition)) gone_ = {kAllAxes};  // it waits for a lock
            for (const ir::Block* inner : {&n->body, &n->orelse})
                branch(*inner, {axes, path.alone, nullptr, path.is_for_neighbours});
        } else if (const auto* n = stmt.as<ir::ForRange>()) {
            rounds(*n, path);
        }
    }

    void branches(const ir::If& n, const Path& path) {
        const Alone where_true = alone_where(*n.condition, true, variables_);
        const Alone where_false = alone_where(*n.condition, false, variables_);
        const ThreadAxes axes = path.axes | spread_of(*n.condition).axes();
        const bool is_for_neighbours = path.is_for_neighbours && is_bound(*n.condition);
        branch(n.then, {axes, path.alone | where_true, n.condition.get(), is_for_neighbours});
        branch(n.otherwise, {axes, path.alone | where_false, n.condition.get(), is_for_neighbours});
        // `if t != 0: return`: what follows runs for some threads only.
        if (leaves(n.then)) gone_ = gone_ | where_false;
        if (leaves(n.otherwise)) gone_ = gone_ | where_true;
    }

    void rounds(const ir::ForRange& n, const Path& path) {
        Spread counter = spread_of(*n.start).with(spread_of(*n.step));
        const ThreadAxes axes = path.axes | counter.axes() | spread_of(*n.stop).axes();
        if (const ThreadAxes own = axes_of_own_rows(n, variables_))
            counter = {own};
        else
            counter.uneven |= axes;
        add(n.counter, counter);
        loops_.enter(n);
        branch(n.body, {axes, path.alone, nullptr, path.is_for_neighbours});
        loops_.leave();
        branch(n.orelse, {path.axes, path.alone, nullptr, path.is_for_neighbours});
    }

    void calls(const ir::Expr& expr, const Path& path) {
        if (search_.module.functions.size() == 1) return;  // there are none
        ir::for_each_expr_deep(expr, [&](const ir::Expr& e) {
            const auto* call = e.as<ir::Call>();
            if (!call || !search_.writers.contains(call->callee)) return;
            std::vector<Spread> arguments;
            for (const ir::ExprPtr& argument : call->args) arguments.push_back(spread_of(*argument));
            const Alone alone = gone_ | path.alone;
            if (search_.seen.emplace(call->callee, arguments, alone).second)
                Races(search_.module.function(call->callee), search_, arguments, alone).find();
        });
    }

    /// What a thread computes of its place in floating point, which says little of what its neighbours have.
    bool is_computed_real(const ir::Expr& expr) const {
        return expr.type.is_float() && !expr.as<ir::Convert>() && spread_of(expr).axes();
    }

    /// `i < n`, `w[0] > 0`: what threads beside each other mostly find alike. Not `i % 2 == 0`, nor `flags[i]`, nor
    /// `x * x < r` of a real `x`, by which threads search.
    bool is_bound(const ir::Expr& condition) const {
        if (const auto* n = condition.as<ir::Logical>()) return is_bound(*n->lhs) && is_bound(*n->rhs);
        const Spread spread = spread_of(condition);
        if (!spread.axes()) return true;
        const auto* n = condition.as<ir::Binary>();
        if (!n || !is_comparison(n->op) || n->op == BinaryOp::Eq) return false;
        if (is_computed_real(*n->lhs) || is_computed_real(*n->rhs)) return false;
        const Spread both = spread_of(*n->lhs).with(spread_of(*n->rhs));
        return !both.repeated && !both.loaded;
    }

    // --- what is written
    void store(const ir::Stmt& stmt, const StoredPlace& place, const Path& path) {
        const ir::LocalRef* const root = ir::base_local(*place.base);
        if (!root) return;
        Spread spread = spread_of(*place.base);
        if (place.indices) spread = spread.with(spread_of(*place.indices));
        // What another element's index was is no longer known of variables.
        static const LoadOrigins kNone;
        const bool lasts = has_lasting_indices(place);
        const LoadOrigins& held = lasts ? loaded_.held() : kNone;
        const bool is_update = !loaded_.is_copy(*place.value) && place.is_read_by(*place.value, held);
        const bool is_conditional = path.condition && place.is_read_by(*path.condition, held);
        const bool is_extreme = is_conditional && spread_of(*place.value).axes();
        const Alone alone = gone_ | path.alone;
        const ThreadAxes apart = spread.apart | (spread.axes() ? alone.among_others : ThreadAxes(0));
        const ThreadAxes clamped = is_update && place.indices ? clamped_.axes(place) : ThreadAxes(0);
        const ThreadAxes together = search_.read & ~(alone.surely | (apart & ~clamped));
        RaceFinding finding{stmt.span, &function_, root->id, of_many(together, spread), std::nullopt};
        if (!is_update && !is_extreme) {
            if (path.is_for_neighbours && !spread.loaded && is_told_apart(*place.value, together))
                search_.findings.add(finding);
            return;
        }
        if (spread.loaded && !spread.repeated && are_places_unique(place, loaded_, variables_)) return;
        finding.atomic = atomic_for(place, loaded_, together && is_extreme ? path.condition : nullptr);
        if (together) {
            if (!search_.is_guess || finding.atomic != kNoAtomic) search_.findings.add(finding);
        } else if (is_update && place.indices && lasts && path.is_for_neighbours && alone == Alone() &&
                   !(spread_of(*place.base).axes() & kBlockAxes)) {
            finding.who = "several threads may";
            own_findings_.push_back(finding);
            own_updates_.push_back({place.base, thread_place(*place.indices, loops_.at_start()),
                                    thread_place(*place.indices, loops_.in_round()), loops_.around(), barriers_});
        }
    }

    /// Who comes to one place. `place`: how it differs between threads.
    static std::string_view of_many(ThreadAxes together, Spread place) {
        return place.loaded                ? "several threads may"
               : !(together & kBlockAxes)  ? "threads of several blocks"
               : place.axes() & kBlockAxes ? "several threads may"
                                           : "all threads of a block";
    }

    /// Whether a value is another for threads that differ along the axes: computed of what each reads for itself, not
    /// of what threads tell each other (shared memory, shuffles, atomics) or what a loop made, which may end alike.
    bool is_told_apart(const ir::Expr& value, ThreadAxes axes) const {
        const Spread spread = spread_of(value);
        return ((spread.apart | spread.loaded) & axes) && !spread.repeated && is_computed(value, 0);
    }
    bool is_computed(const ir::Expr& value, int depth) const {
        if (const auto* element = value.as<ir::Element>())
            return !is_own_memory(*element->array) && !spread_of(element->indices).repeated &&
                   std::ranges::all_of(element->indices,
                                       [&](const ir::Index& index) { return is_computed(*index.value, depth); });
        if (const auto* local = value.as<ir::LocalRef>()) {
            const ir::Expr* const known = value_of(value, variables_.assigned);
            return known ? depth < kMostNames && is_computed(*known, depth + 1)
                         : has_one_value(local->id, variables_.assigned);
        }
        const auto* call = value.as<ir::BuiltinCall>();
        if (value.as<ir::Call>() || (call && !axes_of(*call->builtin) && any(call->builtin->effects))) return false;
        bool all = true;
        ir::for_each_child(value, [&](const ir::Expr& child) { all = all && is_computed(child, depth); });
        return all;
    }

    /// A thread's own, or a block's.
    bool is_own_memory(const ir::Expr& array) const {
        const ir::LocalRef* const root = ir::base_local(array);
        if (!root) return false;
        const ir::Storage storage = function_.local(root->id).storage;
        const ir::Expr* const made = value_of(root->id, variables_.assigned);
        return storage == ir::Storage::shared || storage == ir::Storage::local || (made && is_part_of_shared(*made));
    }

    /// Whether its indices, and what they are read from, are one thing wherever the variables are read.
    bool has_lasting_indices(const StoredPlace& place) const {
        bool lasts = true;
        const auto look = [&](const ir::Expr& expr) {
            const auto* local = expr.as<ir::LocalRef>();
            lasts = lasts && (!local || has_one_value(local->id, loops_.in_round()));
        };
        ir::for_each_expr_deep(*place.base, look);
        if (place.indices)
            for (const ir::Index& index : *place.indices) ir::for_each_expr_deep(*index.value, look);
        return lasts;
    }

    const ir::Function& function_;
    Search& search_;
    ThreadVariables variables_;
    LoadedVariables loaded_;
    ClampedPlaces clamped_;
    CountingLoops loops_;
    size_t barriers_ = 0;  ///< that were passed
    std::vector<OwnUpdate> own_updates_;
    std::vector<RaceFinding> own_findings_;  ///< of these, if other threads make them too
    const Alone alone_;
    Alone gone_;  ///< other threads are gone, at another iteration, or never came
    bool changed_ = false, reports_ = false;
};

}  // namespace

void advise_on_races(const ir::Module& module, Diagnostics& diagnostics) {
    const ir::Doers writers(module, has_store);
    const ir::Doers waiters(module, waits);
    const ir::Doers askers(module, asks_threads);
    RaceFindings findings;
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
        Search search{module, writers, waiters, askers, findings, read, is_guess};
        Races(function, search, {}, {}).find();
    }
    findings.report(diagnostics);
}

}  // namespace pyk
