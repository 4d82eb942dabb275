// `x += y` and its like: what stands on the left is evaluated once.
#include "sema/infer.h"

#include <algorithm>

namespace pyk {

void Inference::lower_aug_assign(const ast::AugAssign& node, Span span, ir::Block& out) {
    if (node.op == ast::BinaryOp::MatMult) {
        error(diag::unsupported_syntax, span, "matrix products with `@=`", "write the product as loops");
        return;
    }
    if (node.target->as<ast::Name>()) return augment_name(node, span, out);
    if (const auto* attribute = node.target->as<ast::Attribute>())
        return augment_attribute(node, *attribute, span, out);
    augment_subscript(node, *node.target->as<ast::Subscript>(), span, out);
}

void Inference::augment_name(const ast::AugAssign& node, Span span, ir::Block& out) {
    const BinaryOp op = binary_op(node.op);
    std::vector<ast::ExprRef> both{node.target, node.value};
    std::vector<Value> operands = lower_list(both, out);
    if (is_flat(operands[0]) && !operands[1].is_unknown()) {
        error(diag::no_operator, span, info(op).python, std::string("`flat` of an array"), described(operands[1]));
        return;
    }
    for (Value& operand : operands) operand = unwrapped_array(std::move(operand));
    if (operands[0].type && operands[0].type.is_array())
        return update_array(op, std::move(operands[0]), std::move(operands[1]), span, out);
    if (const auto method = inplace_method(op, operands[0].type))
        return assign(*node.target, call_instance(*method, std::move(operands), span), out, span);
    const bool makes_array = operands[1].type && operands[1].type.is_array() && specializer_.can_allocate();
    Value result = makes_array ? array_from(*ufunc_of(op), std::move(operands), span, out)
                               : binary(op, std::move(operands[0]), std::move(operands[1]), span);
    assign(*node.target, std::move(result), out, span);
}

void Inference::augment_attribute(const ast::AugAssign& node, const ast::Attribute& target, Span span, ir::Block& out) {
    const BinaryOp op = binary_op(node.op);
    Value base = unwrapped(lower(*target.value, out));
    as_structure(base);
    if (!is_structure(base.type)) return augment_field(op, std::move(base), node, target.attr, span, out);
    std::vector<ast::ExprRef> both{node.target, node.value};
    std::vector<Value> operands = lower_list(both, out);
    assign(*node.target, binary(op, std::move(operands[0]), std::move(operands[1]), span), out, span);
}

namespace {

/// Whether an array is the same when it is written once more behind the operand: `a`, `r.f`, and `a[i]`, whose indices
/// are repeated with those of the element.
bool can_repeat(const Value& array, bool has_walrus) {
    const auto* field = array.expr->as<ir::RecordField>();
    const bool is_row = ir::is_row(*array.expr) && ir::base_local(*array.expr) && !any(array.effects) && !has_walrus;
    return array.is_trivial() || (field && field->record->as<ir::LocalRef>()) || is_row;
}

}  // namespace

void Inference::augment_subscript(const ast::AugAssign& node, const ast::Subscript& target, Span span, ir::Block& out) {
    const BinaryOp op = binary_op(node.op);
    Value array = unwrapped(lower(*target.value, out));
    if (array.is_unknown()) {
        lower(*node.value, out);
        return;
    }
    if (array.type.is_record()) {
        const Value index = lower(*target.slice, out);
        const auto name = subscripted_field(array.type, index, target.value->span);
        if (!name) array = Value();
        return augment_field(op, std::move(array), node, name.value_or(""), span, out);
    }
    if (is_flat(array)) return update_flat(op, array, target, *node.value, span, out);
    if (is_parts(array)) {
        Value part = part_at(array, lower(*target.slice, out), span, out);
        return update_array(op, std::move(part), lower(*node.value, out), span, out);
    }
    const bool is_pointer = array.type.is_pointer();
    if (!array.type.is_array() && !is_pointer) {
        not_subscriptable(array, array.span);
        return;
    }
    if (array.expr && !can_repeat(array, names_.has_walrus())) array = written_array(std::move(array), out);
    if (is_pointer) array = pointed(std::move(array));
    std::vector<ir::Subscript> subscripts;
    ViewShape shape;
    Effects effects = Effects::none;
    if (array.is_unknown() || !subscripts_of(array, *target.slice, subscripts, shape, effects, out)) return;
    if (is_pointer && !takes_as_written(subscripts, target.slice->span)) return;
    const bool is_element =
        std::ranges::all_of(subscripts, [](const ir::Subscript& s) { return std::holds_alternative<ir::Index>(s); }) &&
        static_cast<int>(subscripts.size()) == array.type.ndim();
    if (is_element) return augment_element(node, std::move(array), std::move(subscripts), effects, span, out);
    Value operand = lower(*node.value, out);
    Value part = view(std::move(array), std::move(subscripts), shape, effects, node.target->span);
    if (shape.chosen.empty()) return update_array(op, std::move(part), std::move(operand), span, out);
    augment_chosen(op, std::move(part), std::move(shape.chosen), std::move(operand), span, out);
}

// `a[mask] += x`: elements that are chosen twice get the last sum.
void Inference::augment_chosen(BinaryOp op, Value part, std::vector<std::pair<size_t, Value>> by, Value operand,
                               Span span, ir::Block& out) {
    part = spill(std::move(part), "part", out);
    std::vector<std::pair<size_t, Value>> again;
    for (auto& [axis, chooser] : by) {
        if (!chooser.is_trivial()) chooser = spill(std::move(chooser), "index", out);
        again.emplace_back(axis, duplicate(chooser));
    }
    std::vector<Value> operands;
    operands.push_back(chosen(duplicate(part), std::move(again), span, out));
    operands.push_back(std::move(operand));
    if (operands[0].is_unknown()) return;
    Value sum = array_from(*ufunc_of(op), std::move(operands), span, out);
    store_chosen(std::move(part), std::move(by), std::move(sum), span, out);
}

// `a[i, j] += x`: indices that are not plain enough to repeat go through temporaries.
void Inference::augment_element(const ast::AugAssign& node, Value array, std::vector<ir::Subscript> subscripts,
                                Effects effects, Span span, ir::Block& out) {
    if (array.type.readonly()) {
        cannot_store(array, span);
        return;
    }
    ir::Block later;
    Value operand = lower(*node.value, later);
    std::vector<ir::Index> indices, again;
    for (ir::Subscript& subscript : subscripts) {
        ir::Index& index = std::get<ir::Index>(subscript);
        if (any(effects) || (names_.has_walrus() && !later.empty())) {
            Value value;
            value.type = index.value->type;
            value.span = index.value->span;
            value.expr = std::move(index.value);
            index.value = std::move(spill(std::move(value), "i", out).expr);
        }
        again.push_back(clone(index));
        indices.push_back(std::move(index));
    }
    Value target = duplicate(array);
    Value current = element(std::move(array), std::move(indices), node.target->span);
    if (!later.empty() || is_action(operand.effects)) current = spill(std::move(current), "current", out);
    std::ranges::move(later, std::back_inserter(out));
    Value sum = binary(binary_op(node.op), std::move(current), std::move(operand), span);
    store_element(std::move(target), std::move(again), std::move(sum), span, out);
}

}  // namespace pyk
