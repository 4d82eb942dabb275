#include "ir/constant.h"

#include <cmath>

#include "support/fault.h"
#include "types/small_float.h"

namespace pyk::ir {
namespace {

int64_t cut_signed(uint64_t bits, int width) {
    const int unused = 64 - width;
    return static_cast<int64_t>(bits << unused) >> unused;
}

uint64_t cut_unsigned(uint64_t bits, int width) { return width == 64 ? bits : bits & ((uint64_t{1} << width) - 1); }

double to_double(const ConstantValue& value) {
    return std::visit([](auto v) { return static_cast<double>(v); }, value);
}

bool to_bool(const ConstantValue& value) {
    return std::visit([](auto v) { return v != decltype(v){}; }, value);
}

/// Truncated towards zero; nullopt where the result is outside of the type.
std::optional<ConstantValue> float_to_integer(double value, Type type) {
    const double whole = std::trunc(value);
    const double limit = std::ldexp(1.0, type.is_signed() ? type.bits() - 1 : type.bits());
    const double least = type.is_signed() ? -limit : 0.0;
    if (!(whole >= least && whole < limit)) return std::nullopt;
    if (type.is_signed()) return static_cast<int64_t>(whole);
    return static_cast<uint64_t>(whole);
}

uint64_t bits_of(const ConstantValue& value) {
    return std::visit([](auto v) { return static_cast<uint64_t>(v); }, value);
}

/// Straight from the integer: by way of double, a 64-bit value would be rounded twice.
double integer_to_float(const ConstantValue& value, Type type) {
    if (type.bits() != 32) return rounded(to_double(value), type);
    return std::visit([](auto v) { return static_cast<double>(static_cast<float>(v)); }, value);
}

}  // namespace

ConstantValue integer_constant(uint64_t bits, Type type) {
    if (type.is_signed()) return cut_signed(bits, type.bits());
    if (type.is_unsigned()) return cut_unsigned(bits, type.bits());
    internal_error("integer_constant: not an integer type");
}

bool represents(const ConstantValue& value, Type type) {
    if (type.is_distinct()) return represents(value, type.scalar());
    if (!type.is_scalar() || type.is_complex()) return false;
    if (type.is_boolean()) return std::holds_alternative<bool>(value);
    if (type.is_float()) return std::holds_alternative<double>(value);
    const bool alternative =
        type.is_signed() ? std::holds_alternative<int64_t>(value) : std::holds_alternative<uint64_t>(value);
    return alternative && integer_constant(bits_of(value), type) == value;
}

bool is_zero(const ConstantValue& value) {
    return std::visit([](auto number) { return number == decltype(number)(); }, value);
}

std::optional<ConstantValue> convert_constant(const ConstantValue& value, Type type) {
    if (!type.is_scalar()) internal_error("convert_constant: not a scalar type");
    if (type.is_complex()) return std::nullopt;
    if (type.is_boolean()) return to_bool(value);
    const auto* floating = std::get_if<double>(&value);
    if (type.is_float()) return floating ? rounded(*floating, type) : integer_to_float(value, type);
    if (floating) return float_to_integer(*floating, type);
    return integer_constant(bits_of(value), type);
}

}  // namespace pyk::ir
