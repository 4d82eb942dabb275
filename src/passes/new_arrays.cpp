#include "passes/new_arrays.h"

#include "ir/walk.h"

namespace pyk {

bool makes_array(const ir::BuiltinCall& call) {
    return call.builtin->name == "pyk.new_array" || call.builtin->name == "pyk.new_zeros";
}

bool keeps_array(const ir::BuiltinCall& call) { return makes_array(call) || call.builtin->name == "pyk.apart"; }

bool makes_arrays(const ir::Module& module) {
    bool found = false;
    for (const ir::Function& function : module.functions)
        ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
            const auto* call = expr.as<ir::BuiltinCall>();
            found |= call && (keeps_array(*call) || call->builtin->name == "pyk.give");
        });
    return found;
}

}  // namespace pyk
