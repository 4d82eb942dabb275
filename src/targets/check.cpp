#include "targets/check.h"

#include "ir/walk.h"

namespace pyk {

bool check_target(const ir::Module& module, const Target& target, Diagnostics& diagnostics) {
    bool complete = true;
    for (const ir::Function& function : module.functions) {
        ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
            const auto* call = expr.as<ir::BuiltinCall>();
            if (!call || !call->builtin->spelling_for(target.id).empty()) return;
            complete = false;
            diagnostics.report(diag::target_lacks, expr.span, call->builtin->name, target.name);
        });
    }
    return complete;
}

}  // namespace pyk
