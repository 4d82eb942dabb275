// What is missing beside an access: a test of its index, or a look at what an atomic gives back.
#include "advice/advice.h"
#include "advice/thread_values.h"
#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// Whether an `if`, a loop or a choice asks how far a thread has come.
bool tests_threads(const ir::Function& function, const ThreadValues& values) {
    bool found = false;
    const auto look = [&](const ir::Expr& expr) { found = found || values.differs(expr); };
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        if (const auto* branch = stmt.as<ir::If>()) look(*branch->condition);
        if (const auto* loop = stmt.as<ir::While>()) look(*loop->condition);
        if (const auto* loop = stmt.as<ir::ForRange>()) look(*loop->start);
        ir::for_each_expr(stmt, [&](const ir::Expr& root) {
            ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
                if (const auto* select = expr.as<ir::Select>()) look(*select->condition);
                if (const auto* binary = expr.as<ir::Binary>(); binary && binary->op == BinaryOp::Mod) look(expr);
            });
        });
    });
    return found;
}

/// The first store to an array of the caller's, at a place that differs from thread to thread.
const ir::Stmt* first_store(const ir::Function& function, const ThreadValues& values) {
    const ir::Stmt* first = nullptr;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* store = stmt.as<ir::Store>();
        const ir::LocalRef* const base = store ? ir::base_local(*store->array) : nullptr;
        if (!first && base && function.local(base->id).storage == ir::Storage::parameter &&
            values.differs(store->indices))
            first = &stmt;
    });
    return first;
}

void advise_on_swaps(const ir::Function& function, Diagnostics& diagnostics) {
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* alone = stmt.as<ir::Evaluate>();
        const auto* call = alone ? alone->value->as<ir::BuiltinCall>() : nullptr;
        if (!call || call->args.size() < 3) return;
        const std::string_view name = call->builtin->name;
        if (name == "cuda.atomic.compare_and_swap" || name == "cuda.atomic.cas")
            diagnostics.report(diag::unused_result, stmt.span, name);
    });
}

}  // namespace

void advise_on_guards(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    for (const ir::Function& function : module.functions) {
        if (!files.has(function.span.file)) continue;
        advise_on_swaps(function, diagnostics);
        if (!function.is_kernel) continue;
        const ThreadValues values(function);
        const ir::Stmt* const store = first_store(function, values);
        if (!store || tests_threads(function, values)) continue;
        const ir::LocalRef& array = *ir::base_local(*store->as<ir::Store>()->array);
        diagnostics.report(diag::missing_guard, store->span, std::string_view(function.local(array.id).name));
    }
}

}  // namespace pyk
