#include "ir/mentions.h"

#include <algorithm>

#include "ir/walk.h"

namespace pyk::ir {

std::vector<Mentions> mentions_of(const Module& module) {
    std::vector<Mentions> result(module.functions.size());
    for (size_t i = 0; i < result.size(); ++i) {
        auto& [calls, types] = result[i];
        for_each_expr_deep(module.functions[i].body, [&](const Expr& expr) {
            if (expr.as<BuiltinCall>() || expr.as<Call>() || expr.as<MakeTuple>() || expr.as<ConstantRef>())
                calls.push_back(&expr);
            if (!expr.type.is_scalar() && std::ranges::find(types, expr.type) == types.end())
                types.push_back(expr.type);
        });
    }
    return result;
}

}  // namespace pyk::ir
