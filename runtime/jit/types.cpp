#include "jit/types.h"

#include <cmath>

#include "support/fault.h"
#include "types/small_float.h"

namespace pyk::jit {
namespace {

constexpr Scalar kScalars[] = {Scalar::boolean, Scalar::int8,      Scalar::int16,     Scalar::int32,
                               Scalar::int64,   Scalar::uint8,     Scalar::uint16,    Scalar::uint32,
                               Scalar::uint64,  Scalar::float16,   Scalar::bfloat16,  Scalar::float32,
                               Scalar::float64, Scalar::complex64, Scalar::complex128};

Type element_type(Element element) {
    if (element == Element::xoroshiro128p) return Type::xoroshiro128p_state();
    return kScalars[static_cast<size_t>(element)];
}

Layout layout_of(Order order) {
    switch (order) {
        case Order::c:
            return Layout::C;
        case Order::fortran:
            return Layout::F;
        case Order::strided:
            return Layout::A;
    }
    internal_error("an argument without an order");
}

// The integer that the value is, as a wide one; nullopt: it has a fraction, or is beyond 64 bits.
std::optional<__int128> as_integer(const Number& value) {
    if (const double* d = std::get_if<double>(&value)) {
        if (!std::isfinite(*d) || *d != std::trunc(*d) || std::fabs(*d) > 0x1p64) return std::nullopt;
        return static_cast<__int128>(*d);
    }
    return std::visit([](auto v) { return static_cast<__int128>(v); }, value);
}

template <typename T>
void append(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

Type type_of(const Argument& argument) {
    const Type element = element_type(argument.element);
    return argument.ndim == 0 ? element : Type::array(element, argument.ndim, layout_of(argument.order));
}

Number value_of(const Argument& scalar) {
    const Type type = type_of(scalar);
    if (type.is_boolean()) return scalar.boolean;
    if (type.is_signed()) return scalar.integer;
    if (type.is_unsigned()) return scalar.natural;
    return scalar.real;
}

Element element_of(Type element) {
    if (element.is_record()) return Element::xoroshiro128p;
    for (size_t i = 0; i < std::size(kScalars); ++i)
        if (element.is(kScalars[i])) return static_cast<Element>(i);
    internal_error("no argument has elements of type " + element.name());
}

Argument scalar_argument(Type type, const Number& value) {
    Argument argument;
    argument.element = element_of(type);
    if (type.is_boolean()) argument.boolean = std::get<bool>(value);
    if (type.is_signed()) argument.integer = std::get<int64_t>(value);
    if (type.is_unsigned()) argument.natural = std::get<uint64_t>(value);
    if (type.is_float() || type.is_complex()) argument.real = std::get<double>(value);
    return argument;
}

std::optional<Number> convert_number(const Number& value, Scalar to) {
    const ScalarInfo& target = info(to);
    const double real = std::visit([](auto v) { return static_cast<double>(v); }, value);
    if (target.kind == ScalarKind::boolean) return Number(real != 0);
    if (target.kind == ScalarKind::floating || target.kind == ScalarKind::complex) return Number(real);
    const std::optional<__int128> whole = as_integer(value);
    if (!whole) return std::nullopt;
    const bool is_signed = target.kind == ScalarKind::signed_int;
    const __int128 least = is_signed ? -(__int128{1} << (target.bits - 1)) : 0;
    const __int128 most = (__int128{1} << (target.bits - (is_signed ? 1 : 0))) - 1;
    if (*whole < least || *whole > most) return std::nullopt;
    if (is_signed) return Number(static_cast<int64_t>(*whole));
    return Number(static_cast<uint64_t>(*whole));
}

void append_bytes(std::string& bytes, const Number& value, Scalar type) {
    const ScalarInfo& row = info(type);
    switch (row.kind) {
        case ScalarKind::boolean:
            return append(bytes, static_cast<uint8_t>(std::get<bool>(value)));
        case ScalarKind::floating:
            if (row.bits == 16) return append(bytes, small_float_bits(std::get<double>(value), type));
            if (row.bits == 32) return append(bytes, static_cast<float>(std::get<double>(value)));
            if (row.bits == 64) return append(bytes, std::get<double>(value));
            break;
        case ScalarKind::complex:
            append_bytes(bytes, value, Type(type).component().scalar());
            return append_bytes(bytes, Number(0.0), Type(type).component().scalar());
        case ScalarKind::signed_int:
        case ScalarKind::unsigned_int: {
            // Little-endian, as everything that CUDA runs on.
            const bool is_signed = row.kind == ScalarKind::signed_int;
            const uint64_t wide =
                is_signed ? static_cast<uint64_t>(std::get<int64_t>(value)) : std::get<uint64_t>(value);
            bytes.append(reinterpret_cast<const char*>(&wide), static_cast<size_t>(row.bits / 8));
            return;
        }
    }
    internal_error("a scalar type without a form in memory");
}

size_t byte_size(const Argument& array) {
    size_t bytes = type_of(array).element().byte_size();
    for (int axis = 0; axis < array.ndim; ++axis) bytes *= static_cast<size_t>(array.shape[static_cast<size_t>(axis)]);
    return bytes;
}

}  // namespace pyk::jit
