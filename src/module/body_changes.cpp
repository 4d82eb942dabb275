#include "module/body_changes.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "module/free_names.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

/// The names of which a value may be the object, or one in it.
/// `passing`: functions that return what they are given.
void for_each_object(const ast::Expr& expr, const std::set<std::string_view>& passing,
                     const std::function<void(const ast::Expr&)>& visit) {
    static constexpr std::string_view kOver[] = {"enumerate", "zip",  "reversed",  "iter", "values",
                                                 "items",     "get",  "reshape",   "view", "ravel",
                                                 "transpose", "next", "setdefault"};
    const auto all = [&](ast::ExprList exprs) {
        for (const ast::Expr* one : exprs) for_each_object(*one, passing, visit);
    };
    if (expr.as<ast::Name>()) visit(expr);
    if (const auto* node = expr.as<ast::Attribute>()) for_each_object(*node->value, passing, visit);
    if (const auto* node = expr.as<ast::Subscript>()) for_each_object(*node->value, passing, visit);
    if (const auto* node = expr.as<ast::Tuple>()) all(node->elts);
    if (const auto* node = expr.as<ast::ListExpr>()) all(node->elts);
    if (const auto* node = expr.as<ast::BoolOp>()) all(node->values);
    if (const auto* node = expr.as<ast::IfExp>()) {
        for_each_object(*node->body, passing, visit);
        for_each_object(*node->orelse, passing, visit);
    }
    const auto* call = expr.as<ast::Call>();
    const std::string_view callee = call ? last_name(*call->func) : std::string_view();
    if (!call || (std::ranges::find(kOver, callee) == std::end(kOver) && !passing.contains(callee))) return;
    if (const auto* method = call->func->as<ast::Attribute>()) for_each_object(*method->value, passing, visit);
    all(call->args);
}

/// Functions and methods whose result has what they are given, or is one of its items.
constexpr std::string_view kHolding[] = {
    "list",      "tuple",    "dict",    "sorted", "reversed", "zip",        "map",    "filter", "iter",
    "next",      "max",      "min",     "chain",  "asarray",  "enumerate",  "view",   "ravel",  "reshape",
    "transpose", "swapaxes", "squeeze", "split",  "flip",     "deque",      "get",    "pop",    "items",
    "values",    "fromkeys", "append",  "extend", "update",   "setdefault", "insert", "choice"};

/// The names whose objects a value may have in it.
void for_each_held(const ast::Expr& expr, const std::function<void(const ast::Expr&)>& visit) {
    const auto all = [&](ast::ExprList exprs) {
        for (const ast::Expr* one : exprs)
            if (one) for_each_held(*one, visit);
    };
    if (expr.as<ast::Name>()) visit(expr);
    if (const auto* node = expr.as<ast::Attribute>()) for_each_held(*node->value, visit);
    if (const auto* node = expr.as<ast::Subscript>()) for_each_held(*node->value, visit);
    if (const auto* node = expr.as<ast::Starred>()) for_each_held(*node->value, visit);
    if (const auto* node = expr.as<ast::NamedExpr>()) for_each_held(*node->value, visit);
    if (const auto* node = expr.as<ast::Tuple>()) all(node->elts);
    if (const auto* node = expr.as<ast::ListExpr>()) all(node->elts);
    if (const auto* node = expr.as<ast::Dict>()) all(node->values);
    if (const auto* node = expr.as<ast::BoolOp>()) all(node->values);
    if (const auto* node = expr.as<ast::IfExp>())
        for_each_held(*node->body, visit), for_each_held(*node->orelse, visit);
    if (const auto* node = expr.as<ast::ListComp>()) for_each_held(*node->elt, visit);
    if (const auto* node = expr.as<ast::GeneratorExp>()) for_each_held(*node->elt, visit);
    if (const auto* node = expr.as<ast::DictComp>()) for_each_held(*node->value, visit);
    for (const ast::Comprehension& one : generators_of(expr)) for_each_held(*one.iter, visit);
    const auto is_display = [](const ast::Expr& side) { return side.as<ast::ListExpr>() || side.as<ast::Tuple>(); };
    if (const auto* node = expr.as<ast::BinOp>(); node && (is_display(*node->left) || is_display(*node->right)))
        for_each_held(*node->left, visit), for_each_held(*node->right, visit);
    const auto* call = expr.as<ast::Call>();
    if (!call || std::ranges::find(kHolding, last_name(*call->func)) == std::end(kHolding)) return;
    if (const auto* method = call->func->as<ast::Attribute>()) for_each_held(*method->value, visit);
    all(call->args);
    for (const ast::Keyword& keyword : call->keywords) for_each_held(*keyword.value, visit);
}

/// Whether a call gives an item of what it is given, or the array itself.
bool is_item_of(const ast::Call& call) {
    static constexpr std::string_view kItems[] = {"max", "min",        "next",   "get",
                                                  "pop", "setdefault", "choice", "asarray"};
    return std::ranges::find(kItems, last_name(*call.func)) != std::end(kItems);
}

/// Whether a place is in an item of what its root names: `x[0][1]`, and `x[0]` of `x[0].append(1)`.
bool is_in_item(const ast::Expr& place, bool is_store) {
    const auto* subscript = place.as<ast::Subscript>();
    const auto* attribute = place.as<ast::Attribute>();
    const ast::Expr* of = subscript ? subscript->value : attribute ? attribute->value : nullptr;
    return of && (!is_store || of->as<ast::Subscript>() || of->as<ast::Attribute>());
}

}  // namespace

ast::List<ast::Comprehension> generators_of(const ast::Expr& expr) {
    if (const auto* node = expr.as<ast::ListComp>()) return node->generators;
    if (const auto* node = expr.as<ast::SetComp>()) return node->generators;
    if (const auto* node = expr.as<ast::DictComp>()) return node->generators;
    if (const auto* node = expr.as<ast::GeneratorExp>()) return node->generators;
    return {};
}

std::set<std::string_view> own_names(const ast::FunctionDef& def, const BodyChanges& body) {
    std::set<std::string_view> names = body.own();
    for_each_parameter(*def.args, [&](const ast::Arg& arg) { names.insert(arg.arg); });
    if (def.args->kwarg) names.insert(def.args->kwarg->arg);
    return names;
}

std::set<std::string_view> BodyChanges::own() const {
    std::set<std::string_view> names;
    for (const auto& [name, written] : assigned)
        if (!globals.contains(name)) names.insert(name);
    return names;
}

void BodyChanges::change(const ast::Expr& place, bool is_store) {
    const ast::Expr* root = root_of(place);
    if (!root) return;
    in_place.emplace(root->as<ast::Name>()->id, root);
    if (is_in_item(place, is_store)) deep_.insert(root->as<ast::Name>()->id);
}

void BodyChanges::follow_aliases() {
    for (bool is_more = true; std::exchange(is_more, false);) {
        for (const auto& [name, source] : aliases) {
            const std::string_view other = source->as<ast::Name>()->id;
            if (in_place.contains(name) && in_place.emplace(other, source).second) is_more = true;
            if (deep_.contains(name) && deep_.insert(other).second) is_more = true;
        }
        for (const std::string_view name : std::set(deep_)) lose(name, held_, is_more);
        for (const auto& [name, written] : std::map(in_place)) lose(name, items_, is_more);
    }
}

// What has objects among others was changed.
void BodyChanges::lose(std::string_view name, const std::multimap<std::string_view, const ast::Expr*>& sources,
                       bool& is_more) {
    for (auto [at, last] = sources.equal_range(name); at != last; ++at) {
        const std::string_view other = at->second->as<ast::Name>()->id;
        if (other == name) continue;
        in_place.emplace(other, at->second);
        if (lost.insert(other).second) deep_.insert(other), is_more = true;
    }
}

void BodyChanges::hold(std::string_view name, const ast::Expr& value) {
    for_each_held(value, [&](const ast::Expr& source) { held_.emplace(name, &source); });
}

void BodyChanges::alias(const ast::Expr& target, const ast::Expr& value) {
    const auto* tuple = target.as<ast::Tuple>();
    const auto* values = value.as<ast::Tuple>();
    for (size_t i = 0; tuple && i < tuple->elts.size(); ++i)
        alias(*tuple->elts[i], values && i < values->elts.size() ? *values->elts[i] : value);
    if (const auto* name = target.as<ast::Name>()) {
        for_each_object(value, passing_, [&](const ast::Expr& source) { aliases.emplace(name->id, &source); });
        const auto* call = value.as<ast::Call>();
        const bool is_item = call && is_item_of(*call) && !is_followed(value);
        for_each_held(value, [&](const ast::Expr& source) { (is_item ? items_ : held_).emplace(name->id, &source); });
    } else if (const ast::Expr* root = root_of(target)) {
        hold(root->as<ast::Name>()->id, value);  // `d["k"] = a`
    }
}

/// Whether it is known by name what a value is, or goes over.
bool BodyChanges::is_followed(const ast::Expr& value) const {
    bool found = false;
    for_each_object(value, passing_, [&](const ast::Expr&) { found = true; });
    return found;
}

void BodyChanges::block(const ast::Block& body) {
    for (const ast::Stmt* stmt : body) {
        if (const auto* node = stmt->as<ast::Assign>())
            for (const ast::Expr* one : node->targets) alias(*one, *node->value);
        if (const auto* node = stmt->as<ast::For>()) {
            alias(*node->target, *node->iter);
            if (!is_followed(*node->iter))
                for_each_target(*node->target, [&](std::string_view name) {
                    for_each_held(*node->iter, [&](const ast::Expr& source) { items_.emplace(name, &source); });
                });
        }
        if (const auto* node = stmt->as<ast::Global>()) globals.insert(node->names.begin(), node->names.end());
        if (const auto* node = stmt->as<ast::Nonlocal>()) globals.insert(node->names.begin(), node->names.end());
        if (const auto* node = stmt->as<ast::Assign>())
            for (const ast::Expr* one : node->targets) target(*one);
        if (const auto* node = stmt->as<ast::AnnAssign>()) target(*node->target);
        if (const auto* node = stmt->as<ast::For>()) target(*node->target);
        if (const auto* node = stmt->as<ast::AugAssign>()) change(*node->target, true);
        if (const auto* node = stmt->as<ast::Delete>())
            for (const ast::Expr* one : node->targets) change(*one, true);
        if (const auto* node = stmt->as<ast::With>())
            for (const ast::WithItem& item : node->items)
                if (item.optional_vars) target(*item.optional_vars);
        for_each_computed(*stmt, [&](const ast::Expr& expr) {
            for_each_call(expr, [&](const ast::Call& call) { called(call); });
            inside(expr);
        });
        for_each_block(*stmt, [&](const ast::Block& inner) { block(inner); });
    }
}

// `(n := f(x))`, and `[q.append(1) for q in (a, b)]`.
void BodyChanges::inside(const ast::Expr& expr) {
    if (const auto* node = expr.as<ast::NamedExpr>()) alias(*node->target, *node->value), target(*node->target);
    for (const ast::Comprehension& one : generators_of(expr)) alias(*one.target, *one.iter);
    for_each_host_child(expr, [&](const ast::Expr& child) { inside(child); });
}

void BodyChanges::target(const ast::Expr& expr) {
    if (const auto* name = expr.as<ast::Name>()) assigned.emplace(name->id, &expr);
    if (const auto* tuple = expr.as<ast::Tuple>())
        for (const ast::Expr* one : tuple->elts) target(*one);
    if (const auto* list = expr.as<ast::ListExpr>())
        for (const ast::Expr* one : list->elts) target(*one);
    if (const auto* starred = expr.as<ast::Starred>()) target(*starred->value);
    if (expr.as<ast::Subscript>() || expr.as<ast::Attribute>()) change(expr, true);
}

void BodyChanges::called(const ast::Call& call) {
    calls.push_back(&call);
    const auto* method = call.func->as<ast::Attribute>();
    if (method && (changes_object(method->attr) || moving_.contains(method->attr))) change(*method->value);
    const ast::Expr* object = method && changes_object(method->attr) ? root_of(*method->value) : nullptr;
    for (const ast::Expr* arg : object ? call.args : ast::ExprList()) hold(object->as<ast::Name>()->id, *arg);
    if (const ast::Expr* changed = changed_argument(call)) change(*changed);
}

}  // namespace pyk
