// What statements change in ways that no call of a function by its name says: bodies of classes and defaults of
// functions, special methods and properties, functions without a name, functions that another one made. What the names
// have then is not known: none of these is followed.
#include <algorithm>

#include "module/body_changes.h"
#include "module/free_names.h"
#include "module/scope.h"
#include "module/scope_shared.h"
#include "module/sharing.h"

namespace pyk {
namespace {

using Places = std::vector<const ast::Expr*>;

void add_names(const ast::Expr& expr, Places& found) {
    if (expr.as<ast::Name>()) found.push_back(&expr);
    for_each_host_child(expr, [&](const ast::Expr& child) { add_names(child, found); });
}

void add_given(const ast::Call& call, Places& found) {
    for (const ast::Expr* arg : call.args) add_names(*arg, found);
    for (const ast::Keyword& keyword : call.keywords) add_names(*keyword.value, found);
}

bool changes_something(const ast::Expr& expr) {
    bool changes = false;
    for_each_call(expr, [&](const ast::Call& call) {
        const auto* method = call.func->as<ast::Attribute>();
        changes = changes || (method && changes_object(method->attr)) || changed_argument(call);
    });
    return changes;
}

/// Whether a place is an item of a list or a dict without a name: `[all][0]`.
bool is_in_display(const ast::Expr& place) {
    const auto* subscript = place.as<ast::Subscript>();
    const ast::Expr* of = subscript ? subscript->value : nullptr;
    return of && (of->as<ast::ListExpr>() || of->as<ast::Tuple>() || of->as<ast::Dict>() || of->as<ast::ListComp>() ||
                  of->as<ast::DictComp>() || is_in_display(*of));
}

/// Whether it runs without a call by its name: `__enter__`, a property or its setter.
bool is_called_unsaid(const ast::FunctionDef& def) {
    const auto is_plain = [](const ast::Expr* decorator) {
        const std::string_view name = plain_name(*decorator);
        return name == "staticmethod" || name == "classmethod";
    };
    return def.name != "__init__" && ((def.name.starts_with("__") && def.name.ends_with("__")) ||
                                      !std::ranges::all_of(def.decorator_list, is_plain));
}

/// The places that bodies change and that are none of their own names.
void add_outside(const BodyChanges& body, const std::set<std::string_view>& own, Places& found) {
    for (const auto& [name, written] : body.in_place)
        if (!own.contains(name)) found.push_back(written);
    for (const std::string_view name : body.globals)
        if (const auto at = body.assigned.find(name); at != body.assigned.end()) found.push_back(at->second);
}

}  // namespace

const ModuleScope::Shared::OfClasses& ModuleScope::Shared::changed_by_special_methods(const ast::Module& file) {
    const auto [slot, is_new] = of_special_methods.try_emplace(&file);
    if (!is_new || file.source->text().find("class ") == std::string_view::npos) return slot->second;
    const auto add_class = [&](const ast::ClassDef& node) {
        Places places;
        for (const ast::Stmt* stmt : node.body) {
            const auto* def = stmt->as<ast::FunctionDef>();
            if (!def || !is_called_unsaid(*def)) continue;
            BodyChanges body(def->body, passing, moving);
            body.follow_aliases();
            add_outside(body, own_names(*def, body), places);
        }
        for (const ast::Expr* place : places) slot->second.emplace(node.name, place);
    };
    const std::function<void(const ast::Block&)> look = [&](const ast::Block& block) {
        for_each_stmt(block, [&](const ast::Stmt& stmt) {
            if (const auto* node = stmt.as<ast::ClassDef>()) add_class(*node), look(node->body);
            if (const auto* node = stmt.as<ast::FunctionDef>()) look(node->body);
        });
    };
    look(file.body);
    return slot->second;
}

void ModuleScope::Shared::add_hidden_changes(const ModuleScope& scope, const ast::Stmt& stmt, Places& found) {
    Shared& shared = *scope.shared_;
    const auto computed = [&](ast::ExprList exprs) {
        for (const ast::Expr* expr : exprs)
            if (expr && changes_something(*expr)) add_names(*expr, found);
    };
    if (const auto* node = stmt.as<ast::FunctionDef>())
        computed(node->args->defaults), computed(node->args->kw_defaults);
    if (const auto* node = stmt.as<ast::ClassDef>()) {
        BodyChanges body(node->body, shared.passing, shared.moving);
        for (const ast::Call* call : body.calls)
            for (const Effect& effect : scope.effects_of(*call)) body.change(*effect.place);
        body.follow_aliases();
        add_outside(body, body.own(), found);
        for (const ast::Stmt* inner : node->body)
            if (inner->as<ast::FunctionDef>()) add_hidden_changes(scope, *inner, found);
    }
    if (const auto* node = stmt.as<ast::With>())
        for (const ast::WithItem& item : node->items) {
            const ast::Expr* root = root_of(*item.context_expr);
            const auto object = root ? scope.evaluate(*item.context_expr) : std::nullopt;
            if (!object || !is_instance_object(*object)) continue;
            const ModuleScope& body = *std::get<const ModuleScope*>(*object)->class_;
            for (const std::string_view method : {"__enter__", "__exit__"})
                if (const FunctionInfo* info = function_in(body.own(method)); info && !is_still(*info))
                    found.push_back(root);
        }
    const OfClasses& special = shared.changed_by_special_methods(*scope.file_);
    if (special.empty()) return;
    std::set<std::string_view> classes;
    const auto used = [&](std::string_view name) {
        if (special.contains(name)) classes.insert(name);
        const auto value = scope.lookup_declared(name) ? scope.lookup(name) : std::nullopt;
        if (!value || !is_instance_object(*value)) return;
        const auto known = shared.classes.find(std::get<const ModuleScope*>(*value)->class_);
        if (known != shared.classes.end()) classes.insert(known->second->name);
    };
    const auto each = [&](ast::ExprList exprs) {
        for (const ast::Expr* expr : exprs) for_each_name(*expr, used);
    };
    for_each_name(stmt, used);
    if (const auto* node = stmt.as<ast::ClassDef>()) {
        each(node->bases);
        for (const ast::Keyword& keyword : node->keywords) for_each_name(*keyword.value, used);
    }
    if (const auto* node = stmt.as<ast::Assign>()) each(node->targets);
    if (const auto* node = stmt.as<ast::AugAssign>()) for_each_name(*node->target, used);
    if (const auto* node = stmt.as<ast::Delete>()) each(node->targets);
    for (const std::string_view name : classes)
        for (auto [at, last] = special.equal_range(name); at != last; ++at) found.push_back(at->second);
}

void ModuleScope::Shared::add_hidden_changes(const ModuleScope& scope, const ast::Call& call, Places& all) {
    Places found;
    add_changed_by_nameless(scope, call, found);
    for (const ast::Expr* place : found)
        if (!is_import(scope, root_of(*place)->as<ast::Name>()->id).value_or(false)) all.push_back(place);
}

// Calls of functions without a name, and what is changed that has none.
void ModuleScope::Shared::add_changed_by_nameless(const ModuleScope& scope, const ast::Call& call, Places& found) {
    const auto* lambda = call.func->as<ast::Lambda>();
    if (lambda && changes_something(*lambda->body)) {
        add_names(*lambda->body, found);
        add_given(call, found);
        return;
    }
    const auto* method = call.func->as<ast::Attribute>();
    if (method && changes_object(method->attr) && is_in_display(*method->value)) add_names(*method->value, found);
    // `make(X)(1)`: what inner functions change.
    const auto* making = call.func->as<ast::Call>();
    const auto* maker = making ? making->func->as<ast::Name>() : nullptr;
    if (maker && !is_import(scope, maker->id).value_or(true)) {
        add_given(*making, found);
        for (const auto& [by, of] : scope.shared_->changes_by_name(*scope.file_).functions)
            for (const Change& change : of.outside) found.push_back(change.written);
    }
    // `put = make(X)`, `put(1)`: what the function has got.
    const auto* name = call.func->as<ast::Name>();
    const FunctionInfo* info = name ? function_in(scope.lookup(name->id)) : nullptr;
    if (!info || !info->scope->parent_ || info->scope->is_class_body_ || info->kind != FunctionKind::plain) return;
    const auto is_of_maker = [](const Change& change) { return !change.is_argument; };
    const ModuleScope* at = &scope;
    while (at && !at->is_declared(name->id)) at = at->parent_;
    const ast::Expr* made_by = at ? at->definition(name->id) : nullptr;
    if (made_by && std::ranges::any_of(info->scope->changes_of(*info), is_of_maker)) add_names(*made_by, found);
}

}  // namespace pyk
