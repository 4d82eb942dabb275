#include "ir/thread_end.h"

#include <algorithm>
#include <set>

#include "builtins/checked.h"
#include "ir/walk.h"

namespace pyk::ir {
namespace {

/// Code from elsewhere may do anything.
struct Search {
    const Module& module;
    std::set<FunctionId> seen = {};

    bool finds_in(FunctionId id) {
        if (!seen.insert(id).second) return false;
        const Function& function = module.function(id);
        bool found = function.foreign || function.ptx;
        for_each_stmt(function.body, [&](const Stmt& stmt) { found |= stmt.as<Raise>() != nullptr; });
        for_each_expr_deep(function.body, [&](const Expr& expr) {
            const auto* call = expr.as<Call>();
            found = found || may_end_thread(expr) || (call && finds_in(call->callee));
        });
        return found;
    }
};

}  // namespace

bool may_step_by_zero(const View& view) {
    return std::ranges::any_of(view.subscripts, [](const Subscript& subscript) {
        const auto* slice = std::get_if<SliceOf>(&subscript);
        return slice && slice->step && !slice->step->as<Constant>();
    });
}

bool may_end_thread(const Expr& expr) {
    const auto* call = expr.as<BuiltinCall>();
    return may_raise(expr) || (call && checked_form(*call->builtin));
}

bool may_raise(const Expr& expr) {
    if (expr.as<TupleAt>()) return true;
    if (const auto* view = expr.as<View>()) return may_step_by_zero(*view);
    const auto* call = expr.as<BuiltinCall>();
    return call && !is_part_of_shared(*call->builtin) && checked_form(*call->builtin);
}

bool may_end_thread(const Module& module, FunctionId function) { return Search{module}.finds_in(function); }

bool may_raise(const Module& module, const Expr& expr) {
    bool result = false;
    for_each_expr_deep(expr, [&](const Expr& part) {
        const auto* call = part.as<Call>();
        result = result || may_raise(part) || (call && module.function(call->callee).raises);
    });
    return result;
}

}  // namespace pyk::ir
