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

}  // namespace

ast::List<ast::Comprehension> generators_of(const ast::Expr& expr) {
    if (const auto* node = expr.as<ast::ListComp>()) return node->generators;
    if (const auto* node = expr.as<ast::SetComp>()) return node->generators;
    if (const auto* node = expr.as<ast::DictComp>()) return node->generators;
    if (const auto* node = expr.as<ast::GeneratorExp>()) return node->generators;
    return {};
}

void BodyChanges::change(const ast::Expr& place) {
    if (const ast::Expr* root = root_of(place)) in_place.emplace(root->as<ast::Name>()->id, root);
}

void BodyChanges::follow_aliases() {
    for (bool is_more = true; std::exchange(is_more, false);)
        for (const auto& [name, source] : aliases)
            if (in_place.contains(name) && in_place.emplace(source->as<ast::Name>()->id, source).second) is_more = true;
}

void BodyChanges::alias(const ast::Expr& target, const ast::Expr& value) {
    const auto* tuple = target.as<ast::Tuple>();
    const auto* values = value.as<ast::Tuple>();
    for (size_t i = 0; tuple && i < tuple->elts.size(); ++i)
        alias(*tuple->elts[i], values && i < values->elts.size() ? *values->elts[i] : value);
    if (const auto* name = target.as<ast::Name>())
        for_each_object(value, passing_, [&](const ast::Expr& source) { aliases.emplace(name->id, &source); });
}

void BodyChanges::block(const ast::Block& body) {
    for (const ast::Stmt* stmt : body) {
        if (const auto* node = stmt->as<ast::Assign>())
            for (const ast::Expr* one : node->targets) alias(*one, *node->value);
        if (const auto* node = stmt->as<ast::For>()) alias(*node->target, *node->iter);
        if (const auto* node = stmt->as<ast::Global>()) globals.insert(node->names.begin(), node->names.end());
        if (const auto* node = stmt->as<ast::Nonlocal>()) globals.insert(node->names.begin(), node->names.end());
        if (const auto* node = stmt->as<ast::Assign>())
            for (const ast::Expr* one : node->targets) target(*one);
        if (const auto* node = stmt->as<ast::AnnAssign>()) target(*node->target);
        if (const auto* node = stmt->as<ast::For>()) target(*node->target);
        if (const auto* node = stmt->as<ast::AugAssign>()) change(*node->target);
        if (const auto* node = stmt->as<ast::Delete>())
            for (const ast::Expr* one : node->targets) change(*one);
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
    if (expr.as<ast::Subscript>() || expr.as<ast::Attribute>()) change(expr);
}

void BodyChanges::called(const ast::Call& call) {
    calls.push_back(&call);
    const auto* method = call.func->as<ast::Attribute>();
    if (method && (changes_object(method->attr) || moving_.contains(method->attr))) change(*method->value);
    if (const ast::Expr* changed = changed_argument(call)) change(*changed);
}

}  // namespace pyk
