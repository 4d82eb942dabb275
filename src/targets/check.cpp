#include "targets/check.h"

namespace pyk {

bool check_target(const ir::Module& module, std::span<const ir::Mentions> mentions, const Target& target,
                  Diagnostics& diagnostics) {
    bool complete = true;
    for (size_t i = 0; i < module.functions.size(); ++i) {
        const ir::Function& function = module.functions[i];
        if (function.ptx && function.body.empty() && !target.has_ptx) {
            complete = false;
            diagnostics.report(diag::ptx_on_cpu, function.span, target.name);
        }
        for (const ir::Expr* expr : mentions[i].calls) {
            const auto* call = expr->as<ir::BuiltinCall>();
            if (!call || !call->builtin->spelling_for(target.id).empty()) continue;
            complete = false;
            diagnostics.report(diag::target_lacks, expr->span, call->builtin->name, target.name);
        }
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
