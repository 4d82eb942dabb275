#include "ir/thread_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/walk.h"

namespace pyk::ir {
namespace {

struct Search {
    const Module& module;
    const bool in_code_from_elsewhere;
    bool (*const is_wanted)(const Expr&);
    std::set<FunctionId> seen = {};

    bool finds_in(FunctionId id) {
        if (!seen.insert(id).second) return false;
        const Function& function = module.function(id);
        bool found = in_code_from_elsewhere && (function.foreign || function.ptx);
        for_each_stmt(function.body, [&](const Stmt& stmt) { found |= stmt.as<Raise>() != nullptr; });
        for_each_expr_deep(function.body, [&](const Expr& expr) {
            const auto* call = expr.as<Call>();
            found = found || is_wanted(expr) || (call && finds_in(call->callee));
        });
        return found;
    }
};

/// What may fail has a row that says so with its line.
bool may_fail(const BuiltinCall& call) { return find_builtin(fmt::format("{}.checked", call.builtin->name)); }

}  // namespace

bool may_step_by_zero(const View& view) {
    return std::ranges::any_of(view.subscripts, [](const Subscript& subscript) {
        const auto* slice = std::get_if<SliceOf>(&subscript);
        return slice && slice->step && !slice->step->as<Constant>();
    });
}

bool may_end_thread(const Expr& expr) {
    const auto* call = expr.as<BuiltinCall>();
    return may_raise(expr) || (call && may_fail(*call));
}

bool may_raise(const Expr& expr) {
    if (expr.as<TupleAt>()) return true;
    if (const auto* view = expr.as<View>()) return may_step_by_zero(*view);
    const auto* call = expr.as<BuiltinCall>();
    return call && !call->builtin->name.starts_with("pyk.shared_part") && may_fail(*call);
}

bool may_end_thread(const Module& module, FunctionId function) {
    return Search{module, true, may_end_thread}.finds_in(function);
}

bool may_raise(const Module& module, FunctionId function) {
    return Search{module, false, may_raise}.finds_in(function);
}

}  // namespace pyk::ir
