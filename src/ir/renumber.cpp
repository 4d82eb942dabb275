#include "ir/renumber.h"

#include <algorithm>

#include "ir/walk.h"

namespace pyk::ir {
namespace {

using Ids = std::vector<std::optional<LocalId>>;

void rename(LocalId& id, const Ids& ids) { id = ids[static_cast<size_t>(id)].value(); }

void rename(Block& body, const Ids& ids) {
    for (Stmt& stmt : body) {
        if (auto* assign = stmt.as<Assign>()) rename(assign->target, ids);
        if (auto* loop = stmt.as<ForRange>()) {
            rename(loop->counter, ids);
            for (Reduction& reduction : loop->reductions) rename(reduction.local, ids);
        }
        for_each_block(stmt, [&](Block& inner) { rename(inner, ids); });
        for_each_expr(stmt, [&](ExprPtr& root) {
            rewrite(root, [&](ExprPtr& expr) {
                if (auto* ref = expr->as<LocalRef>()) rename(ref->id, ids);
            });
        });
    }
}

}  // namespace

void renumber(Function& function, const Ids& ids) {
    std::vector<Local> locals(static_cast<size_t>(std::ranges::count_if(ids, &std::optional<LocalId>::has_value)));
    for (size_t old = 0; old < ids.size(); ++old)
        if (ids[old]) locals[static_cast<size_t>(*ids[old])] = std::move(function.locals[old]);
    function.locals = std::move(locals);
    for (LocalId& param : function.params) rename(param, ids);
    rename(function.body, ids);
}

void put_parameters_first(Function& function) {
    Ids ids(function.locals.size());
    uint32_t next = 0;
    for (const LocalId param : function.params) ids[static_cast<size_t>(param)] = LocalId{next++};
    for (auto& id : ids)
        if (!id) id = LocalId{next++};
    renumber(function, ids);
}

}  // namespace pyk::ir
