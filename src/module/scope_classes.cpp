// Classes of the host's as objects: what their instances see of them, and who stores to them.
#include <algorithm>

#include "module/free_names.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {

// A class as it is by now: a statement that stores to it makes another one.
const ModuleScope& ModuleScope::Shared::present(const ModuleScope& body) {
    const auto known = classes.find(&body);
    if (known == classes.end() || !body.parent_) return body;
    const auto value = body.parent_->own(known->second->name);
    const auto* scope = value ? std::get_if<const ModuleScope*>(&*value) : nullptr;
    const auto found = scope ? classes.find(*scope) : classes.end();
    return found != classes.end() && found->second == known->second ? **scope : body;
}

// --- stores to attributes ---
// Functions store to them when they are called, which may be at any time.
void ModuleScope::Shared::note_stores(const ModuleScope& scope, const ast::FunctionDef& def) {
    const auto& params = def.args->args;
    const std::string_view self = params.empty() || !scope.is_class_body_ ? std::string_view() : params[0].arg;
    std::set<std::string_view> given;
    for_each_parameter(*def.args, [&](const ast::Arg& one) {
        parameters.emplace(def.name, one.arg);
        given.insert(one.arg);
    });
    const bool is_of_class =
        std::ranges::any_of(def.decorator_list, [](const ast::Expr* one) { return last_name(*one) == "classmethod"; });
    const auto target = [&](const ast::Expr& expr) {
        const auto* attribute = expr.as<ast::Attribute>();
        if (!attribute) return;
        const auto* name = attribute->value->as<ast::Name>();
        if (name && (name->id != self || is_of_class))
            stored_attributes.emplace(name->id == self ? std::string_view() : name->id, attribute->attr);
        // What a variable of the function stands for may be a class that is a value somewhere.
        if (name && name->id != self) stored_attributes.emplace(kSomeClass, attribute->attr);
        if (!name && attribute->value->span.text().find("__class__") != std::string_view::npos)
            stored_attributes.emplace(std::string_view(), attribute->attr);
        const auto* asked = attribute->value->as<ast::Call>();
        if (asked && last_name(*asked->func) == "type") stored_attributes.emplace(std::string_view(), attribute->attr);
    };
    const bool is_asked = !self.empty() && def.name != "__init__" && def.name != "__call__" &&
                          (def.name.starts_with("__") || !def.decorator_list.empty());
    const auto may_move = [&](const ast::Stmt& stmt) {
        bool found = stmt.as<ast::AugAssign>() || stmt.as<ast::Delete>();
        if (const auto* node = stmt.as<ast::Assign>())
            found = std::ranges::any_of(node->targets, [](const ast::Expr* one) { return !one->as<ast::Name>(); });
        for_each_computed(stmt, [&](const ast::Expr& expr) {
            for_each_call(expr, [&](const ast::Call& call) {
                const auto* method = call.func->as<ast::Attribute>();
                const ast::Expr* root = method ? root_of(*method->value) : nullptr;
                found = found || (root && root->as<ast::Name>()->id == self);
            });
        });
        return found;
    };
    const auto set_by_name = [&](const ast::Call& call) {
        const auto* name = sets_attribute(call) ? call.args[0]->as<ast::Name>() : nullptr;
        if (!name || (name->id == self && !is_of_class)) return;
        const auto* text = call.args[1]->as<ast::Constant>();
        const auto attribute = text ? scope.constant(*call.args[1]) : std::nullopt;
        const auto* known = attribute ? attribute->as<std::string>() : nullptr;
        stores_any_attribute |= !known;
        if (known) stored_attributes.emplace(std::string_view(), *texts.insert(*known).first);
    };
    for_each_stmt(def.body, [&](const ast::Stmt& stmt) {
        for_each_computed(stmt, [&](const ast::Expr& expr) { for_each_call(expr, set_by_name); });
        const bool moves = !self.empty() && may_move(stmt);
        has_moving_operators = has_moving_operators || (is_asked && moves);
        if (moves) moving.insert(def.name);
        if (const auto* node = stmt.as<ast::Assign>())
            for (const ast::Expr* one : node->targets) target(*one);
        if (const auto* node = stmt.as<ast::AugAssign>()) target(*node->target);
        const auto* returned = stmt.as<ast::Return>();
        const ast::Expr* root = returned && returned->value ? root_of(*returned->value) : nullptr;
        if (root && given.contains(root->as<ast::Name>()->id)) passing.insert(def.name);
        if (const auto* node = stmt.as<ast::FunctionDef>()) note_stores(scope, *node);
        note_outside(scope, stmt);
        note_changes(stmt);
    });
}

namespace {

/// The attributes that a place goes through: `a` and `b` of `x.a[0].b`.
void add_attributes(const ast::Expr& place, std::set<std::string_view>& found) {
    if (const auto* node = place.as<ast::Attribute>()) found.insert(node->attr), add_attributes(*node->value, found);
    if (const auto* node = place.as<ast::Subscript>()) add_attributes(*node->value, found);
}

/// Whether it is a part of what an attribute has: `self.a[1:]`, `o.a[0]`, `self.a.reshape(2, 2)`.
bool is_view(const ast::Expr& expr) {
    const auto* subscript = expr.as<ast::Subscript>();
    const auto* call = expr.as<ast::Call>();
    const auto* method = (call ? *call->func : expr).as<ast::Attribute>();
    const ast::Expr* of = subscript ? subscript->value : method ? method->value : nullptr;
    if (!of || !(of->as<ast::Attribute>() || of->as<ast::Subscript>())) return false;
    static constexpr std::string_view kViews[] = {"T",         "reshape",  "ravel",   "view",
                                                  "transpose", "swapaxes", "squeeze", "flat"};
    return subscript || std::ranges::find(kViews, method->attr) != std::end(kViews);
}

}  // namespace

// What a statement changes in its place, by the names of the attributes and variables that it goes through.
void ModuleScope::Shared::note_changes(const ast::Stmt& stmt) {
    const auto change = [&](const ast::Expr& place) {
        add_attributes(place, changed_attributes);
        if (const ast::Expr* root = root_of(place)) changed_variables.insert(root->as<ast::Name>()->id);
    };
    const std::function<void(const ast::Expr&)> target = [&](const ast::Expr& expr) {
        const auto* tuple = expr.as<ast::Tuple>();
        const auto* list = expr.as<ast::ListExpr>();
        for (const ast::Expr* one : tuple ? tuple->elts : list ? list->elts : ast::ExprList()) target(*one);
        if (const auto* node = expr.as<ast::Attribute>()) change(*node->value);
        if (const auto* node = expr.as<ast::Subscript>()) change(*node->value);
    };
    // `o.a[:2]`, `self.a.T`: what has the view may change the attribute.
    const auto note_viewed = [&](const ast::Expr& value) {
        for_each_place(value, [&](const ast::Expr& part) {
            if (is_view(part)) add_attributes(part, viewed_attributes);
            const auto* call = part.as<ast::Call>();
            if (call && is_view(part)) add_attributes(*call->func, viewed_attributes);
        });
    };
    const auto given = [&](const ast::Expr& to, const ast::Expr& value) {
        std::set<std::string_view> attributes;
        const auto* call = value.as<ast::Call>();
        add_attributes(call && call->func->as<ast::Attribute>() ? *call->func : value, attributes);
        const auto* kept = to.as<ast::Attribute>();
        if (kept && !value.as<ast::Name>() && viewed_name(value)) viewed_attributes.insert(kept->attr);
        note_viewed(value);
        if (kept && is_view(value)) viewed_attributes.insert(kept->attr);
        if (const auto* name = to.as<ast::Name>())
            for (const std::string_view one : attributes) given_attributes.emplace(one, name->id);
    };
    if (const auto* node = stmt.as<ast::Assign>())
        for (const ast::Expr* one : node->targets) target(*one), given(*one, *node->value);
    if (const auto* node = stmt.as<ast::Return>(); node && node->value) {
        const auto* call = node->value->as<ast::Call>();
        if (!call) add_attributes(*node->value, returned_attributes);
        note_viewed(*node->value);
    }
    if (const auto* node = stmt.as<ast::For>()) add_attributes(*node->iter, viewed_attributes);
    if (const auto* node = stmt.as<ast::For>()) target(*node->target), given(*node->target, *node->iter);
    if (const auto* node = stmt.as<ast::AnnAssign>()) target(*node->target);
    if (const auto* node = stmt.as<ast::AugAssign>()) change(*node->target);
    if (const auto* node = stmt.as<ast::Delete>())
        for (const ast::Expr* one : node->targets) target(*one);
    for_each_computed(stmt, [&](const ast::Expr& expr) {
        for_each_call(expr, [&](const ast::Call& call) {
            const auto* method = call.func->as<ast::Attribute>();
            if (method && changes_object(method->attr)) change(*method->value);
            if (method) add_attributes(*method->value, called_attributes);
            if (const ast::Expr* changed = changed_argument(call)) change(*changed);
            for (const ast::Expr* arg : call.args) {
                note_viewed(*arg);
                if (stmt.as<ast::For>()) add_attributes(*arg, viewed_attributes);  // `enumerate(self.a)`
            }
            std::set<std::string_view> passed;
            for (const ast::Expr* arg : call.args) add_attributes(*arg, passed);
            for (const std::string_view one : passed) passed_attributes.emplace(one, last_name(*call.func));
        });
    });
}

// Whether an object that all instances of a class see through one attribute may be changed somewhere.
bool ModuleScope::Shared::may_change(std::string_view attribute, const Entity& value) const {
    const auto constant = to_const(value);
    if (constant ? !can_change(*constant) : !std::holds_alternative<const ModuleScope*>(value)) return false;
    if (changed_attributes.contains(attribute) || returned_attributes.contains(attribute)) return true;
    if (!constant && called_attributes.contains(attribute)) return true;
    const auto is_any = [](const auto& all, std::string_view key, const auto& test) {
        const auto [first, last] = all.equal_range(key);
        return std::any_of(first, last, [&](const auto& one) { return test(one.second); });
    };
    const auto is_changed = [&](std::string_view name) { return changed_variables.contains(name); };
    return is_any(given_attributes, attribute, is_changed) ||
           is_any(passed_attributes, attribute, [&](std::string_view to) {
               return is_any(parameters, to, is_changed) || (!constant && parameters.contains(to));
           });
}

// Whether the name of a class stands where its value may become that of another name: not `A()`, `A.x`.
bool ModuleScope::Shared::is_value(const ModuleScope& scope, std::string_view name) const {
    const auto [slot, is_new] = values.try_emplace(scope.file_);
    const std::function<void(const ast::Expr&, bool)> visit = [&](const ast::Expr& expr, bool is_used) {
        if (const auto* node = expr.as<ast::Name>(); node && !is_used) slot->second.insert(node->id);
        const auto* call = expr.as<ast::Call>();
        const auto* attribute = expr.as<ast::Attribute>();
        const ast::Expr* used = call ? call->func : attribute ? attribute->value : nullptr;
        for_each_child(expr, [&](const ast::Expr& child) { visit(child, &child == used); });
    };
    if (is_new) for_each_expression(scope.file_->body, [&](const ast::Expr& expr) { visit(expr, false); });
    return slot->second.contains(name);
}

bool ModuleScope::Shared::is_stored(const ModuleScope& scope, std::string_view attribute) const {
    if (scope.now_ == SIZE_MAX && changed_outside.contains({&scope, attribute})) return true;
    if (stored_attributes.empty() && !stores_any_attribute) return false;
    const auto found = classes.find(&scope);
    if (found == classes.end()) return false;
    return stores_any_attribute || stored_attributes.contains({found->second->name, attribute}) ||
           stored_attributes.contains({std::string_view(), attribute}) ||
           (stored_attributes.contains({kSomeClass, attribute}) && is_value(scope, found->second->name));
}

// Whether the calls of a function may get what another one has made of a default: `def f(v=[]): v.append(1)`.
bool ModuleScope::Shared::is_default_shared(const FunctionInfo& info, const ast::Arg& param,
                                            const Entity& value) const {
    const auto constant = to_const(value);
    if (constant ? !can_change(*constant) : !std::holds_alternative<const ModuleScope*>(value)) return false;
    for (const Change& change : info.scope->changes_of(info))
        if (change.is_argument && change.inside == param.arg) return true;
    bool is_kept = false;
    const auto has_it = [&](const ast::Expr* expr) {
        const auto* name = expr ? expr->as<ast::Name>() : nullptr;
        return name && name->id == param.arg;
    };
    for_each_stmt(info.def->body, [&](const ast::Stmt& stmt) {
        if (const auto* node = stmt.as<ast::Return>()) is_kept = is_kept || has_it(node->value);
        const auto* assigned = stmt.as<ast::Assign>();
        if (!assigned || !has_it(assigned->value)) return;
        for (const ast::Expr* target : assigned->targets)
            is_kept = is_kept || changed_attributes.contains(last_name(*target)) ||
                      changed_variables.contains(last_name(*target));
    });
    return is_kept;
}

}  // namespace pyk
