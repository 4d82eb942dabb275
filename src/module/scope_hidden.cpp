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
        if (!own.contains(name) && (!body.assigned.contains(name) || body.globals.contains(name)))
            found.push_back(written);
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
            std::set<std::string_view> own;
            for_each_parameter(*def->args, [&](const ast::Arg& arg) { own.insert(arg.arg); });
            BodyChanges body(def->body, passing, moving);
            body.follow_aliases();
            add_outside(body, own, places);
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

// --- calls that are not followed
const ModuleScope::Shared::OfFile& ModuleScope::Shared::changes_by_name(const ast::Module& file) {
    const auto [slot, is_new] = by_name.try_emplace(&file);
    OfFile& found = slot->second;
    if (!is_new) return found;
    using Own = std::set<std::string_view>;
    const auto add = [&](const ast::FunctionDef& def, const Own& around, bool is_method) {
        OfName& of = found.functions[def.name];
        BodyChanges body(def.body, passing, moving);
        Own params, inside = around;
        for_each_parameter(*def.args, [&](const ast::Arg& arg) { params.insert(arg.arg); });
        if (def.args->kwarg) params.insert(def.args->kwarg->arg);
        inside.insert(params.begin(), params.end());
        for (const auto& [name, written] : body.assigned)
            if (!body.globals.contains(name)) inside.insert(name);
        body.follow_aliases();
        const auto is_given = [&](std::string_view name) {
            return params.contains(name) && !(is_method && name == def.args->args.front().arg);
        };
        for (const auto& [name, written] : body.in_place) {
            of.changes_arguments = of.changes_arguments || is_given(name);
            if (!inside.contains(name)) of.outside.push_back({name, written, false, true, false});
        }
        for (const std::string_view name : body.globals)
            if (const auto at = body.assigned.find(name); at != body.assigned.end())
                of.outside.push_back({name, at->second, false, true, true});
        for (const ast::Call* call : body.calls) {
            const std::string_view callee = last_name(*call->func);
            of.callees.insert(callee);
            const auto* variable = call->func->as<ast::Name>();
            const bool is_unknown = variable ? inside.contains(variable->id) : !call->func->as<ast::Attribute>();
            of.changes_arguments = of.changes_arguments || is_unknown;
        }
        return inside;
    };
    const std::function<void(const ast::Block&, const Own&, bool)> look = [&](const ast::Block& block,
                                                                              const Own& around, bool is_class) {
        for_each_stmt(block, [&](const ast::Stmt& stmt) {
            const auto* assigned = stmt.as<ast::Assign>();
            for (const ast::Expr* target : assigned ? assigned->targets : ast::ExprList())
                for_each_place(*target, [&](const ast::Expr& place) {
                    if (const auto* attribute = place.as<ast::Attribute>()) found.attributes.insert(attribute->attr);
                });
            if (const auto* node = stmt.as<ast::ClassDef>()) look(node->body, around, true);
            if (const auto* def = stmt.as<ast::FunctionDef>())
                look(def->body, add(*def, around, is_class && !def->args->args.empty()), false);
        });
    };
    look(file.body, {}, false);
    for_each_stmt(file.body, [&](const ast::Stmt& stmt) {
        if (const auto* node = stmt.as<ast::For>())
            for_each_target(*node->target, [&](std::string_view name) { found.variables.insert(name); });
    });
    for (bool is_more = true; std::exchange(is_more, false);)
        for (auto& [name, of] : found.functions)
            for (const std::string_view callee : of.callees) {
                const auto other = found.functions.find(callee);
                if (other == found.functions.end() || other->first == name) continue;
                if (other->second.changes_arguments && !of.changes_arguments) of.changes_arguments = is_more = true;
                for (const Change& change : other->second.outside)
                    if (std::ranges::find(of.outside, change.inside, &Change::inside) == of.outside.end())
                        of.outside.push_back(change), is_more = true;
            }
    return found;
}

// What an argument has may be changed: `f(a.reshape(2, 2))`, `f([a, b])`.
void ModuleScope::Shared::add_unfollowed_changes(const ModuleScope& scope, const ast::Expr& arg,
                                                 std::vector<Effect>& effects) {
    const auto add = [&](const ast::Expr& place) {
        effects.push_back({&place, {root_of(place)->as<ast::Name>()->id, &place, true, true, false}});
    };
    if (root_of(arg)) return add(arg);
    const NamesOfFile file = scope.shared_->names_of_file(scope);
    Sharing sources(scope, file, scope.shared_->returning[&scope], true);
    sources.add(arg);
    Places names;
    if (!sources.names.empty()) add_names(arg, names);
    for (const ast::Expr* name : names)
        if (is_one_of(name->as<ast::Name>()->id, sources.names)) add(*name);
}

// Functions that a call is given may be called by it: `sorted(items, key=count)`.
void ModuleScope::Shared::add_effects_of_given(const ModuleScope& scope, const ast::Call& call,
                                               std::vector<Effect>& effects) {
    if (call.args.empty() && call.keywords.empty()) return;
    Places args(call.args.begin(), call.args.end());
    for (const ast::Keyword& keyword : call.keywords) args.push_back(keyword.value);
    for (const ast::Expr* arg : args) {
        const auto* name = arg->as<ast::Name>();
        const FunctionInfo* given = name ? function_in(scope.lookup_declared(name->id)) : nullptr;
        if (!given || given->kind != FunctionKind::plain) continue;
        const auto& all = scope.shared_->changes_by_name(*scope.file_).functions;
        const auto of = all.find(given->def->name);
        if (of == all.end()) continue;
        for (const Change& change : of->second.outside) effects.push_back({change.written, change});
        for (const ast::Expr* other : args)
            if (of->second.changes_arguments && other != arg) add_unfollowed_changes(scope, *other, effects);
    }
}

// `go(a)` of a variable, `s.fill(a)` of an object that is not known, `table[n](a)`.
bool ModuleScope::Shared::may_change_arguments(const ModuleScope& scope, const ast::Call& call,
                                               const std::optional<Entity>& callee, bool is_own) {
    const OfFile& file = scope.shared_->changes_by_name(*scope.file_);
    if (const auto* name = call.func->as<ast::Name>()) {
        if (is_own) return true;
        if (callee) return false;  // a type, a function of a library
        const ModuleScope* at = &scope;
        while (at && !at->is_declared(name->id)) at = at->parent_;
        if (!at) return file.variables.contains(name->id);  // of a loop; else Python's own
        const auto value = scope.lookup(name->id);
        const FunctionInfo* info = function_in(value);
        const bool is_of_library =
            value && !info && !std::holds_alternative<const ModuleScope*>(*value) && !at->is_opaque(name->id);
        if (!info || info->kind != FunctionKind::plain) return !info && !is_of_library;
        return std::ranges::any_of(scope.changes_of(*info), &Change::is_argument);
    }
    if (const auto* method = call.func->as<ast::Attribute>()) {
        const auto named = file.functions.find(method->attr);
        return !is_of_import(scope, *call.func) &&
               ((named != file.functions.end() && named->second.changes_arguments) ||
                file.attributes.contains(method->attr));
    }
    if (const auto* subscript = call.func->as<ast::Subscript>()) {
        const FunctionInfo* kernel = function_in(scope.evaluate(*subscript->value));
        return !(kernel && kernel->kind == FunctionKind::kernel) && !is_of_import(scope, *subscript->value);
    }
    if (call.func->as<ast::Lambda>()) return false;  // what it changes is seen in it
    const auto* making = call.func->as<ast::Call>();
    if (!making || last_name(*making->func) == "partial") return true;
    const auto maker = is_of_import(scope, *making->func) ? std::nullopt : scope.evaluate(*making->func);
    return maker && (function_in(maker) || std::holds_alternative<const ModuleScope*>(*maker));
}

void ModuleScope::Shared::add_unfollowed_effects(const ModuleScope& scope, const ast::Call& call,
                                                 const std::optional<Entity>& callee, bool is_own,
                                                 std::vector<Effect>& effects) {
    const auto& functions = scope.shared_->changes_by_name(*scope.file_).functions;
    const auto add = [&](const OfName& of) {
        for (const Change& change : of.outside) effects.push_back({change.written, change});
    };
    // `Config().load()`, `setup()` of a function inside: one that has the name.
    if (const auto named = functions.find(last_name(*call.func)); named != functions.end()) add(named->second);
    const auto* variable = call.func->as<ast::Name>();
    const FunctionInfo* held = variable && !is_own ? function_in(scope.lookup(variable->id)) : nullptr;
    const auto of_held = held ? functions.find(held->def->name) : functions.end();
    if (of_held != functions.end()) add(of_held->second);  // `go = bump`, `go()`
    const auto* making = call.func->as<ast::Call>();
    if (making && last_name(*making->func) == "getattr" && !making->args.empty()) {  // `getattr(o, "step")()`
        add_unfollowed_changes(scope, *making->args[0], effects);
        for (const auto& [name, of] : functions) add(of);
    }
    if (!may_change_arguments(scope, call, callee, is_own)) return;
    for (const ast::Expr* arg : call.args) add_unfollowed_changes(scope, *arg, effects);
    for (const ast::Keyword& keyword : call.keywords) add_unfollowed_changes(scope, *keyword.value, effects);
    if (!call.func->as<ast::Attribute>())
        for (const auto& [name, of] : functions)
            if (!of.outside.empty() && scope.shared_->is_value(scope, name)) add(of);
}

// --- statements
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
        add_outside(body, {}, found);
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
