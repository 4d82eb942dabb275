#include "targets/check.h"

#include "ir/walk.h"

namespace pyk {

bool check_target(const ir::Module& module, const Target& target, Diagnostics& diagnostics) {
    bool complete = true;
    for (const ir::Function& function : module.functions) {
        if (function.ptx && function.body.empty() && !target.has_ptx) {
            complete = false;
            diagnostics.report(diag::ptx_on_cpu, function.span, target.name);
        }
        ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
            const auto* call = expr.as<ir::BuiltinCall>();
            if (!call || !call->builtin->spelling_for(target.id).empty()) return;
            complete = false;
            diagnostics.report(diag::target_lacks, expr.span, call->builtin->name, target.name);
        });
    }
    size_t bytes = 0;
    Span span;
    for (const ir::ModuleConstant& constant : module.constants) {
        if (!constant.in_constant_memory) continue;
        bytes += constant.table->bytes.size();
        if (!span) span = constant.span;
    }
    if (target.constant_memory && bytes > target.constant_memory) {
        complete = false;
        diagnostics.report(diag::constant_memory, span, bytes, target.constant_memory);
    }
    return complete;
}

}  // namespace pyk
