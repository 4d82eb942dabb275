// Complex numbers: how they are made, and their parts.
#include <algorithm>

#include "sema/infer.h"

namespace pyk {
namespace {

/// NumPy's functions that `cmath` and Python have.
struct OfComplex {
    BuiltinName name, row;
};
constexpr OfComplex kFunctions[] = {
    {"np.abs", "abs"},
    {"np.absolute", "abs"},
    {"np.acos", "cmath.acos"},
    {"np.acosh", "cmath.acosh"},
    {"np.arccos", "cmath.acos"},
    {"np.arccosh", "cmath.acosh"},
    {"np.arcsin", "cmath.asin"},
    {"np.arcsinh", "cmath.asinh"},
    {"np.arctan", "cmath.atan"},
    {"np.arctanh", "cmath.atanh"},
    {"np.asin", "cmath.asin"},
    {"np.asinh", "cmath.asinh"},
    {"np.atan", "cmath.atan"},
    {"np.atanh", "cmath.atanh"},
    {"np.conj", "number.conjugate"},
    {"np.conjugate", "number.conjugate"},
    {"np.cos", "cmath.cos"},
    {"np.cosh", "cmath.cosh"},
    {"np.exp", "cmath.exp"},
    {"np.isfinite", "cmath.isfinite"},
    {"np.isinf", "cmath.isinf"},
    {"np.isnan", "cmath.isnan"},
    {"np.log", "cmath.log"},
    {"np.log10", "cmath.log10"},
    {"np.sin", "cmath.sin"},
    {"np.sinh", "cmath.sinh"},
    {"np.sqrt", "cmath.sqrt"},
    {"np.tan", "cmath.tan"},
    {"np.tanh", "cmath.tanh"},
};

}  // namespace

// `.real` and `.imag`; a real number has itself and a zero of its type.
Value Inference::number_part(Value number, bool is_real, Span span) {
    if (number.type.is_complex()) {
        std::vector<Value> operand;
        operand.push_back(std::move(number));
        return resolved(is_real ? builtin("pyk.real") : builtin("pyk.imag"), std::move(operand), span);
    }
    if (is_real) return number;
    const bool is_float = number.type.is_float();
    return of_const(Const{is_float ? decltype(Const::value)(0.0) : decltype(Const::value)(Const::Int(0)), number.type},
                    span);
}

// `a.real` and `a.imag` of complex elements: a view of every other float. Unknown: they are not complex.
Value Inference::array_component(Value array, bool is_real, Span span) {
    const Type type = array.type;
    if (!type.element().is_complex() && is_real) return array;
    if (!type.element().is_complex()) {
        if (!specializer_.can_allocate()) return Value();
        std::vector<Value> of;
        of.push_back(std::move(array));
        return call_instance(library_function("np_imag"), std::move(of), span);
    }
    const Type view = Type::array(type.element().component(), type.ndim(), Layout::A, type.readonly(), type.aligned());
    std::vector<ir::ExprPtr> args;
    args.push_back(std::move(array.expr));
    args.push_back(ir::integer(is_real ? 0 : 1, Scalar::int32, span));
    return made_by("pyk.component", view, std::move(args), array.effects, span);
}

// `np.sin(z)`, `np.add(z, x)`: what the operators and `cmath` give, of arguments of one type. As with floats (fits in
// rule.cpp), integers of any size go with complex64.
Value Inference::complex_ufunc(const Builtin& builtin, std::vector<Value> args, Span span) {
    Type type = std::ranges::find_if(args, [](const Value& arg) { return arg.type.is_complex(); })->type;
    for (const Value& arg : args)
        if (type && !arg.type.is_integer()) type = unify(type, arg.type);
    if (!type) return resolved(builtin, std::move(args), span);
    for (Value& arg : args) arg = converted(std::move(arg), type, span);
    const std::string own = "complex" + std::string(builtin.name.substr(builtin.name.find('.')));
    if (const Builtin* row = find_builtin(own)) return resolved(*row, std::move(args), span);
    if (const auto op = args.size() == 2 ? operator_named(builtin.name) : std::nullopt)
        return binary(*op, std::move(args[0]), std::move(args[1]), span);
    if (builtin == "np.positive") return std::move(args[0]);
    if (builtin == "np.negative") return unary(UnaryOp::Neg, std::move(args[0]), span);
    const auto* found = std::ranges::find_if(kFunctions, [&](const OfComplex& row) { return builtin == row.name; });
    const bool known = found != std::end(kFunctions);
    return resolved(known ? pyk::builtin(found->row) : builtin, std::move(args), span);
}

// `complex(x)` and `complex(x, y)`: complex64 of float32 alone, complex128 of all else. By narrow rules what is weak,
// and an integer of 32 bits, goes with float32.
Value Inference::special_complex(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, builtin.name);
    std::vector<Value> parts = arguments(site);
    if (parts.empty() || parts.size() > 2)
        return error(diag::wrong_argument_count, span, builtin.name, "1 to 2", static_cast<int>(parts.size()));
    const auto is_single = [](const Value& part) { return part.type.is(Scalar::float32); };
    const auto goes_along = [&](const Value& part) {
        return is_single(part) || (is_narrow() && (part.is_weak || (part.type.is_integer() && part.type.bits() <= 32)));
    };
    for (const Value& part : parts) {
        if (part.is_unknown() || !needs_value(part, part.span)) return Value();
        if (!part.type.is_scalar() || (part.type.is_complex() && parts.size() == 2))
            return error(diag::no_overload, span, builtin.name, std::string_view(part.type.name()));
    }
    const bool is_weak = std::ranges::all_of(parts, &Value::is_weak);
    const bool are_single = std::ranges::any_of(parts, is_single) && std::ranges::all_of(parts, goes_along);
    const Type type = are_single ? Scalar::complex64 : Scalar::complex128;
    if (parts.size() == 1) return cast_to(type, std::move(parts[0]), span);
    for (Value& part : parts) part = cast_to(type.component(), std::move(part), part.span);
    Value made = resolved(pyk::builtin("pyk.complex"), std::move(parts), span);
    made.is_weak = is_weak;
    return made;
}

// `.conjugate()`; a real number is its own.
Value Inference::special_conjugate(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    std::vector<Value> operand = arguments(site);
    if (operand.size() != 1 || !node.keywords.empty())
        return error(diag::wrong_argument_count, span, "conjugate", "0",
                     static_cast<int>(operand.size() - 1 + node.keywords.size()));
    if (!operand[0].type.is_complex()) return std::move(operand[0]);
    return resolved(builtin, std::move(operand), span);
}

}  // namespace pyk
