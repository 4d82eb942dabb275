#include "passes/arithmetic.h"

#include <cmath>
#include <limits>

namespace pyk {
namespace {

using ir::ConstantValue;

/// Towards minus infinity; by zero, and where the type does not have the quotient, zero.
template <typename Int>
Int floor_div(Int a, Int b, Type type) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<Int>) {
        const Int least = std::numeric_limits<Int>::min() >> (64 - type.bits());
        if (b == -1 && a == least) return 0;
        return a / b - (a % b != 0 && (a < 0) != (b < 0));
    }
    return a / b;
}

template <typename Int>
Int floor_mod(Int a, Int b) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<Int>) {
        if (b == -1) return 0;
        const Int rest = a % b;
        return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
    return a % b;
}

std::optional<bool> compare(BinaryOp op, auto a, auto b) {
    switch (op) {
        case BinaryOp::Eq:
            return a == b;
        case BinaryOp::Ne:
            return a != b;
        case BinaryOp::Lt:
            return a < b;
        case BinaryOp::Le:
            return a <= b;
        case BinaryOp::Gt:
            return a > b;
        case BinaryOp::Ge:
            return a >= b;
        default:
            return std::nullopt;
    }
}

/// The bits of the result before they are cut to the width. Sums and products agree for both kinds of integers.
template <typename Int>
std::optional<uint64_t> integer_bits(BinaryOp op, Int a, Int b, Type type) {
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    switch (op) {
        case BinaryOp::Add:
            return x + y;
        case BinaryOp::Sub:
            return x - y;
        case BinaryOp::Mul:
            return x * y;
        case BinaryOp::FloorDiv:
            return static_cast<uint64_t>(floor_div(a, b, type));
        case BinaryOp::Mod:
            return static_cast<uint64_t>(floor_mod(a, b));
        case BinaryOp::BitAnd:
            return x & y;
        case BinaryOp::BitOr:
            return x | y;
        case BinaryOp::BitXor:
            return x ^ y;
        default:
            return std::nullopt;
    }
}

/// An amount outside of [0, bits) is undefined: left to run time.
std::optional<uint64_t> shifted(BinaryOp op, const ConstantValue& lhs, uint64_t amount, Type type) {
    if (amount >= static_cast<uint64_t>(type.bits())) return std::nullopt;
    const auto* number = std::get_if<int64_t>(&lhs);
    const uint64_t bits = number ? static_cast<uint64_t>(*number) : std::get<uint64_t>(lhs);
    if (op == BinaryOp::Shl) return bits << amount;
    return number ? static_cast<uint64_t>(*number >> amount) : bits >> amount;
}

std::optional<uint64_t> power(const ConstantValue& lhs, uint64_t exponent) {
    constexpr uint64_t kMost = 64;
    if (exponent > kMost) return std::nullopt;
    const auto* number = std::get_if<int64_t>(&lhs);
    const uint64_t base = number ? static_cast<uint64_t>(*number) : std::get<uint64_t>(lhs);
    uint64_t result = 1;
    for (uint64_t i = 0; i < exponent; ++i) result *= base;
    return result;
}

/// Of a shift's amount or a power's exponent: a negative one becomes too great to be folded.
uint64_t amount_of(const ConstantValue& value) {
    const auto* number = std::get_if<int64_t>(&value);
    return number ? static_cast<uint64_t>(*number) : std::get<uint64_t>(value);
}

std::optional<double> float_value(BinaryOp op, double a, double b) {
    switch (op) {
        case BinaryOp::Add:
            return a + b;
        case BinaryOp::Sub:
            return a - b;
        case BinaryOp::Mul:
            return a * b;
        case BinaryOp::TrueDiv:
            return a / b;
        default:
            return std::nullopt;
    }
}

std::optional<ConstantValue> evaluate_float(BinaryOp op, double a, double b, Type type) {
    if (auto truth = compare(op, a, b)) return *truth;
    const auto value = float_value(op, a, b);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    return ir::convert_constant(*value, type);
}

template <typename Int>
std::optional<ConstantValue> evaluate_integer(BinaryOp op, const ConstantValue& lhs, const ConstantValue& rhs,
                                              Type type) {
    const Int a = std::get<Int>(lhs), b = std::get<Int>(rhs);
    if (auto truth = compare(op, a, b)) return *truth;
    const auto bits = integer_bits(op, a, b, type);
    return bits ? std::optional(ir::integer_constant(*bits, type)) : std::nullopt;
}

std::optional<ConstantValue> evaluate_bool(BinaryOp op, bool a, bool b) {
    if (auto truth = compare(op, a, b)) return *truth;
    if (op == BinaryOp::BitAnd) return a && b;
    if (op == BinaryOp::BitOr) return a || b;
    if (op == BinaryOp::BitXor) return a != b;
    return std::nullopt;
}

std::optional<ConstantValue> cut(std::optional<uint64_t> bits, Type type) {
    return bits ? std::optional(ir::integer_constant(*bits, type)) : std::nullopt;
}

}  // namespace

std::optional<ConstantValue> evaluate(BinaryOp op, const ConstantValue& lhs, const ConstantValue& rhs, Type type) {
    if (type.is_float()) {
        if (!std::holds_alternative<double>(rhs)) return std::nullopt;
        return evaluate_float(op, std::get<double>(lhs), std::get<double>(rhs), type);
    }
    if (type.is_boolean()) return evaluate_bool(op, std::get<bool>(lhs), std::get<bool>(rhs));
    if (op == BinaryOp::Shl || op == BinaryOp::Shr) return cut(shifted(op, lhs, amount_of(rhs), type), type);
    if (op == BinaryOp::Pow) return cut(power(lhs, amount_of(rhs)), type);
    if (type.is_signed()) return evaluate_integer<int64_t>(op, lhs, rhs, type);
    return evaluate_integer<uint64_t>(op, lhs, rhs, type);
}

std::optional<ConstantValue> evaluate(UnaryOp op, const ConstantValue& operand, Type type) {
    if (op == UnaryOp::Pos) return operand;
    if (type.is_boolean())
        return op == UnaryOp::Neg ? std::nullopt : std::optional<ConstantValue>(!std::get<bool>(operand));
    if (type.is_float())
        return op == UnaryOp::Neg ? std::optional<ConstantValue>(-std::get<double>(operand)) : std::nullopt;
    const uint64_t bits = amount_of(operand);
    return ir::integer_constant(op == UnaryOp::Neg ? 0 - bits : ~bits, type);
}

}  // namespace pyk
