// Values that may be None.
#include "sema/infer.h"

namespace pyk {

bool Inference::is_none(const Rare<Entity>& entity) {
    const Const* constant = entity ? std::get_if<Const>(&*entity) : nullptr;
    return constant && constant->as<Const::None>();
}

// None as a value of an Optional.
ir::ExprPtr Inference::none_of(Type optional, Span span) { return ir::make(optional, span, ir::MakeTuple{}); }

// What an Optional holds. Where it is not known to hold something, that is tested.
Value Inference::unwrapped(Value value) {
    if (!value.type.is_optional()) return value;
    const Type type = value.type.elements()[1];
    value.expr = in_type(value, type);
    value.type = type;
    return value;
}

// An operand: arrays that may be None are as good as arrays, and Numba's operators of Optional numbers have types of
// their own.
Value Inference::unwrapped_array(Value value) {
    const bool may_be_array = value.type.is_optional() && value.type.elements()[1].is_array();
    return may_be_array ? unwrapped(std::move(value)) : std::move(value);
}

// `x is not None`.
Value Inference::has_value(Value optional, Span span) {
    Value result;
    result.type = Scalar::boolean;
    result.span = span;
    result.effects = optional.effects;
    result.expr = ir::make(Scalar::boolean, span, ir::TupleItem{std::move(optional.expr), 0});
    return result;
}

// None is false, as in Python; Numba refuses to ask.
Value Inference::truth_of_optional(Value value, Span span, ir::Block& out) {
    if (!value.is_trivial()) value = spill(std::move(value), "value", out);
    const Type held = value.type.elements()[1];
    Value inside;
    inside.type = held;
    inside.span = span;
    inside.expr = ir::make(held, span, ir::TupleItem{ir::clone(*value.expr), 1});
    const auto inside_truth = [&](ir::Block& block) { return truth_of(std::move(inside), span, block); };
    return short_circuit(true, has_value(std::move(value), span), inside_truth, nullptr, span, out);
}

// The variables that hold something where a test is true, or where it is false: `x is not None and …`.
void Inference::assume(const ast::Expr& test, bool holds) {
    if (!reachable()) return;
    if (const auto* node = test.as<ast::Unary>(); node && node->op == ast::UnaryOp::Not)
        return assume(*node->operand, !holds);
    if (const auto* node = test.as<ast::BoolOp>()) {
        if ((node->op == ast::LogicalOp::And) == holds)
            for (const ast::Expr* operand : node->values) assume(*operand, holds);
        return;
    }
    const auto* node = test.as<ast::Compare>();
    const ast::Expr* asked = node && node->ops.size() == 1 ? node->left : node ? nullptr : &test;
    const auto* walrus = asked ? asked->as<ast::NamedExpr>() : nullptr;
    const auto* name = asked ? (walrus ? walrus->target : asked)->as<ast::Name>() : nullptr;
    const auto index = name ? names_.index(name->id) : std::nullopt;
    if (!index) return;
    if (!node) {
        if (holds) some_.insert((*env_)[*index]);
        return;
    }
    const auto* other = node->comparators[0]->as<ast::Constant>();
    if (!other || !std::holds_alternative<ast::NoneValue>(other->value)) return;
    const auto op = node->ops[0];
    const bool some_if_true = op == ast::CompareOp::IsNot || op == ast::CompareOp::NotEq;
    const bool some_if_false = op == ast::CompareOp::Is || op == ast::CompareOp::Eq;
    if (holds ? some_if_true : some_if_false) some_.insert((*env_)[*index]);
}

}  // namespace pyk
