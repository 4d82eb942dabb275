// Complex numbers: how they are made, and their parts.
#include "sema/infer.h"

namespace pyk {

// `.real` and `.imag`; a real number has itself and a zero of its type.
Value Inference::number_part(Value number, bool is_real, Span span) {
    if (number.type.is_complex()) {
        std::vector<Value> operand;
        operand.push_back(std::move(number));
        return resolved(*find_builtin(is_real ? "pyk.real" : "pyk.imag"), std::move(operand), span);
    }
    if (is_real) return number;
    const bool is_float = number.type.is_float();
    return of_const(Const{is_float ? decltype(Const::value)(0.0) : decltype(Const::value)(Const::Int(0)), number.type},
                    span);
}

// `complex(x)` and `complex(x, y)`: complex64 of float32 alone, complex128 of all else.
Value Inference::special_complex(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver] = site;
    if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, builtin.name);
    std::vector<Value> parts = arguments(site);
    if (parts.empty() || parts.size() > 2)
        return error(diag::wrong_argument_count, span, builtin.name, "1 to 2", static_cast<int>(parts.size()));
    bool is_single = true;
    for (const Value& part : parts) {
        if (part.is_unknown() || !needs_value(part, part.span)) return Value();
        if (!part.type.is_scalar() || (part.type.is_complex() && parts.size() == 2))
            return error(diag::no_overload, span, builtin.name, std::string_view(part.type.name()));
        is_single &= part.type.is(Scalar::float32);
    }
    const Type type = is_single ? Scalar::complex64 : Scalar::complex128;
    if (parts.size() == 1) return cast_to(type, std::move(parts[0]), span);
    for (Value& part : parts) part = cast_to(type.component(), std::move(part), part.span);
    return resolved(*find_builtin("pyk.complex"), std::move(parts), span);
}

// `.conjugate()`; a real number is its own.
Value Inference::special_conjugate(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver] = site;
    std::vector<Value> operand = arguments(site);
    if (operand.size() != 1 || !node.keywords.empty())
        return error(diag::wrong_argument_count, span, "conjugate", "0",
                     static_cast<int>(operand.size() - 1 + node.keywords.size()));
    if (!operand[0].type.is_complex()) return std::move(operand[0]);
    return resolved(builtin, std::move(operand), span);
}

}  // namespace pyk
