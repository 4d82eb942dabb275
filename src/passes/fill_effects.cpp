#include "passes/fill_effects.h"

#include <utility>
#include <vector>

#include "ir/walk.h"

namespace pyk {
namespace {

/// What happens to a thread's own arrays stays within the call.
bool is_private(const ir::Function& function, const ir::Expr& array) {
    const ir::LocalRef* const root = ir::base_local(array);
    return root && function.local(root->id).storage == ir::Storage::local;
}

Effects effects_of_body(const ir::Module& module, const ir::Function& function) {
    Effects effects = Effects::none;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* store = stmt.as<ir::Store>();
        if (store && !is_private(function, *store->array)) effects = effects | Effects::writes;
        if (stmt.as<ir::Raise>() || stmt.as<ir::Print>()) effects = effects | Effects::ordered;
        const auto* field = stmt.as<ir::StoreField>();
        if (field && !is_private(function, *field->record)) effects = effects | Effects::writes;
    });
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        const auto* element = expr.as<ir::Element>();
        if (element && !is_private(function, *element->array)) effects = effects | Effects::reads;
        const auto* field = expr.as<ir::RecordField>();
        if (field && !is_private(function, *field->record)) effects = effects | Effects::reads;
        if (const auto* call = expr.as<ir::BuiltinCall>()) effects = effects | call->builtin->effects;
        if (const auto* call = expr.as<ir::Call>()) effects = effects | module.function(call->callee).effects;
    });
    return effects;
}

}  // namespace

void fill_effects(ir::Module& module) {
    std::vector<ir::Function*> unknown;
    for (ir::Function& function : module.functions)
        if (!any(function.effects)) unknown.push_back(&function);
    for (bool changed = true; changed;) {
        changed = false;
        for (ir::Function* function : unknown) {
            const Effects effects = function->effects | effects_of_body(module, *function);
            changed |= std::exchange(function->effects, effects) != effects;
        }
    }
}

}  // namespace pyk
