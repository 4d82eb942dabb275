#include "passes/share_array_loops.h"

#include <algorithm>

#include "ir/walk.h"
#include "passes/array_nest.h"

namespace pyk {
namespace {

void share(const ir::Module& module, const ir::Function& function, ir::Block& block) {
    for (ir::Stmt& stmt : block) {
        auto* loop = stmt.as<ir::ForRange>();
        if (loop && loop->is_parallel) continue;
        if (shared_nest_of(function, stmt)) {
            const ArrayNest nest = *array_nest_of(stmt);
            loop->is_parallel = !is_action(ir::effects_of(module, *nest.store->value));
            continue;
        }
        ir::for_each_block(stmt, [&](ir::Block& inner) { share(module, function, inner); });
    }
}

}  // namespace

bool is_compilers_loop(const ir::Function& function, const ir::ForRange& loop) {
    return function.local(loop.counter).storage == ir::Storage::temporary;
}

std::optional<SharedNest> shared_nest_of(const ir::Function& function, const ir::Stmt& stmt) {
    const auto nest = array_nest_of(stmt);
    const auto is_own = [&](const ir::ForRange* loop) { return is_compilers_loop(function, *loop); };
    if (!nest || !std::ranges::all_of(nest->loops, is_own)) return std::nullopt;
    SharedNest shared{nest->loops, {nest->target}};
    size_t at_counters = 0, counters = 0, elements = 0, arrays = 0;
    bool reads_others = false;
    ir::for_each_expr_deep(*nest->store->value, [&](const ir::Expr& expr) {
        if (const auto* ref = expr.as<ir::LocalRef>()) {
            counters +=
                std::ranges::any_of(nest->loops, [&](const ir::ForRange* loop) { return loop->counter == ref->id; });
            arrays += expr.type.is_array();
        }
        const auto* element = expr.as<ir::Element>();
        if (!element) return;
        const ir::LocalId* array = local_of(element->array);
        if (!array || !is_at(element->indices, *nest)) {
            reads_others = true;
            return;
        }
        ++elements;
        at_counters += element->indices.size();
        if (std::ranges::find(shared.arrays, *array) == shared.arrays.end()) shared.arrays.push_back(*array);
    });
    const bool is_elementwise = !reads_others && counters == at_counters && arrays == elements;
    return is_elementwise ? std::optional(shared) : std::nullopt;
}

void share_array_loops(ir::Module& module) {
    for (ir::Function& function : module.functions)
        if (function.parallel) share(module, function, function.body);
}

}  // namespace pyk
