#include "module/const_arithmetic.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace pyk {

using Int = Const::Int;
using Complex = std::complex<double>;

namespace {

constexpr Int kIntMax = (static_cast<Int>(1) << 126);

std::optional<Int> checked(Int v) { return v > kIntMax || v < -kIntMax ? std::nullopt : std::optional(v); }

Int floor_div(Int a, Int b) {
    const Int q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

// Rounded once, which operands of more than 53 bits are not where each becomes a float first.
double true_quotient(Int a, Int b) {
    using Magnitude = unsigned __int128;
    const Magnitude x = a < 0 ? -static_cast<Magnitude>(a) : static_cast<Magnitude>(a);
    const Magnitude y = b < 0 ? -static_cast<Magnitude>(b) : static_cast<Magnitude>(b);
    const auto bits = [](Magnitude v) {
        const auto high = static_cast<uint64_t>(v >> 64);
        return high ? 64 + std::bit_width(high) : std::bit_width(static_cast<uint64_t>(v));
    };
    if ((bits(x) <= 53 && bits(y) <= 53) || bits(y) > 64) return static_cast<double>(a) / static_cast<double>(b);
    const int shift = 128 - bits(x);  // the quotient has at least 64 bits, the last of which stands for the rest
    const Magnitude quotient = (x << shift) / y, rest = (x << shift) % y;
    const double result = std::ldexp(static_cast<double>(quotient | (rest != 0 ? 1 : 0)), -shift);
    return (a < 0) != (b < 0) ? -result : result;
}

std::optional<Const> integer_power(Int base, Int exponent) {
    if (exponent < 0)
        return base == 0 ? std::nullopt
                         : std::optional(Const{std::pow(static_cast<double>(base), static_cast<double>(exponent)), {}});
    Int result = 1;
    for (Int i = 0; i < exponent; ++i) {
        if (base == 0 || base == 1) return Const{base, {}};
        if (base == -1) return Const{exponent % 2 == 0 ? Int(1) : Int(-1), {}};
        if (__builtin_mul_overflow(result, base, &result) || !checked(result)) return std::nullopt;
    }
    return Const{result, {}};
}

}  // namespace

std::optional<Const> integer_op(ast::BinaryOp op, Int a, Int b) {
    using Op = ast::BinaryOp;
    Int result = 0;
    switch (op) {
        case Op::Add:
            result = a + b;
            break;
        case Op::Sub:
            result = a - b;
            break;
        case Op::Mult:
            if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
            break;
        case Op::Div:
            return b == 0 ? std::nullopt : std::optional(Const{true_quotient(a, b), {}});
        case Op::FloorDiv:
            if (b == 0) return std::nullopt;
            result = floor_div(a, b);
            break;
        case Op::Mod:
            if (b == 0) return std::nullopt;
            result = a - floor_div(a, b) * b;
            break;
        case Op::Pow:
            return integer_power(a, b);
        case Op::LShift:
            if (b < 0 || (a != 0 && b > 126)) return std::nullopt;
            if (a != 0 && __builtin_mul_overflow(a, static_cast<Int>(1) << b, &result)) return std::nullopt;
            break;
        case Op::RShift:
            if (b < 0) return std::nullopt;
            result = b > 126 ? (a < 0 ? -1 : 0) : a >> b;
            break;
        case Op::BitAnd:
            result = a & b;
            break;
        case Op::BitOr:
            result = a | b;
            break;
        case Op::BitXor:
            result = a ^ b;
            break;
        case Op::MatMult:
            return std::nullopt;
    }
    if (!checked(result)) return std::nullopt;
    return Const{result, {}};
}

namespace {

// CPython's float_divmod.
std::pair<double, double> floor_divmod(double a, double b) {
    double mod = std::fmod(a, b);
    double div = (a - mod) / b;
    if (mod == 0) {
        mod = std::copysign(0.0, b);
    } else if ((b < 0) != (mod < 0)) {
        mod += b;
        div -= 1;
    }
    if (div == 0) return {std::copysign(0.0, a / b), mod};
    const double floor = std::floor(div);
    return {div - floor > 0.5 ? floor + 1 : floor, mod};
}

}  // namespace

std::optional<double> float_op(ast::BinaryOp op, double a, double b) {
    using Op = ast::BinaryOp;
    switch (op) {
        case Op::Add:
            return a + b;
        case Op::Sub:
            return a - b;
        case Op::Mult:
            return a * b;
        case Op::Div:
            return b == 0 ? std::nullopt : std::optional(a / b);
        case Op::Pow: {
            const double power = std::pow(a, b);
            // Python raises an error; of a finite number it gives a complex one.
            return (a == 0 && b < 0) || (a < 0 && std::isnan(power)) ? std::nullopt : std::optional(power);
        }
        case Op::FloorDiv:
            return b == 0 ? std::nullopt : std::optional(floor_divmod(a, b).first);
        case Op::Mod:
            return b == 0 ? std::nullopt : std::optional(floor_divmod(a, b).second);
        default:
            return std::nullopt;
    }
}

namespace {

// CPython's _Py_c_quot.
Complex quotient(Complex a, Complex b) {
    if (std::fabs(b.real()) >= std::fabs(b.imag())) {
        const double ratio = b.imag() / b.real(), denominator = b.real() + b.imag() * ratio;
        return {(a.real() + a.imag() * ratio) / denominator, (a.imag() - a.real() * ratio) / denominator};
    }
    const double ratio = b.real() / b.imag(), denominator = b.real() * ratio + b.imag();
    return {(a.real() * ratio + a.imag()) / denominator, (a.imag() * ratio - a.real()) / denominator};
}

}  // namespace

Complex product(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

namespace {

// CPython's complex_pow.
Complex complex_power(Complex a, Complex b) {
    if (b.imag() == 0 && b.real() == std::floor(b.real()) && std::fabs(b.real()) <= 100) {
        Complex result = 1;
        for (auto n = static_cast<int>(std::fabs(b.real())); n > 0; n >>= 1, a = product(a, a))
            if (n & 1) result = product(result, a);
        return b.real() < 0 ? quotient(1, result) : result;
    }
    if (a == 0.0) return 0;
    const double length = std::hypot(a.real(), a.imag()), angle = std::atan2(a.imag(), a.real());
    const double scale = std::pow(length, b.real()) / (b.imag() != 0 ? std::exp(angle * b.imag()) : 1);
    const double phase = angle * b.real() + (b.imag() != 0 ? b.imag() * std::log(length) : 0);
    return {scale * std::cos(phase), scale * std::sin(phase)};
}

}  // namespace

std::optional<Complex> complex_op(ast::BinaryOp op, Complex a, Complex b) {
    switch (op) {
        case ast::BinaryOp::Add:
            return a + b;
        case ast::BinaryOp::Sub:
            return a - b;
        case ast::BinaryOp::Mult:
            return product(a, b);
        case ast::BinaryOp::Div:
            return b == 0.0 ? std::nullopt : std::optional(quotient(a, b));
        case ast::BinaryOp::Pow:  // Python raises an error for a power of zero that is neither positive nor zero
            return a == 0.0 && (b.imag() != 0 || b.real() < 0) ? std::nullopt : std::optional(complex_power(a, b));
        default:
            return std::nullopt;
    }
}

}  // namespace pyk
