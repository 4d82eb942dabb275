// What the classes of module code say of operators: `a + b`, `-a`, `a[i]`, `len(a)`, `x in a`, loops over objects.
#include <algorithm>

#include "module/free_names.h"
#include "module/host_iterators.h"
#include "module/named_operators.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

constexpr std::pair<std::string_view, std::string_view> kAsked[] = {
    {"len", "__len__"}, {"abs", "__abs__"}, {"int", "__int__"}, {"float", "__float__"}};

constexpr std::string_view kPlaces[] = {"__getitem__", "__contains__", "__iter__", "__next__", "__bool__"};

/// A number, a text or a tuple of Python's own, none of whose operators take objects.
bool is_plain(const Entity& value) {
    const auto constant = to_const(value);
    return constant && is_number(*constant) && !constant->typed && !constant->member_of;
}

std::optional<Entity> negated(const std::optional<Entity>& value) {
    const auto known = value ? to_const(*value) : std::nullopt;
    return known ? std::optional<Entity>(Const{!truth(*known), {}}) : std::nullopt;
}

}  // namespace

bool ModuleScope::Shared::is_instance_object(const Entity& value) {
    const auto* object = std::get_if<const ModuleScope*>(&value);
    return object && (*object)->is_object_ && (*object)->class_;
}

// The method of a right operand comes first where its class is derived from the left one's.
bool ModuleScope::Shared::may_operate(const Entity& left, const Entity& right) {
    return !is_instance_object(right) ||
           std::get<const ModuleScope*>(left)->class_ == std::get<const ModuleScope*>(right)->class_;
}

// A method of the object's class that leaves the object and its arguments as they are; null: it has no such.
const FunctionInfo* ModuleScope::Shared::special_method(const Entity& object, std::string_view method) {
    if (!is_instance_object(object)) return nullptr;
    const ModuleScope& body = *std::get<const ModuleScope*>(object)->class_;
    const FunctionInfo* info = function_in(body.shared_->present(body).own(method));
    const bool is_called = info && info->kind == FunctionKind::plain && info->def->decorator_list.empty();
    return is_called && is_still(*info) ? info : nullptr;
}

// The names of a file's objects of which an expression asks what their classes say and what changes them there:
// `counter[0]` where `__getitem__` counts, a property that fills a cache.
void ModuleScope::Shared::add_changed_by_operators(const ModuleScope& scope, const ast::Expr& expr,
                                                   std::vector<const ast::Expr*>& found) {
    const auto operand = [&](const ast::Expr& one, std::string_view attr = {}) {
        const ast::Expr* root = root_of(one);
        const auto object = root ? scope.evaluate(one) : std::nullopt;
        if (object && is_instance_object(*object) && moves(*object, attr)) found.push_back(root);
    };
    if (const auto* node = expr.as<ast::Subscript>()) operand(*node->value);
    if (const auto* node = expr.as<ast::Attribute>()) operand(*node->value, node->attr);
    if (const auto* node = expr.as<ast::BinOp>()) operand(*node->left), operand(*node->right);
    if (const auto* node = expr.as<ast::Unary>()) operand(*node->operand);
    if (const auto* node = expr.as<ast::Compare>()) {
        operand(*node->left);
        for (const ast::Expr* one : node->comparators) operand(*one);
    }
    const auto* call = expr.as<ast::Call>();
    const auto* callee = call ? call->func->as<ast::Name>() : nullptr;
    if (callee && find_builtin(callee->id))
        for (const ast::Expr* one : call->args) operand(*one);
    for_each_host_child(expr, [&](const ast::Expr& child) { add_changed_by_operators(scope, child, found); });
}

// Whether a method leaves its object as it is, or changes it only when first asked, to keep what it gives:
// `if self._table is None: self._table = …`.
bool ModuleScope::Shared::gives_the_same(const FunctionInfo& info) {
    if (is_still(info)) return true;
    bool keeps_only = true;
    const std::function<void(const ast::Block&, bool)> walk = [&](const ast::Block& block, bool is_first_time) {
        for (const ast::Stmt* stmt : block) {
            const auto* assign = stmt->as<ast::Assign>();
            const auto is_name = [](const ast::Expr* one) { return one->as<ast::Name>() != nullptr; };
            if (stmt->as<ast::AugAssign>() ||
                (assign && !is_first_time && !std::ranges::all_of(assign->targets, is_name)))
                keeps_only = false;
            const auto* test = stmt->as<ast::If>();
            const std::string_view asked = test ? test->test->span.text() : std::string_view();
            const auto asks = [&](std::string_view word) { return asked.find(word) != asked.npos; };
            const bool is_cache = asks("None") || asks("hasattr") || asks(" in ");
            for_each_block(*stmt, [&](const ast::Block& inner) { walk(inner, is_first_time || is_cache); });
        }
    };
    walk(info.def->body, false);
    return keeps_only;
}

// Whether the class of an object has a property of this name, or, without one, an operator, that changes the object.
bool ModuleScope::Shared::moves(const Entity& object, std::string_view attr) {
    const ModuleScope& body = *std::get<const ModuleScope*>(object)->class_;
    const auto changes = [&](std::string_view name, bool is_property) {
        const FunctionInfo* info = function_in(body.shared_->present(body).own(name));
        return info && info->kind == FunctionKind::plain && info->def->decorator_list.empty() != is_property &&
               !has_decorator(*info, "staticmethod") && !has_decorator(*info, "classmethod") && !gives_the_same(*info);
    };
    if (!attr.empty()) return changes(attr, true);
    const auto is_one = [&](std::string_view name) { return changes(name, false); };
    const auto is_method = [&](const auto& row) { return is_one(row.method); };
    return std::ranges::any_of(kNamedOperators,
                               [&](const NamedOperator& one) { return is_one(one.method) || is_one(one.reflected); }) ||
           std::ranges::any_of(kNamedComparisons, is_method) || std::ranges::any_of(kNamedUnaries, is_method) ||
           std::ranges::any_of(kAsked, [&](const auto& one) { return is_one(one.second); }) ||
           std::ranges::any_of(kPlaces, is_one);
}

std::optional<Entity> ModuleScope::Shared::call_special(const ModuleScope& scope, const void* key, const Entity& object,
                                                        std::string_view method,
                                                        std::vector<std::optional<Entity>> arguments) {
    const FunctionInfo* info = special_method(object, method);
    if (!info) return std::nullopt;
    arguments.insert(arguments.begin(), object);
    const bool running = std::exchange(scope.running_, true);  // each call is another one
    const ModuleScope* run = scope.run_of(*info, key, {.values = std::move(arguments)});
    scope.running_ = running;
    return run ? run->returned_value_ : std::nullopt;
}

std::optional<Entity> ModuleScope::Shared::operated(const ModuleScope& scope, const ast::BinOp& node,
                                                    const Entity& left, const Entity& right) {
    const auto* methods = named_by(kNamedOperators, &NamedOperator::written, node.op);
    if (!is_instance_object(left))
        return is_plain(left) ? call_special(scope, &node, right, methods->reflected, {left}) : std::nullopt;
    return may_operate(left, right) ? call_special(scope, &node, left, methods->method, {right}) : std::nullopt;
}

std::optional<Entity> ModuleScope::Shared::operated(const ModuleScope& scope, const ast::Unary& node,
                                                    const Entity& operand) {
    const auto* found = named_by(kNamedUnaries, &NamedUnary::written, node.op);
    return found ? call_special(scope, &node, operand, found->method, {}) : std::nullopt;
}

// Of two operands; nullopt: neither is an object whose class says it.
std::optional<Entity> ModuleScope::Shared::compared(const ModuleScope& scope, const ast::Compare& node,
                                                    const Entity& left) {
    const ast::CompareOp op = node.ops[0];
    const bool is_membership = op == ast::CompareOp::In || op == ast::CompareOp::NotIn;
    const ast::Expr& other = *node.comparators[0];
    const bool is_asked = is_membership ? root_of(other) || other.as<ast::Call>() : is_instance_object(left);
    const auto right = is_asked ? scope.evaluate(other) : std::nullopt;
    if (!right) return std::nullopt;
    if (is_membership) {
        const auto is_not = negated(call_special(scope, &node, *right, "__contains__", {left}));
        return op == ast::CompareOp::NotIn ? is_not : negated(is_not);
    }
    const auto* row = named_by(kNamedComparisons, &NamedComparison::written, op);
    if (!row || !may_operate(left, *right)) return std::nullopt;
    const ModuleScope& body = *std::get<const ModuleScope*>(left)->class_;
    if (!body.own(row->method) && !body.own("__eq__") && is_instance_object(*right)) {
        const auto is = compared_fields(op, *std::get<const ModuleScope*>(left), *std::get<const ModuleScope*>(*right));
        return is ? std::optional<Entity>(Const{*is, {}}) : std::nullopt;
    }
    if (op == ast::CompareOp::NotEq && !body.own("__ne__"))
        return negated(call_special(scope, &node, left, "__eq__", {right}));
    return call_special(scope, &node, left, row->method, {right});
}

// `len(a)`, `int(a)`.
std::optional<Entity> ModuleScope::Shared::asked_of_object(const ModuleScope& scope,
                                                           const std::optional<Entity>& callee, const ast::Call& node) {
    const auto* builtin = callee ? std::get_if<const Builtin*>(&*callee) : nullptr;
    const auto* name = node.func->as<ast::Name>();
    if (!name || !builtin || node.args.size() != 1 || !node.keywords.empty()) return std::nullopt;
    const auto* asked = std::ranges::find(kAsked, name->id, &std::pair<std::string_view, std::string_view>::first);
    const auto value = asked == std::end(kAsked) ? std::nullopt : scope.evaluate(*node.args[0]);
    return value ? call_special(scope, &node, *value, asked->second, {}) : std::nullopt;
}

// What a loop over an object takes.
std::optional<Const> ModuleScope::Shared::items_of_object(const Entity& object) {
    if (!is_instance_object(object)) return std::nullopt;
    const ModuleScope& scope = *std::get<const ModuleScope*>(object);
    const auto value = call_special(scope, &scope, object, "__iter__", {});
    const auto items = value ? to_const(*value) : std::nullopt;
    return items && is_iterator(*items) ? std::optional(as_whole(*items)) : std::nullopt;
}

// What a test finds, where the class says it.
std::optional<bool> ModuleScope::Shared::truth_of_object(const ModuleScope& scope, const ast::Expr& test,
                                                         const Entity& object) {
    for (const std::string_view method : {"__bool__", "__len__"}) {
        const auto value = call_special(scope, &test, object, method, {});
        const auto known = value ? to_const(*value) : std::nullopt;
        if (known) return truth(*known);
        if (std::get<const ModuleScope*>(object)->own(method)) return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace pyk
