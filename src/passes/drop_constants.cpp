#include "passes/drop_constants.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/walk.h"

namespace pyk {

void drop_constants(ir::Module& module) {
    if (module.constants.empty()) return;
    std::vector<bool> used(module.constants.size());
    for (const ir::Function& function : module.functions)
        ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
            if (const auto* ref = expr.as<ir::ConstantRef>()) used[static_cast<size_t>(ref->id)] = true;
        });
    if (std::ranges::find(used, false) == used.end()) return;
    std::vector<ir::ConstantId> ids(used.size());
    std::vector<ir::ModuleConstant> kept;
    for (size_t i = 0; i < used.size(); ++i) {
        ids[i] = static_cast<ir::ConstantId>(kept.size());
        if (used[i]) kept.push_back(std::move(module.constants[i]));
    }
    module.constants = std::move(kept);
    for (ir::Function& function : module.functions)
        ir::rewrite(function.body, [&](ir::ExprPtr& expr) {
            if (auto* ref = expr->as<ir::ConstantRef>()) ref->id = ids[static_cast<size_t>(ref->id)];
        });
}

}  // namespace pyk
