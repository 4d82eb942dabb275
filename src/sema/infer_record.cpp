// Fields: of records, of arrays of records, and of tuples that have names.
#include <algorithm>

#include "sema/infer.h"

namespace pyk {

namespace {

const std::string* string_of(const Value& value) {
    return value.constant ? value.constant->as<std::string>() : nullptr;
}

/// Records of the same fields that lie differently: one of them in a packed record.
bool have_same_fields(Type a, Type b) {
    return a.is_record() && b.is_record() &&
           std::ranges::equal(a.fields(), b.fields(), [](const Field& x, const Field& y) {
               return x.name == y.name && x.shape == y.shape && (x.type == y.type || have_same_fields(x.type, y.type));
           });
}

}  // namespace

// `base.name`; unknown: there is no such field.
Value Inference::field_named(Value base, std::string_view name, Span span) {
    if (base.type.is_record())
        if (const auto index = base.type.field_index(name)) return field(std::move(base), *index, span);
    if (base.type.is_array() && base.type.element().is_record())
        if (const auto index = base.type.element().field_index(name)) {
            base.type = ir::fields_type(base.type, *index);
            base.expr = ir::make(base.type, span, ir::FieldsOf{std::move(base.expr), static_cast<uint32_t>(*index)});
            base.span = span;
            return base;
        }
    if (base.type.is_tuple())
        if (const auto index = base.type.element_index(name)) {
            // Of a tuple that is not made here, or whose other elements act, the whole is evaluated.
            if (!base.expr->as<ir::MakeTuple>() || is_action(base.effects)) {
                base.type = base.type.elements()[*index];
                base.expr =
                    ir::make(base.type, span, ir::TupleItem{std::move(base.expr), static_cast<uint32_t>(*index)});
                base.span = span;
                base.constant.reset();
                base.weak_items.clear();
                return base;
            }
            ir::Block unused;
            return std::move(elements(std::move(base), unused)[*index]);
        }
    return Value();
}

Value Inference::field(Value record, size_t index, Span span) {
    Value result;
    result.type = record.type.field_type(index);
    result.span = span;
    result.effects = record.effects | Effects::reads;
    result.expr = ir::make(result.type, span, ir::RecordField{std::move(record.expr), static_cast<uint32_t>(index)});
    return result;
}

// `r['f']`, `a['f']`, and `r[0]` by a constant: the field's name.
std::optional<std::string> Inference::subscripted_field(Type type, const Value& index, Span span) {
    if (const std::string* text = string_of(index)) return *text;
    if (index.is_unknown() && !index.constant) return std::nullopt;
    const auto at = index.constant ? to_int(*index.constant) : std::nullopt;
    const auto count = static_cast<int64_t>(type.is_record() ? type.fields().size() : 0);
    if (!at && type.is_record())
        error(diag::not_subscriptable, span, "a record is no array (`r.x` and `r[\"x\"]` are its fields): it");
    else if (!at)
        error(diag::index_type, index.span, described(index));
    else if (*at < -count || *at >= count)
        error(diag::tuple_index_out_of_range, index.span, static_cast<long long>(*at), static_cast<long long>(count));
    else
        return std::string(type.fields()[static_cast<size_t>(*at < 0 ? *at + count : *at)].name);
    return std::nullopt;
}

Value Inference::subscript_field(Value base, const Value& index, Span span) {
    const Type type = base.type;
    const auto name = subscripted_field(type, index, span);
    if (!name) return Value();
    Value found = field_named(std::move(base), *name, span);
    return found.is_unknown() ? unknown_field(type, *name, index.span) : std::move(found);
}

// `base.name = value` and `base['name'] = value`. Python evaluates the value first.
void Inference::store_named(Value base, std::string_view name, Span name_span, Value value, size_t before, Span span,
                            ir::Block& out) {
    if (base.is_unknown()) return;
    keep(std::span(&value, 1), before, out);
    if (value.expr && is_action(base.effects | value.effects) && any(value.effects)) {
        ir::Block moved;
        value = spill(std::move(value), "value", moved);
        out.insert(out.begin() + static_cast<std::ptrdiff_t>(before), std::make_move_iterator(moved.begin()),
                   std::make_move_iterator(moved.end()));
    }
    if (base.type.is_array()) {
        Value view = field_named(duplicate(base), name, span);
        if (view.is_unknown()) {
            unknown_field(base.type, name, name_span);
        } else if (view.type.readonly()) {
            cannot_store(base, span);
        } else {
            store_view(std::move(view), std::move(value), span, out);
        }
        return;
    }
    const auto index = base.type.is_record() ? base.type.field_index(name) : std::nullopt;
    if (!index) {
        if (base.is_runtime())
            unknown_field(base.type, name, name_span);
        else
            error(diag::unknown_attribute, name_span, "this", name);
        return;
    }
    store_field(std::move(base), *index, std::move(value), span, out);
}

void Inference::store_field(Value record, size_t index, Value value, Span span, ir::Block& out) {
    if (!record.type.fields()[index].shape.empty())
        return store_view(field(std::move(record), index, span), std::move(value), span, out);
    const Type type = record.type.fields()[index].type;
    value = as_text(std::move(value), type);
    if (value.is_unknown() || !needs_value(value, value.span)) return;
    if (value.type != type && have_same_fields(type, value.type))
        return copy_fields(field(std::move(record), index, span), std::move(value), span, out);
    value = converted(std::move(value), type, value.span);
    if (!value.expr) return;
    out.push_back({span, ir::StoreField{std::move(record.expr), static_cast<uint32_t>(index), std::move(value.expr)}});
}

void Inference::store_record(Value to, Value from, Span span, ir::Block& out) {
    if (!have_same_fields(to.type, from.type))
        error(diag::cannot_convert, span, from.type.name(), to.type.name());
    else
        copy_fields(std::move(to), std::move(from), span, out);
}

void Inference::copy_fields(Value to, Value from, Span span, ir::Block& out) {
    for (Value* side : {&to, &from})
        if (!side->is_trivial()) *side = spill(std::move(*side), "item", out);
    for (size_t i = 0; i < to.type.fields().size(); ++i)
        store_field(duplicate(to), i, field(duplicate(from), i, span), span, out);
}

void Inference::store_attribute(const ast::Expr& target, Value value, Span span, ir::Block& out) {
    const auto& node = *target.as<ast::Attribute>();
    const size_t before = out.size();
    Value base = unwrapped(lower(*node.value, out));
    as_structure(base);
    if (base.is_unknown()) return;
    const bool has_name = node.value->as<ast::Name>() || node.value->as<ast::Attribute>();
    if (base.is_runtime() && is_structure(base.type) && has_name)
        return replace_element(*node.value, std::move(base), node.attr, std::move(value), target, out);
    if (!base.type.is_record() && !(base.type.is_array() && base.type.element().is_record())) {
        error(diag::unsupported_syntax, target.span, "assignments to attributes",
              "only names, array elements and fields of records can be assigned");
        return;
    }
    store_named(std::move(base), node.attr, node.attr_span, std::move(value), before, span, out);
}

// `r.f += x` and `r['f'] += x`: the record is found once.
void Inference::augment_field(BinaryOp op, Value base, const ast::AugAssign& node, std::string_view name, Span span,
                              ir::Block& out) {
    if (base.is_unknown()) {
        lower(*node.value, out);
        return;
    }
    if (!base.type.is_record()) {
        error(diag::unsupported_syntax, node.target->span, "assignments to attributes",
              "only names, array elements and fields of records can be assigned");
        return;
    }
    const auto index = base.type.field_index(name);
    if (!index || !base.type.fields()[*index].shape.empty()) {
        const auto* attribute = node.target->as<ast::Attribute>();
        const auto* subscript = node.target->as<ast::Subscript>();
        unknown_field(base.type, name, attribute ? attribute->attr_span : subscript ? subscript->slice->span : span);
        return;
    }
    ir::Block later;
    const bool simple = !is_action(base.effects);
    if (!simple) base = spill(std::move(base), "item", out);
    Value operand = lower(*node.value, later);
    if (simple && (!later.empty() || is_action(operand.effects))) base = spill(std::move(base), "item", out);
    Value target = duplicate(base);
    Value current = field(std::move(base), *index, node.target->span);
    if (!later.empty() || is_action(operand.effects)) current = spill(std::move(current), "current", out);
    std::ranges::move(later, std::back_inserter(out));
    store_field(std::move(target), *index, binary(op, std::move(current), std::move(operand), span), span, out);
}

}  // namespace pyk
