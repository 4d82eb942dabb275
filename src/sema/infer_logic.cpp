// Conditions: truth, `and` and `or`, the ternary, comparisons and membership.
#include <algorithm>

#include "sema/infer.h"
#include "support/fault.h"

namespace pyk {
namespace {

BinaryOp compare_op(ast::CompareOp op) {
    switch (op) {
        case ast::CompareOp::Eq:
            return BinaryOp::Eq;
        case ast::CompareOp::NotEq:
            return BinaryOp::Ne;
        case ast::CompareOp::Lt:
            return BinaryOp::Lt;
        case ast::CompareOp::LtE:
            return BinaryOp::Le;
        case ast::CompareOp::Gt:
            return BinaryOp::Gt;
        case ast::CompareOp::GtE:
            return BinaryOp::Ge;
        default:
            break;
    }
    internal_error("identity and membership are no operators of kernels");
}

}  // namespace

// --- truth -----
Value Inference::truth_of(Value value, Span span, ir::Block& out) {
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
            if (truth(*value.constant) == is_and) value = lower(*node.values[i], out);
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
    if (condition.constant && !any(condition.effects))
        return lower(truth(*condition.constant) ? *node.body : *node.orelse, out);
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
    for (Value* side : {&then, &otherwise}) {
        materialize(*side);
        if (then.receiver || otherwise.receiver) hold(*side);
    }
    for (const auto& [none, other] : {std::pair(&then, &otherwise), std::pair(&otherwise, &then)})
        if (is_none(none->entity) && other->is_runtime())
            *none = converted(std::move(*none), other->type.is_optional() ? other->type : Type::optional(other->type),
                              none->span);
    if (is_none(then.entity) && is_none(otherwise.entity)) return then;
    if (!needs_value(then, then.span) || !needs_value(otherwise, otherwise.span)) return result;
    const Type type = meet(then, otherwise);
    if (!type)
        return error(diag::cannot_unify, span, std::string_view("this expression"), then.type.name(),
                     otherwise.type.name());
    result.type = type;
    result.is_weak = then.is_weak && otherwise.is_weak;
    result.effects = condition.effects | then.effects | otherwise.effects;
    ir::ExprPtr a = in_type(then, type), b = in_type(otherwise, type);
    if (then_block.empty() && else_block.empty()) {
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

// --- comparison -----
Value Inference::lower_comparator(const ast::Compare& node, size_t i, ir::Block& out) {
    const bool is_in = node.ops[i] == ast::CompareOp::In || node.ops[i] == ast::CompareOp::NotIn;
    const auto* set = is_in ? node.comparators[i]->as<ast::Set>() : nullptr;
    if (set) return lower_tuple(set->elts, node.comparators[i]->span, out);
    return is_in ? lower_display(*node.comparators[i], out) : lower(*node.comparators[i], out);
}

Value Inference::lower_compare(const ast::Compare& node, Span span, ir::Block& out) {
    std::vector<Value> operands;
    operands.push_back(lower(*node.left, out));
    const size_t before = out.size();
    operands.push_back(lower_comparator(node, 0, out));
    keep(std::span(operands).first(1), before, out);
    sequence(operands, out);
    return compare_chain(node, 0, std::move(operands[0]), std::move(operands[1]), span, out);
}

// `a < b < c` from its `i`th operator on: the middle is evaluated once and used twice, the rest only when the first
// part holds.
Value Inference::compare_chain(const ast::Compare& node, size_t i, Value lhs, Value rhs, Span span, ir::Block& out) {
    if (i + 1 == node.ops.size()) return compare(node.ops[i], std::move(lhs), std::move(rhs), span, out);
    if (rhs.is_runtime() && !rhs.is_trivial()) {
        if (any(lhs.effects)) lhs = spill(std::move(lhs), "value", out);
        rhs = spill(std::move(rhs), "middle", out);
    }
    Value middle = duplicate(rhs);
    Value result = compare(node.ops[i], std::move(lhs), std::move(rhs), span, out);
    return short_circuit(
        true, std::move(result),
        [&](ir::Block& block) {
            const size_t before = block.size();  // not empty where the first part is known to hold
            Value next = lower_comparator(node, i + 1, block);
            keep(std::span(&middle, 1), before, block);
            return compare_chain(node, i + 1, std::move(middle), std::move(next), span, block);
        },
        node.comparators[i + 1], span, out);
}

Value Inference::compare(ast::CompareOp op, Value lhs, Value rhs, Span span, ir::Block& out) {
    using Op = ast::CompareOp;
    Value result;
    result.span = span;
    if (lhs.is_unknown() || rhs.is_unknown()) return result;
    if (op == Op::In || op == Op::NotIn) return contains(std::move(lhs), std::move(rhs), op == Op::NotIn, span, out);
    const bool identity = op == Op::Is || op == Op::IsNot;
    const bool is_equality = (op == Op::Eq || op == Op::NotEq) && !is_time(lhs.type);  // NaT is not equal to itself
    if (lhs.constant && rhs.constant && !lhs.type.is_distinct() && !rhs.type.is_distinct())
        if (const auto known = pyk::compare(op, *lhs.constant, *rhs.constant)) {
            // The text keeps what the author wrote where it is a run-time expression at all.
            if (!lhs.is_runtime() || !rhs.is_runtime() || (is_sequence(lhs.type) && !any(lhs.effects | rhs.effects)))
                return of_const(Const{*known, {}}, span);
            if (op != Op::Is && op != Op::IsNot && !is_sequence(lhs.type)) {
                result = binary(compare_op(op), std::move(lhs), std::move(rhs), span);
                result.constant = Const{*known, {}};
                return result;
            }
        }
    const bool none =
        (lhs.constant && lhs.constant->as<Const::None>()) || (rhs.constant && rhs.constant->as<Const::None>());
    if (none && (lhs.type.is_optional() || rhs.type.is_optional())) {
        Value there = has_value(lhs.type.is_optional() ? std::move(lhs) : std::move(rhs), span);
        return op == Op::Is || op == Op::Eq ? unary(UnaryOp::Not, std::move(there), span) : std::move(there);
    }
    if (none && (lhs.is_runtime() || rhs.is_runtime() || !lhs.constant || !rhs.constant)) {
        // Known, but Numba chooses a branch by it only where the value is None: else it types both.
        result = of_const(Const{op == Op::IsNot || op == Op::NotEq, {}}, span);
        if (!specializer_.is_library(*instance_.info)) result.constant.reset();
        return result;
    }
    for (Value* side : {&lhs, &rhs})
        if (side->type.is_optional() && side->type.elements()[1].is_distinct()) *side = unwrapped(std::move(*side));
    if (lhs.type && lhs.type == rhs.type && lhs.type.is_distinct() && (identity || is_equality))
        return binary(op == Op::Eq || op == Op::Is ? BinaryOp::Eq : BinaryOp::Ne, number_of(std::move(lhs)),
                      number_of(std::move(rhs)), span);
    if (op == Op::Is || op == Op::IsNot) {
        return identical(op == Op::IsNot, std::move(lhs), std::move(rhs), span, out);
    }
    if (auto known = compared_by_class(compare_op(op), lhs, rhs, span, out)) return std::move(*known);
    if (is_sequence(lhs.type) && is_sequence(rhs.type) && (op == Op::Eq || op == Op::NotEq) &&
        lhs.type.size() == rhs.type.size())
        return equal_elements(op == Op::NotEq, std::move(lhs), std::move(rhs), span, out);
    if (is_sequence(lhs.type) && is_sequence(rhs.type)) {
        if (op == Op::Eq || op == Op::NotEq) return of_const(Const{op == Op::NotEq, {}}, span);
        return compare_tuples(compare_op(op), std::move(lhs), std::move(rhs), span, out);
    }
    const auto is_written = [](const Value& side) { return side.constant && side.constant->as<std::string>(); };
    if (lhs.type.is_text() || rhs.type.is_text() || (is_equality && (is_written(lhs) || is_written(rhs))))
        return compare_texts(compare_op(op), std::move(lhs), std::move(rhs), span);
    const bool has_array = (lhs.is_runtime() && lhs.type.is_array()) || (rhs.is_runtime() && rhs.type.is_array());
    if (has_array && specializer_.can_allocate()) {
        std::vector<Value> operands;
        operands.push_back(std::move(lhs));
        operands.push_back(std::move(rhs));
        return array_from(*ufunc_of(compare_op(op)), std::move(operands), span, out);
    }
    return binary(compare_op(op), std::move(lhs), std::move(rhs), span);
}

// Element by element, each once; what stands in a display is evaluated whole, as Python does.
Value Inference::equal_elements(bool negated, Value lhs, Value rhs, Span span, ir::Block& out) {
    for (Value* side : {&lhs, &rhs})
        if (!side->is_trivial() && any(side->effects)) *side = spill(std::move(*side), "items", out);
    std::vector<Value> a = elements(std::move(lhs), out), b = elements(std::move(rhs), out);
    Value all = of_const(Const{true, {}}, span);
    for (size_t i = 0; i < a.size(); ++i) {
        const auto one = [&](ir::Block& block) {
            return compare(ast::CompareOp::Eq, std::move(a[i]), std::move(b[i]), span, block);
        };
        all = short_circuit(true, std::move(all), one, nullptr, span, out);
    }
    return negated ? unary(UnaryOp::Not, std::move(all), span) : std::move(all);
}

// `x is y`, as Numba has it: numbers and tuples of one type are one thing where they are equal, arrays where they are
// the same view.
Value Inference::identical(bool negated, Value lhs, Value rhs, Span span, ir::Block& out) {
    if (is_sequence(lhs.type) && lhs.type == rhs.type)
        return equal_elements(negated, std::move(lhs), std::move(rhs), span, out);
    const bool arrays = lhs.type.is_array() && rhs.type.is_array();
    if (!lhs.is_runtime() || !rhs.is_runtime() || (!arrays && lhs.type == rhs.type && !lhs.type.is_scalar()))
        return error(diag::unsupported_syntax, span, "comparisons of such values with `is`", "compare with `==`");
    if (lhs.type != rhs.type && !lhs.is_weak && !rhs.is_weak) return of_const(Const{negated, {}}, span);
    if (!arrays) return binary(negated ? BinaryOp::Ne : BinaryOp::Eq, std::move(lhs), std::move(rhs), span);
    std::vector<Value> views;
    views.push_back(std::move(lhs));
    views.push_back(std::move(rhs));
    Value same = call_instance(library_function("pyk_same_view"), std::move(views), span);
    return negated ? unary(UnaryOp::Not, std::move(same), span) : std::move(same);
}

// `x in (1, 2, 3)`: comparisons, joined.
Value Inference::contains(Value item, Value container, bool negated, Span span, ir::Block& out) {
    if (is_range(container)) {
        Value found = in_range(std::move(item), container, span);
        return negated ? unary(UnaryOp::Not, std::move(found), span) : std::move(found);
    }
    if (const FunctionInfo* method = method_of(container.type, "__contains__")) {
        std::vector<Value> args;
        args.push_back(std::move(container));
        args.push_back(std::move(item));
        Value found = truth_of(call_instance(*method, std::move(args), span), span, out);
        return negated ? unary(UnaryOp::Not, std::move(found), span) : std::move(found);
    }
    if (is_none(item.entity) && is_sequence(container.type)) {  // no number is None
        const auto is_none_too = [](Type element) { return element.is_none() || element.is_optional(); };
        if (std::ranges::none_of(container.type.elements(), is_none_too)) return of_const(Const{negated, {}}, span);
    }
    if (container.is_runtime() && container.type.is_array() && container.type.ndim() > 0) {
        if (!needs_value(item, item.span)) return Value();
        std::vector<Value> args;
        args.push_back(std::move(item));
        args.push_back(std::move(container));
        Value found = call_instance(library_function("pyk_contains"), std::move(args), span);
        return negated ? unary(UnaryOp::Not, std::move(found), span) : std::move(found);
    }
    // Of texts, and of what holds texts, the values are known.
    if (item.constant && container.constant && (!item.is_runtime() || !container.is_runtime()))
        if (const auto found = pyk::compare(ast::CompareOp::In, *item.constant, *container.constant))
            return of_const(Const{*found != negated, {}}, span);
    const auto* texts =
        container.is_runtime() || !container.constant ? nullptr : container.constant->as<Const::Tuple>();
    if (!is_sequence(container.type) && !texts)
        return error(diag::not_iterable, container.span,
                     container.is_runtime() ? container.type.name() : std::string("this"));
    if (!needs_value(item, item.span)) return Value();
    if (!item.is_trivial()) item = spill(std::move(item), "item", out);
    if (!container.is_trivial() && any(container.effects)) container = spill(std::move(container), "items", out);
    Value found = of_const(Const{false, {}}, span);
    std::vector<Value> items;
    if (texts)
        for (const Const& text : *texts) items.push_back(of_const(text, container.span));
    else
        items = elements(std::move(container), out);
    for (Value& element : items) {
        const auto one = [&](ir::Block& block) {
            return compare(ast::CompareOp::Eq, duplicate(item), std::move(element), span, block);
        };
        found = short_circuit(false, std::move(found), one, nullptr, span, out);
    }
    return negated ? unary(UnaryOp::Not, std::move(found), span) : std::move(found);
}

}  // namespace pyk
