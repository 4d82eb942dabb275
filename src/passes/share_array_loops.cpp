#include "passes/share_array_loops.h"

#include <algorithm>
#include <set>

#include "ir/build.h"
#include "ir/iterations.h"
#include "ir/walk.h"
#include "passes/array_nest.h"
#include "passes/usage.h"

namespace pyk {
namespace {

using Loops = std::vector<const ir::ForRange*>;

bool is_counter(ir::LocalId id, const Loops& loops) {
    return std::ranges::any_of(loops, [&](const ir::ForRange* loop) { return loop->counter == id; });
}

/// Looks at what a nest reads.
struct Reading {
    std::vector<ir::LocalId> arrays = {};
    bool at_counters_alone = true;  ///< of each array the element at the counters, and the counters for nothing else
    bool reads_arrays = false;

    Reading(const Loops& loops, std::vector<const ir::Expr*> exprs) {
        size_t at_counters = 0, counters = 0, elements = 0, uses = 0;
        for (const ir::Expr* whole : exprs)
            ir::for_each_expr_deep(*whole, [&](const ir::Expr& expr) {
                if (const auto* ref = expr.as<ir::LocalRef>()) {
                    counters += is_counter(ref->id, loops);
                    uses += expr.type.is_array();
                }
                const auto* element = expr.as<ir::Element>();
                if (!element) return;
                const ir::LocalId* array = local_of(element->array);
                if (!array || !is_at(element->indices, {loops})) {
                    at_counters_alone = false;
                    return;
                }
                ++elements;
                at_counters += element->indices.size();
                if (std::ranges::find(arrays, *array) == arrays.end()) arrays.push_back(*array);
            });
        at_counters_alone &= counters == at_counters && uses == elements;
        reads_arrays = uses > 0;
    }
};

/// Loops from 0 by 1, of which each but the last has nothing but the next one in it.
Loops nest_at(const ir::Function& function, const ir::Stmt& stmt) {
    Loops loops;
    const auto* loop = stmt.as<ir::ForRange>();
    while (loop) {
        const bool is_whole = loop->orelse.empty() && ir::integer_value(*loop->start) == 0 &&
                              ir::integer_value(*loop->step) == 1 && is_compilers_loop(function, *loop);
        if (!is_whole) return {};
        loops.push_back(loop);
        loop = loop->body.size() == 1 ? loop->body.front().as<ir::ForRange>() : nullptr;
    }
    return loops;
}

/// The locals that a nest assigns and what becomes of them; nullopt: it does more than building up numbers.
std::optional<std::vector<ir::Reduction>> reductions_of(const ir::Module& module, const ir::Function& function,
                                                        const Loops& loops) {
    const ir::Block& body = loops.back()->body;
    std::set<ir::LocalId> assigned;
    bool is_plain = !body.empty();
    ir::for_each_stmt(body, [&](const ir::Stmt& stmt) {
        const auto* assign = stmt.as<ir::Assign>();
        is_plain &= assign || stmt.as<ir::If>();
        if (assign) assigned.insert(assign->target);
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) { is_plain &= !is_action(ir::effects_of(module, expr)); });
    });
    for (const ir::ForRange* loop : loops)
        ir::for_each_expr_deep(*loop->stop, [&](const ir::Expr& expr) {
            const auto* ref = expr.as<ir::LocalRef>();
            is_plain &= !ref || (!assigned.contains(ref->id) && !is_counter(ref->id, loops));
        });
    if (!is_plain) return std::nullopt;
    std::vector<ir::Reduction> reductions;
    const ir::Exposed exposed(body);
    for (const ir::LocalId id : assigned) {
        const ir::Local& local = function.local(id);
        if (local.storage != ir::Storage::temporary || !local.type.is_scalar()) return std::nullopt;
        const auto kind = ir::reduction_in(body, id);
        if (kind)
            reductions.push_back({id, *kind});
        else if (exposed.reads(id) || count_reads(function.body, id) != count_reads(body, id))
            return std::nullopt;
    }
    return reductions.empty() ? std::nullopt : std::optional(reductions);
}

class Sharing {
  public:
    Sharing(const ir::Module& module, const ir::Function& function) : module_(module), function_(function) {}

    void share(ir::Block& block) const {
        for (ir::Stmt& stmt : block) {
            auto* loop = stmt.as<ir::ForRange>();
            if (loop && loop->is_parallel) continue;
            if (loop && (shares_stores(stmt, *loop) || shares_sums(stmt, *loop))) continue;
            ir::for_each_block(stmt, [&](ir::Block& inner) { share(inner); });
        }
    }

  private:
    bool shares_stores(const ir::Stmt& stmt, ir::ForRange& loop) const {
        if (!shared_nest_of(function_, stmt)) return false;
        loop.is_parallel = !is_action(ir::effects_of(module_, *array_nest_of(stmt)->store->value));
        return true;
    }

    bool shares_sums(const ir::Stmt& stmt, ir::ForRange& loop) const {
        const Loops loops = nest_at(function_, stmt);
        if (loops.empty()) return false;
        auto reductions = reductions_of(module_, function_, loops);
        if (!reductions) return false;
        loop.is_parallel = true;
        loop.reductions = std::move(*reductions);
        return true;
    }

    const ir::Module& module_;
    const ir::Function& function_;
};

}  // namespace

bool is_compilers_loop(const ir::Function& function, const ir::ForRange& loop) {
    return function.local(loop.counter).storage == ir::Storage::temporary;
}

std::optional<SharedNest> shared_nest_of(const ir::Function& function, const ir::Stmt& stmt) {
    const auto nest = array_nest_of(stmt);
    const auto is_own = [&](const ir::ForRange* loop) { return is_compilers_loop(function, *loop); };
    if (!nest || !std::ranges::all_of(nest->loops, is_own)) return std::nullopt;
    const Reading reading(nest->loops, {nest->store->value.get()});
    const bool is_counted = nest->loops.size() == 1 && !reading.reads_arrays;  // such as np.arange
    if (!reading.at_counters_alone && !is_counted) return std::nullopt;
    SharedNest shared{nest->loops, {nest->target}};
    for (const ir::LocalId array : reading.arrays)
        if (array != nest->target) shared.arrays.push_back(array);
    return shared;
}

std::optional<SharedNest> shared_sums_of(const ir::Function& function, const ir::Stmt& stmt) {
    const auto* first = stmt.as<ir::ForRange>();
    Loops loops = nest_at(function, stmt);
    if (!first || !first->is_parallel || first->reductions.empty() || loops.empty()) return std::nullopt;
    std::vector<const ir::Expr*> exprs;
    ir::for_each_stmt(loops.back()->body, [&](const ir::Stmt& inner) {
        ir::for_each_expr(inner, [&](const ir::Expr& expr) { exprs.push_back(&expr); });
    });
    Reading reading(loops, std::move(exprs));
    return SharedNest{std::move(loops), std::move(reading.arrays), false, reading.at_counters_alone};
}

void share_array_loops(const ir::Module& module, ir::Function& function) {
    if (function.parallel) Sharing(module, function).share(function.body);
}

}  // namespace pyk
