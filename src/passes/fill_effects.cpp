#include "passes/fill_effects.h"

#include <utility>
#include <vector>

#include "ir/thread_end.h"
#include "ir/walk.h"

namespace pyk {
namespace {

bool raises(const ir::Module& module, const ir::Function& function) {
    bool found = false;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        found = found || stmt.as<ir::Raise>();
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) { found = found || ir::may_raise(module, expr); });
    });
    return found;
}

}  // namespace

void fill_effects(ir::Module& module) {
    const auto of_callee = [&](ir::FunctionId id) { return module.function(id).effects; };
    std::vector<ir::Function*> unknown;
    for (ir::Function& function : module.functions)
        if (!any(function.effects)) unknown.push_back(&function);
    for (bool changed = true; std::exchange(changed, false);) {
        for (ir::Function& function : module.functions)
            if (!function.raises) changed |= function.raises = raises(module, function);
        for (ir::Function* function : unknown) {
            const Effects effects = function->effects | ir::effects_of(*function, of_callee);
            changed |= std::exchange(function->effects, effects) != effects;
        }
    }
}

}  // namespace pyk
