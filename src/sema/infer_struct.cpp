// Operators by the methods of a class, and what a dataclass is without them: no tuple, but a struct that is compared
// field by field.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "module/free_names.h"
#include "module/named_operators.h"
#include "sema/infer.h"

namespace pyk {
namespace {

bool is_decorated(const FunctionInfo& method, std::string_view decorator) {
    return std::ranges::any_of(method.def->decorator_list,
                               [&](const ast::Expr* each) { return last_name(*each) == decorator; });
}

/// Whether a function hands back what a name stands for.
bool returns(const ast::FunctionDef& function, std::string_view name) {
    bool found = false;
    const std::function<void(const ast::Expr&)> look = [&](const ast::Expr& expr) {
        const auto* read = expr.as<ast::Name>();
        found = found || (read && read->id == name);
        for_each_child(expr, look);
    };
    for_each_stmt(function.body, [&](const ast::Stmt& stmt) {
        if (const auto* node = stmt.as<ast::Return>(); node && node->value) look(*node->value);
    });
    return found;
}

}  // namespace

// A method of a dataclass or a named tuple; null: there is none.
const FunctionInfo* Inference::method_of(Type type, std::string_view name) const {
    const ClassInfo* info = type && type.is_tuple() ? scope_.class_named(type.tuple_name()) : nullptr;
    if (!info) return nullptr;
    const auto found = info->methods.find(name);
    return found == info->methods.end() ? nullptr : &found->second;
}

// A method as it is called on a value, or on the class: with what stands for its first parameter. The value of a
// property.
Value Inference::bound_method(const FunctionInfo& method, const ClassInfo* info, std::optional<Value> self, Span span) {
    if (self && is_decorated(method, "property")) {
        std::vector<Value> args;
        args.push_back(std::move(*self));
        return call_instance(method, std::move(args), span);
    }
    Value bound;
    bound.entity = &method;
    bound.span = span;
    if (is_decorated(method, "staticmethod")) return bound;
    if (is_decorated(method, "classmethod")) self = of_entity(info, span);
    if (self) bound.receiver = std::make_shared<const Value>(std::move(*self));
    return bound;
}

// What the class of one of the operands says; nullopt: nothing.
std::optional<Value> Inference::by_method(BinaryOp op, Value& lhs, Value& rhs, Span span) {
    const auto* const row = named_by(kNamedOperators, &NamedOperator::op, op);
    const auto* const compared = row ? nullptr : named_by(kNamedComparisons, &NamedComparison::op, op);
    if (!row && !compared) return std::nullopt;
    const FunctionInfo* method = method_of(lhs.type, row ? row->method : compared->method);
    const bool is_reflected = !method;
    if (is_reflected) method = method_of(rhs.type, row ? row->reflected : compared->reflected);
    if (!method) return std::nullopt;
    std::vector<Value> args;
    args.push_back(std::move(is_reflected ? rhs : lhs));
    args.push_back(std::move(is_reflected ? lhs : rhs));
    return call_instance(*method, std::move(args), span);
}

// `__iadd__` of `a += b`; null: there is none.
const FunctionInfo* Inference::inplace_method(BinaryOp op, Type type) const {
    const auto* const row = named_by(kNamedOperators, &NamedOperator::op, op);
    return row ? method_of(type, row->in_place) : nullptr;
}

std::optional<Value> Inference::by_method(UnaryOp op, Value& operand, Span span) {
    const auto* const row = named_by(kNamedUnaries, &NamedUnary::op, op);
    return row ? by_method(row->method, operand, span) : std::nullopt;
}

// `len(v)`, `abs(v)`, the truth of v.
std::optional<Value> Inference::by_method(std::string_view name, Value& operand, Span span) {
    const FunctionInfo* method = method_of(operand.type, name);
    if (!method) return std::nullopt;
    std::vector<Value> args;
    args.push_back(std::move(operand));
    return call_instance(*method, std::move(args), span);
}

// A comparison in which a class has a say; nullopt: it is one of tuples or numbers.
std::optional<Value> Inference::compared_by_class(BinaryOp op, Value& lhs, Value& rhs, Span span, ir::Block& out) {
    if (auto known = by_method(op, lhs, rhs, span)) return truth_of(std::move(*known), span, out);
    if (op == BinaryOp::Ne)
        if (auto equal = by_method(BinaryOp::Eq, lhs, rhs, span))
            return unary(UnaryOp::Not, truth_of(std::move(*equal), span, out), span);
    if (!is_structure(lhs.type) && !is_structure(rhs.type)) return std::nullopt;
    const bool is_equality = op == BinaryOp::Eq || op == BinaryOp::Ne;
    const bool is_same = lhs.type == rhs.type;
    if (is_equality && !is_same) return of_const(Const{op == BinaryOp::Ne, {}}, span);
    if (is_equality) return equal_elements(op == BinaryOp::Ne, std::move(lhs), std::move(rhs), span, out);
    const ClassInfo* info = is_same ? scope_.class_named(lhs.type.tuple_name()) : nullptr;
    if (info && info->is_ordered) return compare_tuples(op, std::move(lhs), std::move(rhs), span, out);
    return error(diag::no_operator, span, pyk::info(op).python, lhs.type.name(), rhs.type.name());
}

// `v.x = 1` of a dataclass that a name, or a field of one, stands for: that becomes a value with another element.
void Inference::replace_element(const ast::Expr& owner, Value base, std::string_view attr, Value value,
                                const ast::Expr& target, ir::Block& out) {
    const auto index = base.type.element_index(attr);
    if (!index) {
        unknown_field(base.type, attr, target.as<ast::Attribute>()->attr_span);
        return;
    }
    const ClassInfo* info = scope_.class_named(base.type.tuple_name());
    if (info && info->is_frozen) {
        error(diag::unsupported_syntax, target.span, "assignments to the fields of a frozen dataclass",
              "make a new one");
        return;
    }
    if (value.is_unknown() || !needs_value(value, value.span)) return;
    value = converted(std::move(value), base.type.elements()[*index], value.span);
    if (!value.expr) return;
    const auto* name = owner.as<ast::Name>();
    const auto* local = base.expr->as<ir::LocalRef>();
    const bool is_given = name && local && function_.local(local->id).storage == ir::Storage::parameter;
    if (is_given && !returns(*instance_.info->def, name->id))
        diagnostics_.report(diag::copy_changed, target.span, name->id);
    const Type type = base.type;
    std::vector<Value> items = elements(std::move(base), out);
    items[*index] = std::move(value);
    Value whole = make_tuple(std::move(items), target.span);
    if (!whole.expr) return;
    whole.type = whole.expr->type = type;
    whole.constant.reset();
    if (name)
        define(*names_.index(name->id), &target, std::move(whole), target.span, out);
    else
        store_attribute(owner, std::move(whole), target.span, out);
}

}  // namespace pyk
