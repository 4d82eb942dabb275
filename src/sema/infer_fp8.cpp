// CUDA's floats of 8 bits: casts to and from one of them, and of vectors to and from two or four.
#include "sema/infer.h"
#include "types/fp8.h"

namespace pyk {

// Integers go to float32 first, but for `e8m0`, which rounds up; what comes out is a float32, which has all of their
// values.
Value Inference::cast_fp8(Type type, Value value, Span span) {
    const Type from = value.type;
    const bool is_from = is_fp8(from), is_real = !(is_from ? type : from).is_complex();
    if (type == from) return value;
    if (is_fp8(type) == is_from || !(is_from ? type : from).is_scalar() || !is_real)
        return error(diag::cannot_convert, span, from.name(), type.name());
    std::vector<ir::ExprPtr> args;
    if (!is_from) {
        const bool is_double = from.is(Scalar::float64) || type.name() == "fp8_e8m0";
        args.push_back(in_type(value, is_double ? Scalar::float64 : Scalar::float32));
        return made_by(*find_builtin("fp8.to." + type.name()), type, std::move(args), value.effects, span);
    }
    args.push_back(ir::convert(std::move(value.expr), Scalar::uint8));
    Value number =
        made_by(*find_builtin("fp8.from." + from.name()), Scalar::float32, std::move(args), value.effects, span);
    if (!type.is_integer()) return cast_to(type, std::move(number), span);
    std::vector<ir::ExprPtr> parts;
    parts.push_back(std::move(number.expr));
    return made_by("fp8.integer", type, std::move(parts), number.effects, span);
}

// `fp8x2_e5m2(v)`: of a vector of as many floats.
Value Inference::pack_fp8(Type type, Value vector, Span span, ir::Block& out) {
    const Type from = vector.type;
    if (from == type) return vector;
    if (!from.is_vector() || from.size() != fp8_count(type) ||
        !(from.elements()[0].is(Scalar::float32) || from.elements()[0].is(Scalar::float64)))
        return error(diag::cannot_convert, span, from.name(), type.name());
    const Effects effects = vector.effects;
    std::vector<ir::ExprPtr> args;
    for (Value& part : elements(std::move(vector), out)) args.push_back(std::move(part.expr));
    return made_by(*find_builtin("fp8.to." + type.name()), type, std::move(args), effects, span);
}

// The numbers of a pack, as float32.
std::vector<Value> Inference::unpacked_fp8(Value pack, ir::Block& out) {
    const Type type = pack.type;
    const Span span = pack.span;
    if (!pack.expr->as<ir::LocalRef>()) pack = spill(std::move(pack), "pack", out);
    std::vector<Value> numbers;
    for (size_t i = 0; i < fp8_count(type); ++i) {
        std::vector<ir::ExprPtr> args;
        args.push_back(ir::convert(clone(*pack.expr), Scalar::uint32));
        args.push_back(ir::integer(static_cast<int64_t>(i), Scalar::int32, span));
        Value byte = made_by("fp8.byte", fp8_element(type), std::move(args), pack.effects, span);
        numbers.push_back(cast_fp8(Scalar::float32, std::move(byte), span));
    }
    return numbers;
}

}  // namespace pyk
