#include "jit/elements.h"

#include <cmath>
#include <cstring>

#include "pyk/half.h"
#include "real_text.h"

namespace pyk::jit {
namespace {

using Kind = ElementRow::Kind;

constexpr ElementRow kRows[] = {
    {"boolean", "b1", 1, 1, Kind::boolean},      {"int8", "i1", 1, 1, Kind::integer},
    {"int16", "i2", 2, 2, Kind::integer},        {"int32", "i4", 4, 4, Kind::integer},
    {"int64", "i8", 8, 8, Kind::integer},        {"uint8", "u1", 1, 1, Kind::natural},
    {"uint16", "u2", 2, 2, Kind::natural},       {"uint32", "u4", 4, 4, Kind::natural},
    {"uint64", "u8", 8, 8, Kind::natural},       {"float16", "f2", 2, 2, Kind::real},
    {"bfloat16", "bf2", 2, 2, Kind::real},       {"float32", "f4", 4, 4, Kind::real},
    {"float64", "f8", 8, 8, Kind::real},         {"complex64", "c8", 8, 4, Kind::complex},
    {"complex128", "c16", 16, 8, Kind::complex}, {"xoroshiro128p", "x", 16, 8, Kind::record},
    {"record", "r", 0, 1, Kind::record},         {"none", "n", 0, 1, Kind::none},
    {"tuple", "t", 0, 1, Kind::record},
};
static_assert(sizeof kRows / sizeof *kRows == static_cast<std::size_t>(Element::tuple) + 1, "a row for each element");

double real_of(const Argument& value) {
    switch (row_of(value.element).kind) {
        case Kind::boolean:
            return value.boolean ? 1 : 0;
        case Kind::integer:
            return static_cast<double>(value.integer);
        case Kind::natural:
            return static_cast<double>(value.natural);
        default:
            return value.real;
    }
}

template <typename T>
bool put(unsigned char* to, T value) {
    std::memcpy(to, &value, sizeof value);
    return true;
}

bool put_float(unsigned char* to, Element type, double value) {
    switch (type) {
        case Element::float16:
            return put(to, pyk::float16(value));
        case Element::bfloat16:
            return put(to, pyk::bfloat16(value));
        case Element::float32:
        case Element::complex64:
            return put(to, static_cast<float>(value));
        default:
            return put(to, value);
    }
}

// The value as a wide integer. False: it has a fraction, or is beyond 64 bits.
bool as_integer(const Argument& value, __int128& whole) {
    switch (row_of(value.element).kind) {
        case Kind::boolean:
            whole = value.boolean;
            return true;
        case Kind::integer:
            whole = value.integer;
            return true;
        case Kind::natural:
            whole = value.natural;
            return true;
        default:
            if (!std::isfinite(value.real) || value.real != std::trunc(value.real) || std::fabs(value.real) > 0x1p64)
                return false;
            whole = static_cast<__int128>(value.real);
            return true;
    }
}

bool put_integer(unsigned char* to, const ElementRow& type, const Argument& value) {
    __int128 whole = 0;
    if (!as_integer(value, whole)) return false;
    const bool is_signed = type.kind == Kind::integer;
    const int bits = static_cast<int>(type.size) * 8;
    const __int128 least = is_signed ? -(__int128{1} << (bits - 1)) : 0;
    const __int128 most = (__int128{1} << (bits - (is_signed ? 1 : 0))) - 1;
    if (whole < least || whole > most) return false;
    const auto wide = static_cast<std::uint64_t>(whole);
    std::memcpy(to, &wide, type.size);  // little-endian, as everything that CUDA runs on
    return true;
}

}  // namespace

const ElementRow& row_of(Element element) { return kRows[static_cast<std::size_t>(element)]; }

std::string name_of(ElementType type) { return type.named ? type.named->text : row_of(type.element).name; }

std::string name_of(const ArgumentType& type) {
    std::string text = name_of(type.element_type());
    if (type.constant) {
        if (type.constant->kind() != Constant::Kind::real)
            return text + "=" + type.constant->visit([](auto v) { return std::to_string(v); });
        return text + "=" + real_text(type.constant->visit([](auto v) { return static_cast<double>(v); }));
    }
    if (type.order == Order::cell) return "Array(" + text + ", 0, 'C')";
    if (type.ndim == 0) return text;
    text += "[";
    for (int axis = 0; axis < type.ndim; ++axis) {
        const bool is_dense =
            (type.order == Order::c && axis == type.ndim - 1) || (type.order == Order::fortran && axis == 0);
        text += std::string(axis ? ", " : "") + (is_dense ? "::1" : ":");
    }
    return text + "]";
}

bool write_scalar(unsigned char* to, Element type, const Argument& value) {
    const ElementRow& row = row_of(type);
    const bool from_complex = row_of(value.element).kind == Kind::complex;
    switch (row.kind) {
        case Kind::boolean:
            return put(to, static_cast<unsigned char>(real_of(value) != 0));
        case Kind::integer:
        case Kind::natural:
            return !from_complex && put_integer(to, row, value);
        case Kind::real:
            return !from_complex && put_float(to, type, real_of(value));
        case Kind::complex:
            put_float(to, type, from_complex ? value.complex[0] : real_of(value));
            return put_float(to + row.size / 2, type, from_complex ? value.complex[1] : 0.0);
        case Kind::record:
        case Kind::none:
            return false;
    }
    return false;
}

bool write_argument(unsigned char* to, Element type, const Argument& value) {
    const ElementRow &row = row_of(type), &given = row_of(value.element);
    const bool to_integer = row.kind == Kind::integer || row.kind == Kind::natural;
    if (!to_integer || given.kind == Kind::complex || given.kind > Kind::complex) return write_scalar(to, type, value);
    const bool is_real = given.kind == Kind::real;
    if (is_real && !(std::fabs(value.real) < 0x1p64)) return false;
    __int128 whole = 0;
    if (is_real)
        whole = static_cast<__int128>(value.real);
    else
        as_integer(value, whole);
    if (row.kind == Kind::natural && whole < 0) return false;
    const auto wide = static_cast<std::uint64_t>(whole);
    std::memcpy(to, &wide, row.size);
    return true;
}

}  // namespace pyk::jit
