#include "emit/thread_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/walk.h"

namespace pyk::emitter {
namespace {

bool may_end(const ir::Module& module, ir::FunctionId id, std::set<ir::FunctionId>& seen) {
    if (!seen.insert(id).second) return false;
    const ir::Function& function = module.function(id);
    bool found = function.foreign || function.ptx;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) { found |= stmt.as<ir::Raise>() != nullptr; });
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        const auto* call = expr.as<ir::Call>();
        found = found || may_end_thread(expr) || (call && may_end(module, call->callee, seen));
    });
    return found;
}

}  // namespace

bool may_end_thread(const ir::Expr& expr) {
    if (expr.as<ir::TupleAt>()) return true;
    if (const auto* view = expr.as<ir::View>())
        return std::ranges::any_of(view->subscripts, [](const ir::Subscript& subscript) {
            const auto* slice = std::get_if<ir::SliceOf>(&subscript);
            return slice && slice->step && !slice->step->as<ir::Constant>();  // zero is an error
        });
    // What may fail has a row that says so with its line.
    const auto* call = expr.as<ir::BuiltinCall>();
    return call && find_builtin(fmt::format("{}.checked", call->builtin->name));
}

bool may_end_thread(const ir::Module& module, ir::FunctionId function) {
    std::set<ir::FunctionId> seen;
    return may_end(module, function, seen);
}

}  // namespace pyk::emitter
