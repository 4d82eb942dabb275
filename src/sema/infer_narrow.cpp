// Types by narrow rules or by Numba's: where the two differ, one function each.
#include <algorithm>

#include "sema/infer.h"

namespace pyk {

narrow::Operand Inference::operand_of(const Value& value) {
    narrow::Operand operand{value.type, value.is_weak, value.constant.has_value()};
    if (const auto* number = value.constant ? value.constant->as<Const::Int>() : nullptr) operand.value = *number;
    return operand;
}

Type Inference::type_of_const(const Const& constant) const {
    const Type type = type_of(constant);
    if (!is_narrow() || constant.typed || !type) return type;
    const auto* integer = constant.as<Const::Int>();
    return narrow::settled({type, true, true, integer ? std::optional(*integer) : std::nullopt});
}

bool Inference::is_weak(const Const& constant, Type type) const {
    return is_narrow() && !constant.typed && type && !type.is_boolean();
}

// A constant as a number of a type, with all of its digits.
ir::ExprPtr Inference::number(const Const& constant, Type type, Span span) {
    if (type_of(constant) == type) return to_expr(constant, span);
    const auto converted = cast(constant, type);
    return converted ? to_expr(*converted, span) : ir::convert(to_expr(constant, span), type);
}

// A value in a type that it is known to convert to; its expression is used up.
ir::ExprPtr Inference::in_type(Value& value, Type type) {
    if (value.is_some && value.type.is_optional() && !type.is_optional())
        return ir::convert(ir::make(value.type.elements()[1], value.span, ir::TupleItem{std::move(value.expr), 1}),
                           type);
    const bool is_weak_number = value.is_weak && value.constant && value.type != type && type.is_scalar();
    want_digits(value.is_weak && !value.constant, value.type, type);
    if (is_weak_number && (!value.expr->as<ir::ConstantRef>() || type.bits() >= 64))
        return number(*value.constant, type, value.span);
    return ir::convert(std::move(value.expr), type);
}

// A weak value where nothing else says its type: it has its own, and stays weak.
void Inference::settle(Value& value) const {
    if (!is_narrow() || !value.expr) return;
    if (value.is_weak) {
        value.type = narrow::settled(operand_of(value));
    } else if (std::ranges::count(value.weak_items, true)) {
        std::vector<Type> types(value.type.elements().begin(), value.type.elements().end());
        const auto* known = value.constant ? value.constant->as<Const::Tuple>() : nullptr;
        for (size_t i = 0; i < types.size(); ++i)
            if (value.weak_items[i] && !known) types[i] = narrow::settled({types[i], true});
        value.type = value.type.with_elements(types);
    }
    value.expr = ir::convert(std::move(value.expr), value.type);
}

void Inference::settle(std::vector<Value>& values) const {
    for (Value& value : values) settle(value);
}

// The same where the value goes on as a weak one: under a name, or as what a function gives.
void Inference::stay_weak(Value& value) const {
    if (!instance_.is_wide || !value.is_weak || value.constant) settle(value);
}

// A weak float is a float32 in a function whose weak floats meet no float64 while the program runs, and else has a
// float64 until it meets another type: the types of what it meets are the same.
void Inference::want_digits(bool is_weak, Type from, Type to) {
    wants_digits_ |= is_weak && from != to && narrow::with_all_digits(from) != from &&
                     (to.is(Scalar::float64) || to.is(Scalar::complex128));
}

// What Python's own functions make of its own numbers is one of them; NumPy's make NumPy's.
bool Inference::is_weak_call(const Builtin& builtin, std::span<const Value> args) const {
    const bool is_python = builtin.name.find('.') == std::string_view::npos || builtin.name.starts_with("math.") ||
                           builtin.name.starts_with("cmath.");
    return is_narrow() && is_python && !args.empty() && std::ranges::all_of(args, &Value::is_weak);
}

// A tuple of which some element is asked for, whichever: where all are weak, so is it.
Value Inference::weak_items_alike(Value tuple, ir::Block& out) {
    if (!is_narrow() || !tuple.is_runtime() || !is_sequence(tuple.type)) return tuple;
    const Span span = tuple.span;
    std::vector<Value> items = elements(std::move(tuple), out);
    const bool all_weak = std::ranges::all_of(items, &Value::is_weak);
    for (Value& item : items) {
        settle(item);
        if (!all_weak) continue;
        item = converted(std::move(item), weak_type(item.type), span);
        item.is_weak = true;
    }
    return make_tuple(std::move(items), span);
}

// The type of the callee's parameter.
Type Inference::passed_as(const Value& arg, const Instance& callee, size_t index) const {
    if (!callee.running) return callee.function.local(callee.function.params[index]).type;
    const Parameter parameter = parameter_of(arg);
    return parameter.is_weak && callee.is_wide ? narrow::with_all_digits(parameter.type) : parameter.type;
}

Type Inference::meet(const Value& a, const Value& b) const {
    if (a.type.is_optional() || b.type.is_optional()) return meet_at_merge(a.type, a.is_weak, b.type, b.is_weak).first;
    if (!is_narrow()) return unify(a.type, b.type);
    const Type type = narrow::promote(operand_of(a), operand_of(b));
    return a.is_weak && b.is_weak ? weak_type(type) : type;
}

// Of definitions of one name. Its values may be any, so that no number known now counts: `count = 0; count += flags[i]`
// of bytes has 32 bits.
std::pair<Type, bool> Inference::meet_at_merge(Type a, bool a_is_weak, Type b, bool b_is_weak) const {
    if (!a) return {b, b_is_weak};
    if (a.is_optional() || b.is_optional()) {
        const auto inner = [](Type type) { return type.is_optional() ? type.elements()[1] : type; };
        const Type met = meet_at_merge(inner(a), a_is_weak, inner(b), b_is_weak).first;
        return {met ? Type::optional(met) : Type(), false};
    }
    if (!is_narrow()) return {unify(a, b), false};
    return {narrow::promote({a, a_is_weak}, {b, b_is_weak}), a_is_weak && b_is_weak};
}

std::optional<Resolution> Inference::resolve_operator(BinaryOp op, const Value& lhs, const Value& rhs) const {
    if (!is_narrow()) return resolve(op, lhs.type, rhs.type);
    auto found = narrow::resolve(op, operand_of(lhs), operand_of(rhs));
    if (!found || !lhs.is_weak || !rhs.is_weak) return found;
    for (Type& operand : found->operands) operand = weak_type(operand);
    found->result = weak_type(found->result);
    return found;
}

std::optional<Resolution> Inference::resolve_operator(UnaryOp op, const Value& operand) const {
    return is_narrow() ? narrow::resolve(op, operand.type) : resolve(op, operand.type);
}

// Rows have Numba's rules. Where one would make a float64 of an integer, that becomes a float32 first.
std::optional<Resolution> Inference::resolve_call(const Builtin& builtin, std::vector<Type> args) const {
    auto found = resolve(builtin, args);
    if (!is_narrow() || !found) return found;
    const std::vector<Type> given = args;
    const bool any_double = std::ranges::count(given, Type(Scalar::float64)) != 0;
    for (size_t i = 0; i < given.size(); ++i)
        if (found->operands[i].is(Scalar::float64) && !given[i].is_float() && !any_double) args[i] = Scalar::float32;
    if (args != given)
        if (auto narrower = resolve(builtin, args)) return narrower;
    return found;
}

// NumPy's functions, of numbers and of arrays' elements: a weak number is first of the type that it meets.
std::optional<Resolution> Inference::resolve_ufunc(const Builtin& builtin, std::span<const Value> args) const {
    std::vector<Type> types;
    Type strong;
    for (const Value& arg : args) {
        types.push_back(arg.is_weak           ? narrow::settled(operand_of(arg))
                        : arg.type.is_array() ? arg.type.element()
                                              : arg.type);
        if (!arg.is_weak) strong = strong ? narrow::promote({strong}, {types.back()}) : types.back();
    }
    if (!is_narrow()) return resolve(builtin, types);
    std::vector<Type> met = types;
    for (size_t i = 0; i < args.size(); ++i)
        if (args[i].is_weak && strong && strong.is_scalar()) met[i] = narrow::promote(operand_of(args[i]), {strong});
    const bool all = std::ranges::all_of(met, [](Type type) { return bool(type); });
    const auto found = all && met != types ? resolve_call(builtin, met) : std::nullopt;
    return found ? found : resolve_call(builtin, types);
}

// What Numba makes an int64 of 32 bits (`round(x)`, `int(x)`) is an int32, what it makes a float64 of integers
// (`float(i)`) a float32.
Type Inference::result_of_call(Type result, std::span<const Type> args) const {
    if (!is_narrow() || args.empty()) return result;
    const auto is_narrow32 = [](Type type) { return type.is_scalar() && type.bits() <= 32; };
    const auto is_whole = [](Type type) { return type.is_integer() || type.is_boolean(); };
    if (result.is(Scalar::int64) && std::ranges::all_of(args, is_narrow32)) return Scalar::int32;
    if (result.is(Scalar::float64) && std::ranges::all_of(args, is_whole)) return Scalar::float32;
    return result;
}

Type Inference::range_type(std::span<const Value> args) const {
    std::vector<Type> types;
    for (const Value& arg : args) types.push_back(arg.type);
    if (!is_narrow()) return resolve(builtin("range"), types)->operands[0];
    narrow::Operand met{Scalar::int32, true};
    for (const Value& arg : args) {
        narrow::Operand operand = operand_of(arg);
        if (operand.is_weak) operand.type = narrow::settled(operand);
        met = {narrow::promote(met, operand), met.is_weak && operand.is_weak};
    }
    return met.type.is(Scalar::uint32) ? Type(Scalar::int64) : met.type;
}

}  // namespace pyk
