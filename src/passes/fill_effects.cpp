#include "passes/fill_effects.h"

#include "ir/walk.h"

namespace pyk {
namespace {

/// The local that an array expression is a part of, if that shows.
std::optional<ir::LocalId> root_of(const ir::Expr& array) {
    if (const auto* ref = array.as<ir::LocalRef>()) return ref->id;
    if (const auto* view = array.as<ir::View>()) return root_of(*view->array);
    if (const auto* transpose = array.as<ir::Transpose>()) return root_of(*transpose->array);
    if (const auto* convert = array.as<ir::Convert>()) return root_of(*convert->operand);
    if (const auto* element = array.as<ir::Element>()) return root_of(*element->array);
    if (const auto* field = array.as<ir::RecordField>()) return root_of(*field->record);
    if (const auto* fields = array.as<ir::FieldsOf>()) return root_of(*fields->array);
    return std::nullopt;
}

/// What happens to a thread's own arrays stays within the call.
bool is_private(const ir::Function& function, const ir::Expr& array) {
    const auto root = root_of(array);
    return root && function.local(*root).storage == ir::Storage::local;
}

Effects effects_of_body(const ir::Module& module, const ir::Function& function) {
    Effects effects = Effects::none;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* store = stmt.as<ir::Store>();
        if (store && !is_private(function, *store->array)) effects = effects | Effects::writes;
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
    for (bool changed = true; changed;) {
        changed = false;
        for (ir::Function& function : module.functions) {
            const Effects effects = function.effects | effects_of_body(module, function);
            changed |= effects != function.effects;
            function.effects = effects;
        }
    }
}

}  // namespace pyk
