#include "passes/new_arrays.h"

#include <algorithm>

#include "builtins/known.h"

namespace pyk {

bool makes_array(const ir::BuiltinCall& call) {
    return *call.builtin == "pyk.new_array" || *call.builtin == "pyk.new_zeros";
}

bool keeps_array(const ir::BuiltinCall& call) { return makes_array(call) || *call.builtin == "pyk.apart"; }

bool makes_arrays(std::span<const ir::Mentions> mentions) {
    const auto is_one = [](const ir::Expr* expr) {
        const auto* call = expr->as<ir::BuiltinCall>();
        return call && (keeps_array(*call) || *call->builtin == "pyk.give");
    };
    return std::ranges::any_of(mentions,
                               [&](const ir::Mentions& each) { return std::ranges::any_of(each.calls, is_one); });
}

bool makes_arrays(const ir::Module& module) {
    const auto may = [](const ir::Function& function) { return any(function.effects & Effects::ordered); };
    return std::ranges::any_of(module.functions, may) && makes_arrays(ir::mentions_of(module));
}

}  // namespace pyk
