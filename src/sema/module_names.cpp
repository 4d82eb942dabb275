#include "sema/module_names.h"

#include <algorithm>

#include "sema/infer.h"

namespace pyk {
namespace {

/// An object of a frozen dataclass; of others a tuple may hold what has changed since.
bool is_frozen(const Entity& entity) {
    const auto* object = std::get_if<const ModuleScope*>(&entity);
    const ClassInfo* info = object ? (*object)->dataclass() : nullptr;
    return info && info->is_frozen;
}

}  // namespace

bool is_key(const ast::Expr& expr) { return is_literal(expr) || expr.as<ast::Constant>(); }

std::vector<Entity> elements_with_objects(const ModuleScope& scope, const ast::Expr& name) {
    const auto [where, written, when] = scope.origin(name);
    const auto* tuple = written->as<ast::Tuple>();
    std::vector<Entity> elements;
    const ModuleScope::Then then(*where, when);
    for (const ast::Expr* each : tuple ? tuple->elts : ast::ExprList()) {
        const auto element = where->evaluate(*each);
        if (!element || !(is_frozen(*element) || to_const(*element))) return {};
        elements.push_back(*element);
    }
    return std::ranges::any_of(elements, is_frozen) ? elements : std::vector<Entity>();
}

const ast::Expr* written_bounds(const ModuleScope& scope, const ast::Expr& expr) {
    const auto* name = expr.as<ast::Name>();
    const auto entity = name ? scope.lookup(name->id) : std::nullopt;
    const auto constant = entity ? to_const(*entity) : std::nullopt;
    if (!name || (entity && !(constant && constant->as<Const::List>()))) return nullptr;
    const auto [where, written, when] = scope.origin(expr);
    const auto* call = written->as<ast::Call>();
    const bool makes_bounds = call && (last_name(*call->func) == "slice" || last_name(*call->func) == "range");
    const auto is_written_out = [](const ast::Expr* arg) { return is_key(*arg); };  // names have changed, maybe
    return makes_bounds && where == &scope && std::ranges::all_of(call->args, is_written_out) ? written : nullptr;
}

}  // namespace pyk
