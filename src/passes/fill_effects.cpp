#include "passes/fill_effects.h"

#include <utility>
#include <vector>

#include "ir/walk.h"

namespace pyk {

void fill_effects(ir::Module& module) {
    const auto of_callee = [&](ir::FunctionId id) { return module.function(id).effects; };
    std::vector<ir::Function*> unknown;
    for (ir::Function& function : module.functions)
        if (!any(function.effects)) unknown.push_back(&function);
    for (bool changed = true; changed;) {
        changed = false;
        for (ir::Function* function : unknown) {
            const Effects effects = function->effects | ir::effects_of(*function, of_callee);
            changed |= std::exchange(function->effects, effects) != effects;
        }
    }
}

}  // namespace pyk
