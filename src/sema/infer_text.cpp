// Texts of a fixed length (`S12`, `U4`): NumPy's character fields, as Numba has them (its cpython/charseq.py).
#include <algorithm>

#include "sema/infer.h"
#include "support/words.h"

namespace pyk {

// The characters of a text that is written out: a string, or bytes.
std::optional<Inference::KnownText> Inference::known_text(const Value& value) const {
    if (const auto* text = value.constant ? value.constant->as<std::string>() : nullptr) {
        KnownText known{Scalar::uint32, {}};
        for (size_t at = 0; at < text->size();) known.characters.push_back(next_code_point(*text, at));
        return known;
    }
    const auto* bytes = value.expr ? value.expr->as<ir::ConstantRef>() : nullptr;
    if (!bytes || !value.type.is_array() || !value.type.element().is(Scalar::uint8)) return std::nullopt;
    const auto& table = specializer_.table(bytes->id);
    return KnownText{Scalar::uint8, {table.bytes.begin(), table.bytes.end()}};
}

// What is too long is cut, as NumPy does.
Value Inference::text_value(const KnownText& known, Type type, Span span) {
    ir::MakeTuple made;
    for (size_t i = 0; i < type.count(); ++i)
        made.elements.push_back(
            ir::make(type.element(), span,
                     ir::Constant{static_cast<uint64_t>(i < known.characters.size() ? known.characters[i] : 0)}));
    Value value;
    value.type = type;
    value.span = span;
    value.expr = ir::make(type, span, std::move(made));
    return value;
}

// What is stored to a place of the type: a text that is written out becomes one of its length.
Value Inference::as_text(Value value, Type type) const {
    const auto known = type.is_text() ? known_text(value) : std::nullopt;
    if (!known) return value;
    return text_value(*known, type.element().is(known->character) ? type : known->type(), value.span);
}

bool Inference::is_string_or_text(const Value& value) {
    if (value.is_runtime()) return value.type.is_text() && value.type.element().is(Scalar::uint32);
    return value.constant && value.constant->as<std::string>();
}

// A string that is another one on another path is a value. Those of several lengths shall have one type.
Value Inference::spelled(Value value) const {
    const auto known = value.is_runtime() ? std::nullopt : known_text(value);
    if (!known) return value;
    size_t room = 16;
    while (room < known->characters.size()) room *= 4;
    return text_value(*known, Type::text(known->character, room), value.span);
}

// `for mode in ("fast", "slow")`: of a tuple of strings any may be asked for.
Value Inference::spelled_items(Value tuple) {
    if (!tuple.is_runtime() || !is_sequence(tuple.type) || is_action(tuple.effects)) return tuple;
    if (tuple.type.size() == 0 || tuple.type.is_uniform_tuple()) return tuple;
    std::vector<Value> items;
    for (const Type type : tuple.type.elements()) {
        const Entity* held = specializer_.held(type);
        const Const* constant = held ? std::get_if<Const>(held) : nullptr;
        if (!constant || !constant->as<std::string>()) return tuple;
        items.push_back(spelled(of_const(*constant, tuple.span)));
    }
    return make_tuple(std::move(items), tuple.span);
}

Value Inference::compare_texts(BinaryOp op, Value lhs, Value rhs, Span span) {
    for (Value* side : {&lhs, &rhs})
        if (const auto known = known_text(*side)) *side = text_value(*known, known->type(), side->span);
    if (!needs_value(lhs, lhs.span) || !needs_value(rhs, rhs.span)) return Value();
    const bool is_equality = op == BinaryOp::Eq || op == BinaryOp::Ne;
    const bool are_alike = lhs.type.is_text() && rhs.type.is_text() && lhs.type.element() == rhs.type.element();
    const bool has_member = scope_.enumeration_of(lhs.type) || scope_.enumeration_of(rhs.type);
    if (!are_alike && is_equality && !has_member) return of_const(Const{op == BinaryOp::Ne, {}}, span);
    if (!are_alike) return error(diag::no_operator, span, info(op).python, lhs.type.name(), rhs.type.name());
    const Effects effects = lhs.effects | rhs.effects;
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(lhs.expr));
    args.push_back(std::move(rhs.expr));
    if (is_equality) {
        Value equal = made_by("pyk.text_equal", Scalar::boolean, std::move(args), effects, span);
        return op == BinaryOp::Eq ? std::move(equal) : unary(UnaryOp::Not, std::move(equal), span);
    }
    Value order = made_by("pyk.text_order", Scalar::int32, std::move(args), effects, span);
    order.expr =
        ir::make(Scalar::boolean, span, ir::Binary{op, std::move(order.expr), ir::integer(0, Scalar::int32, span)});
    order.type = Scalar::boolean;
    return order;
}

Value Inference::text_length(Value text, Span span) {
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(text.expr));
    return made_by("pyk.text_length", Scalar::int64, std::move(args), text.effects, span);
}

// `r.name[i]`: of bytes the code of one. Numba has no characters of other texts.
Value Inference::text_item(Value text, Value index, Span span) {
    if (index.is_unknown()) return index;
    if (!text.type.element().is(Scalar::uint8)) return error(diag::not_subscriptable, span, text.type.name());
    if (!index.is_runtime() || !index.type.is_integer()) return bad_index(index, index.span);
    const Effects effects = text.effects | index.effects;
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(text.expr));
    args.push_back(ir::convert(std::move(index.expr), Scalar::int64));
    return made_by("pyk.text_code", Scalar::uint32, std::move(args), effects, span);
}

}  // namespace pyk
