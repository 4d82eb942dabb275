// Calls of functions that are not known by their names: of variables, of items of tables, of arguments, of methods of
// objects that nobody knows. What such a call may change is not known behind it; the text of the file says what that
// is.
#include <algorithm>

#include "module/body_changes.h"
#include "module/free_names.h"
#include "module/scope.h"
#include "module/scope_shared.h"
#include "module/sharing.h"

namespace pyk {

using Own = std::set<std::string_view>;

// `around`: the variables of the functions around it. Gives those that functions inside of it see.
Own ModuleScope::Shared::add_function(OfFile& file, const ast::FunctionDef& def, const Own& around,
                                      bool is_method) const {
    OfName& of = file.functions[def.name];
    BodyChanges body(def.body, passing, moving);
    body.follow_aliases();
    Own given, inside = around;
    for_each_parameter(*def.args, [&](const ast::Arg& arg) { given.insert(arg.arg); });
    if (def.args->kwarg) given.insert(def.args->kwarg->arg);
    inside.merge(own_names(def, body));
    if (is_method && !def.args->args.empty()) given.erase(def.args->args.front().arg);
    for (const auto& [name, written] : body.assigned)
        if (body.globals.contains(name)) of.outside.push_back({name, written, false, true, true});
    for (const auto& [name, written] : body.in_place) {
        of.changes_arguments |= given.contains(name);
        if (!inside.contains(name)) of.outside.push_back({name, written, false, true, false});
    }
    for (const ast::Call* call : body.calls) {
        const auto* variable = call->func->as<ast::Name>();
        of.callees.insert(last_name(*call->func));
        of.changes_arguments |= variable ? inside.contains(variable->id) : !call->func->as<ast::Attribute>();
    }
    return inside;
}

void ModuleScope::Shared::add_functions(OfFile& file, const ast::Block& block, const Own& around, bool is_class) const {
    for_each_stmt(block, [&](const ast::Stmt& stmt) {
        const auto* assigned = stmt.as<ast::Assign>();
        for (const ast::Expr* target : assigned ? assigned->targets : ast::ExprList())
            for_each_place(*target, [&](const ast::Expr& place) {
                if (const auto* attribute = place.as<ast::Attribute>()) file.attributes.insert(attribute->attr);
            });
        if (const auto* node = stmt.as<ast::ClassDef>()) add_functions(file, node->body, around, true);
        if (const auto* def = stmt.as<ast::FunctionDef>())
            add_functions(file, def->body, add_function(file, *def, around, is_class), false);
    });
}

// What functions do they do by those that they call, too.
void ModuleScope::Shared::add_of_callees(OfFile& file) {
    for (bool is_more = true; std::exchange(is_more, false);)
        for (auto& [name, of] : file.functions)
            for (const std::string_view callee : of.callees) {
                const auto other = file.functions.find(callee);
                if (other == file.functions.end() || other->first == name) continue;
                if (other->second.changes_arguments && !of.changes_arguments) of.changes_arguments = is_more = true;
                for (const Change& change : other->second.outside)
                    if (std::ranges::find(of.outside, change.inside, &Change::inside) == of.outside.end())
                        of.outside.push_back(change), is_more = true;
            }
}

const ModuleScope::Shared::OfFile& ModuleScope::Shared::changes_by_name(const ast::Module& file) {
    const auto [slot, is_new] = by_name.try_emplace(&file);
    if (!is_new) return slot->second;
    add_functions(slot->second, file.body, {}, false);
    for_each_stmt(file.body, [&](const ast::Stmt& stmt) {
        if (const auto* node = stmt.as<ast::For>())
            for_each_target(*node->target, [&](std::string_view name) { slot->second.variables.insert(name); });
    });
    add_of_callees(slot->second);
    return slot->second;
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
    const std::function<void(const ast::Expr&)> look = [&](const ast::Expr& part) {
        if (const auto* name = part.as<ast::Name>(); name && is_one_of(name->id, sources.names)) add(part);
        for_each_host_child(part, look);
    };
    if (!sources.names.empty()) look(arg);
}

// Functions that a call is given may be called by it: `sorted(items, key=count)`.
void ModuleScope::Shared::add_effects_of_given(const ModuleScope& scope, const ast::Call& call,
                                               std::vector<Effect>& effects) {
    if (call.args.empty() && call.keywords.empty()) return;
    std::vector<const ast::Expr*> args(call.args.begin(), call.args.end());
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

}  // namespace pyk
