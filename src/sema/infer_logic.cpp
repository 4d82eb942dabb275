// Conditions: truth, `and` and `or`, the ternary.
#include <algorithm>

#include "sema/infer.h"
#include "types/holds_arrays.h"

namespace pyk {
namespace {

/// An array of layout A as such in C++ too, which chooses between arrays only where one is of the type of both.
ir::ExprPtr strided(ir::ExprPtr array) {
    const Type type = array->type;
    const Span span = array->span;
    ir::BuiltinCall call{&builtin("pyk.strided"), {}};
    call.args.push_back(std::move(array));
    return ir::make(type, span, std::move(call));
}

}  // namespace

// --- truth -----
Value Inference::truth_of(Value value, Span span, ir::Block& out) {
    as_structure(value);
    if (value.is_unknown()) return value;
    if (value.type.is_optional()) return truth_of_optional(std::move(value), span, out);
    std::optional<Const> constant;
    if (value.constant) constant = Const{truth(*value.constant), {}};
    if (!value.is_runtime()) return constant ? of_const(*constant, span) : error(diag::not_a_value, span);
    if (is_sequence(value.type)) return of_const(Const{value.type.size() != 0, {}}, span);
    for (const std::string_view method : {"__bool__", "__len__"})
        if (auto known = by_method(method, value, span)) return truth_of(std::move(*known), span, out);
    if (is_structure(value.type)) return of_const(Const{true, {}}, span);
    if (value.type.is_text()) value = text_length(std::move(value), span);
    if (!value.type.is_scalar()) return error(diag::no_truth, span, value.type.name());
    value.expr = ir::convert(std::move(value.expr), Scalar::boolean);
    value.type = Scalar::boolean;
    value.constant = constant;
    return value;
}

// `outcomes`, wanted where walruses assign: the operands of `a and b` are all evaluated when it is true, those of `a or
// b` when it is false.
Value Inference::lower_condition(const ast::Expr& expr, ir::Block& out, Outcomes* outcomes) {
    const auto* node = expr.as<ast::BoolOp>();
    if (!names_.has_walrus()) outcomes = nullptr;
    if (!node) {
        Value value = truth_of(lower(expr, out), expr.span, out);
        if (outcomes) *outcomes = {*env_, *env_};
        return value;
    }
    const bool is_and = node->op == ast::LogicalOp::And;
    if (!names_.has_walrus()) {
        Value value = lower_condition(*node->values[0], out);
        const std::set<VersionId> some = some_;
        const size_t facts = facts_.size();
        for (size_t i = 1; i < node->values.size(); ++i) {
            assume(*node->values[i - 1], is_and);
            facts_.push_back({made(*node->values[i - 1]), is_and});
            value = short_circuit(
                is_and, std::move(value), [&](ir::Block& block) { return lower_condition(*node->values[i], block); },
                node->values[i], expr.span, out);
        }
        some_ = some;
        facts_.resize(facts);
        return value;
    }
    std::optional<Env> behind_all;
    const auto from = [&](auto& self, size_t i, ir::Block& block) -> Value {
        Value value = lower_condition(*node->values[i], block);
        if (i + 1 == node->values.size()) behind_all = *env_;
        if (i + 1 == node->values.size()) return value;
        return short_circuit(
            is_and, std::move(value), [&](ir::Block& inner) { return self(self, i + 1, inner); }, node->values[i + 1],
            expr.span, block);
    };
    Value value = from(from, 0, out);
    if (outcomes) {
        *outcomes = {*env_, *env_};
        if (behind_all) (is_and ? outcomes->when_true : outcomes->when_false) = std::move(*behind_all);
    }
    return value;
}

// `lhs and rhs`, `lhs or rhs` over booleans. Statements that the right side needs run only when it does.
Value Inference::short_circuit(bool is_and, Value lhs, const std::function<Value(ir::Block&)>& lower_rhs,
                               const ast::Expr* site, Span span, ir::Block& out) {
    if (lhs.constant && !any(lhs.effects)) {
        if (truth(*lhs.constant) != is_and) return lhs;
        return lower_rhs(out);
    }
    ir::Block block, otherwise;
    Fork fork;
    if (site && names_.has_walrus()) fork = {site, {}, *env_};
    Value rhs = lower_rhs(block);
    if (fork.site) fork.then = *env_;
    Value result;
    result.span = span;
    if (rhs.constant && !any(rhs.effects) && block.empty() && lhs.is_runtime()) {
        // Known on the right: `x and True` is x; `x and False` still evaluates x.
        if (truth(*rhs.constant) == is_and) return lhs;
    }
    if (!lhs.is_runtime() || !rhs.is_runtime()) return result;
    result.type = Scalar::boolean;
    result.effects = lhs.effects | rhs.effects;
    if (block.empty()) {
        result.expr = ir::make(result.type, span, ir::Logical{is_and, std::move(lhs.expr), std::move(rhs.expr)});
        return result;
    }
    const ir::LocalId id = temporary("test", Scalar::boolean, span);
    out.push_back({statement_, ir::Assign{id, std::move(lhs.expr)}});
    block.push_back({statement_, ir::Assign{id, std::move(rhs.expr)}});
    merge(fork, block, otherwise);
    ir::ExprPtr test = ir::local(function_, id, span);
    if (!is_and) test = ir::make(Scalar::boolean, span, ir::Unary{UnaryOp::Not, std::move(test)});
    out.push_back({statement_, ir::If{std::move(test), std::move(block), std::move(otherwise)}});
    result.expr = ir::local(function_, id, span);
    result.effects = Effects::none;
    return result;
}

// `a and b` as a value: one of the operands, in their unified type.
Value Inference::lower_bool_op(const ast::BoolOp& node, Span span, ir::Block& out) {
    Value value = lower(*node.values[0], out);
    const bool is_and = node.op == ast::LogicalOp::And;
    for (size_t i = 1; i < node.values.size(); ++i) {
        if (value.constant && !any(value.effects)) {
            const bool goes_on = truth(*value.constant) == is_and, both = types_both_ways(*node.values[i - 1]);
            const Value other = both && !goes_on ? value_of_other_way(*node.values[i]) : duplicate(value);
            if (goes_on) value = lower(*node.values[i], out);
            if (both) value = met(std::move(value), other);
            continue;
        }
        ir::Block block;
        if (!value.is_unknown() && !needs_value(value, value.span)) value = Value();
        const bool boolean = value.type.is_boolean();
        if (value.expr && !boolean && !value.is_trivial()) value = spill(std::move(value), "value", out);
        Fork fork;
        if (names_.has_walrus()) fork = {node.values[i], *env_, *env_};
        Value rhs = lower(*node.values[i], block);
        if (fork.site) (is_and ? fork.then : fork.otherwise) = *env_;
        if (value.is_unknown() || (boolean && rhs.type.is_boolean())) {
            if (fork.site) env_ = is_and ? fork.otherwise : fork.then;
            value = short_circuit(
                is_and, std::move(value),
                [&](ir::Block& inner) {
                    inner = std::move(block);
                    if (fork.site) env_ = is_and ? fork.then : fork.otherwise;
                    return std::move(rhs);
                },
                node.values[i], span, out);
            continue;
        }
        if (!value.is_trivial()) value = spill(std::move(value), "value", out);
        Value test = truth_of(duplicate(value), span, out);
        value = is_and
                    ? select(std::move(test), std::move(rhs), std::move(block), std::move(value), {}, fork, span, out)
                    : select(std::move(test), std::move(value), {}, std::move(rhs), std::move(block), fork, span, out);
    }
    return value;
}

Value Inference::lower_if_exp(const ast::Expr& expr, ir::Block& out) {
    const auto& node = *expr.as<ast::IfExp>();
    Value condition = lower_condition(*node.test, out);
    if (condition.constant && !any(condition.effects)) {
        const bool holds = truth(*condition.constant);
        Value taken = lower(holds ? *node.body : *node.orelse, out);
        return types_both_ways(*node.test)
                   ? met(std::move(taken), value_of_other_way(holds ? *node.orelse : *node.body))
                   : std::move(taken);
    }
    ir::Block then_block, else_block;
    Fork fork;
    const Env before = names_.has_walrus() ? *env_ : Env();
    const std::set<VersionId> some = some_;
    assume(*node.test, true);
    facts_.push_back({made(*node.test), true});
    Value then = lower(*node.body, then_block);
    facts_.back().holds = false;
    some_ = some;
    if (names_.has_walrus()) {
        fork = {&expr, *env_, {}};
        env_ = before;
    }
    assume(*node.test, false);
    Value otherwise = lower(*node.orelse, else_block);
    some_ = some;
    facts_.pop_back();
    if (fork.site) fork.otherwise = *env_;
    return select(std::move(condition), std::move(then), std::move(then_block), std::move(otherwise),
                  std::move(else_block), fork, expr.span, out);
}

Value Inference::select(Value condition, Value then, ir::Block then_block, Value otherwise, ir::Block else_block,
                        const Fork& fork, Span span, ir::Block& out) {
    Value result;
    result.span = span;
    if (condition.is_unknown() || then.is_unknown() || otherwise.is_unknown()) {
        // One side may be unknown in the first rounds: the other one's type goes on.
        for (const auto& [known, unknown] : {std::pair(&then, &otherwise), std::pair(&otherwise, &then)})
            if (known->is_runtime() && unknown->is_unknown()) {
                result.type = known->type;
                result.is_weak = known->is_weak;
            }
        if (result.type && !diagnostics_.has_errors())
            result.expr = ir::make(result.type, span, ir::LocalRef{temporary("unknown", result.type, span)});
        else
            result.type = {};
        return result;
    }
    const bool are_texts = is_string_or_text(then) && is_string_or_text(otherwise);
    for (Value* side : {&then, &otherwise}) {
        if (are_texts) *side = spelled(std::move(*side));
        materialize(*side);
        const bool is_tuple = side->constant && side->constant->as<Const::Tuple>();
        if (then.receiver || otherwise.receiver || is_tuple) hold(*side);
    }
    for (const auto& [none, other] : {std::pair(&then, &otherwise), std::pair(&otherwise, &then)})
        if (is_none(none->entity) && other->is_runtime())
            *none = converted(std::move(*none), other->type.is_optional() ? other->type : Type::optional(other->type),
                              none->span);
    if (is_none(then.entity) && is_none(otherwise.entity)) return then;
    // `int64 if c else int64`.
    const bool is_of_values = then.receiver || otherwise.receiver || any(condition.effects);
    if (then.entity && otherwise.entity && !is_of_values && key_of(*then.entity) == key_of(*otherwise.entity))
        return then;
    if (!needs_value(then, then.span) || !needs_value(otherwise, otherwise.span)) return result;
    const Type type = meet(then, otherwise);
    if (!type)
        return error(diag::cannot_unify, span, std::string_view("this expression"), then.type.name(),
                     otherwise.type.name());
    result.type = type;
    result.is_weak = then.is_weak && otherwise.is_weak;
    result.effects = condition.effects | then.effects | otherwise.effects;
    // C++ chooses between values of one type: arrays in tuples may differ in what it makes of them, and arrays that
    // hold their memory in their layout.
    const bool has_one_type = then.type == type && otherwise.type == type;
    const bool is_for_cpp = !holds_arrays(type) || (type.is_array() && (has_one_type || !specializer_.can_allocate()));
    ir::ExprPtr a = in_type(then, type), b = in_type(otherwise, type);
    if (then_block.empty() && else_block.empty() && is_for_cpp) {
        if (type.is_array() && type.layout() == Layout::A && then.type != type && otherwise.type != type)
            for (ir::ExprPtr* side : {&a, &b}) *side = strided(std::move(*side));
        result.expr = ir::make(type, span, ir::Select{std::move(condition.expr), std::move(a), std::move(b)});
        return result;
    }
    const ir::LocalId id = temporary("value", type, span);
    then_block.push_back({statement_, ir::Assign{id, std::move(a)}});
    else_block.push_back({statement_, ir::Assign{id, std::move(b)}});
    merge(fork, then_block, else_block);
    out.push_back({statement_, ir::If{std::move(condition.expr), std::move(then_block), std::move(else_block)}});
    result.expr = ir::local(function_, id, span);
    result.effects = Effects::none;
    return result;
}

}  // namespace pyk
