// Comparisons, identity and membership.
#include "module/meant.h"
#include "module/named_operators.h"
#include "module/scope_shared.h"
#include "sema/infer.h"
#include "types/fp8.h"

namespace pyk {
namespace {

/// Not of identity and membership, which are no operators of kernels.
BinaryOp compare_op(ast::CompareOp op) { return named_by(kNamedComparisons, &NamedComparison::written, op)->op; }

bool is_type(const Value& value) { return value.entity && std::holds_alternative<TypeName>(*value.entity); }

bool is_written_text(const Value& value) { return value.constant && value.constant->as<std::string>(); }

/// The enumeration of a member that only the run knows, where the other side is a text that may be its.
const ClassInfo* texts_of(const ModuleScope& scope, const Value& member, const Value& text) {
    const ClassInfo* info = is_written_text(text) && !text.is_runtime() ? scope.enumeration_of(member.type) : nullptr;
    return info && info->members_are == Members::texts ? info : nullptr;
}

/// Whether two types are one, as NumPy compares a dtype: with what names a type as well. nullopt: one is no type.
std::optional<bool> are_one_type(const ModuleScope& scope, const Value& one, const Value& other) {
    const auto first = one.entity ? to_const(*one.entity) : std::nullopt;
    const auto second = other.entity ? to_const(*other.entity) : std::nullopt;
    if (!first || !second) return std::nullopt;
    if (first->as<Const::None>() || second->as<Const::None>()) return false;
    const auto left = type_in(scope, *first), right = type_in(scope, *second);
    return left && right ? std::optional(*left == *right) : std::nullopt;
}

}  // namespace

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

// None is equal to nothing else.
Value Inference::equal_if_there(ast::CompareOp op, Value lhs, Value rhs, Span span, ir::Block& out) {
    for (Value* side : {&lhs, &rhs})
        if (!side->is_trivial()) *side = spill(std::move(*side), "value", out);
    Value there = has_value(duplicate(lhs.type.is_optional() ? lhs : rhs), span);
    const bool is_equality = op == ast::CompareOp::Eq;
    if (!is_equality) there = unary(UnaryOp::Not, std::move(there), span);
    return short_circuit(
        is_equality, std::move(there),
        [&](ir::Block& block) {
            return compare(op, unwrapped(std::move(lhs)), unwrapped(std::move(rhs)), span, block);
        },
        nullptr, span, out);
}

Value Inference::compare(ast::CompareOp op, Value lhs, Value rhs, Span span, ir::Block& out) {
    using Op = ast::CompareOp;
    Value result;
    result.span = span;
    if (lhs.is_unknown() || rhs.is_unknown()) return result;
    if (op == Op::In || op == Op::NotIn) return contains(std::move(lhs), std::move(rhs), op == Op::NotIn, span, out);
    const bool identity = op == Op::Is || op == Op::IsNot;
    const bool is_equality = (op == Op::Eq || op == Op::NotEq) && !is_time(lhs.type);  // NaT is not equal to itself
    const bool is_negated = op == Op::NotEq || op == Op::IsNot;
    const bool are_tuples = is_sequence(lhs.type) && is_sequence(rhs.type);
    if (identity || (are_tuples && lhs.type.size() != rhs.type.size())) {  // what types may tell
        lhs = done(std::move(lhs), out);
        rhs = done(std::move(rhs), out);
    }
    if ((is_type(lhs) || is_type(rhs)) && (identity || is_equality))
        if (const auto same = are_one_type(scope_, lhs, rhs)) return of_const(Const{*same != is_negated, {}}, span);
    if (is_written_text(lhs) && is_written_text(rhs) && lhs.type != rhs.type)  // a member, and what it is
        if (const auto known = pyk::compare(op, *lhs.constant, *rhs.constant)) return of_const(Const{*known, {}}, span);
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
    const bool is_order = op == Op::Lt || op == Op::LtE || op == Op::Gt || op == Op::GtE;
    if (none && is_order) {
        const auto name = [](const Value& side) { return side.is_runtime() ? side.type.name() : std::string("none"); };
        return error(diag::no_operator, span, info(compare_op(op)).python, name(lhs), name(rhs));
    }
    if (none && (lhs.type.is_optional() || rhs.type.is_optional())) {
        Value there = has_value(lhs.type.is_optional() ? std::move(lhs) : std::move(rhs), span);
        return op == Op::Is || op == Op::Eq ? unary(UnaryOp::Not, std::move(there), span) : std::move(there);
    }
    if (none && (lhs.is_runtime() || rhs.is_runtime() || !lhs.constant || !rhs.constant)) {
        // Known, but Numba chooses a branch by it only where the value is None: else it types both.
        result = of_const(Const{op == Op::IsNot || op == Op::NotEq, {}}, span);
        if (!is_of_library(instance_.info->span)) result.constant.reset();
        return result;
    }
    for (Value* side : {&lhs, &rhs})
        if (side->type.is_optional() && side->type.elements()[1].is_distinct()) *side = unwrapped(std::move(*side));
    if (is_equality)
        for (const auto& [side, other] : {std::pair(&lhs, &rhs), std::pair(&rhs, &lhs)}) {
            const ClassInfo* info = texts_of(scope_, *side, *other);
            if (!info) continue;
            const auto member = scope_.enum_member_with(*info, *other->constant);
            if (!member) return of_const(Const{is_negated, {}}, span);
            *other = of_const(*member, other->span);
        }
    const bool has_operators = lhs.type && lhs.type.is_distinct() && !fp8_count(lhs.type);
    if (has_operators && lhs.type == rhs.type && (identity || is_equality))
        return binary(op == Op::Eq || op == Op::Is ? BinaryOp::Eq : BinaryOp::Ne, number_of(std::move(lhs)),
                      number_of(std::move(rhs)), span);
    if (op == Op::Is || op == Op::IsNot) {
        return identical(op == Op::IsNot, std::move(lhs), std::move(rhs), span, out);
    }
    for (Value* side : {&lhs, &rhs}) {
        *side = unwrapped_array(std::move(*side));
        as_structure(*side);
    }
    if ((op == Op::Eq || op == Op::NotEq) && lhs.type.is_optional() != rhs.type.is_optional() && lhs.is_runtime() &&
        rhs.is_runtime())
        return equal_if_there(op, std::move(lhs), std::move(rhs), span, out);
    if (auto known = compared_by_class(compare_op(op), lhs, rhs, span, out)) return std::move(*known);
    if (is_sequence(lhs.type) && is_sequence(rhs.type) && (op == Op::Eq || op == Op::NotEq) &&
        lhs.type.size() == rhs.type.size())
        return equal_elements(op == Op::NotEq, std::move(lhs), std::move(rhs), span, out);
    if (is_sequence(lhs.type) && is_sequence(rhs.type)) {
        if (op == Op::Eq || op == Op::NotEq) return of_const(Const{op == Op::NotEq, {}}, span);
        return compare_tuples(compare_op(op), std::move(lhs), std::move(rhs), span, out);
    }
    if (lhs.type.is_text() || rhs.type.is_text() || (is_equality && (is_written_text(lhs) || is_written_text(rhs))))
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
    const bool are_members = lhs.constant && rhs.constant && lhs.constant->member_of && rhs.constant->member_of;
    if (are_members && lhs.constant->member_of != rhs.constant->member_of) return of_const(Const{negated, {}}, span);
    if (is_written_text(lhs) != is_written_text(rhs)) return of_const(Const{negated, {}}, span);
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
    const auto* types = is_type(item) && container.constant ? container.constant->as<Const::Tuple>() : nullptr;
    if (types) {
        bool found = false;
        for (const Const& one : *types) {
            const auto same = are_one_type(scope_, item, of_const(one, container.span));
            if (!same) return error(diag::not_a_type, container.span);
            found = found || *same;
        }
        return of_const(Const{found != negated, {}}, span);
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
        return error(diag::not_iterable, container.span, std::string_view(described(container)));
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
