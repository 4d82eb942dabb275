#include "sema/constant.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "ir/build.h"
#include "sema/const_text.h"
#include "sema/const_time.h"
#include "sema/host_values.h"
#include "support/fault.h"
#include "types/convert.h"
#include "types/small_float.h"

namespace pyk {
namespace {

using Int = Const::Int;
using Complex = std::complex<double>;

constexpr Int kIntMax = (static_cast<Int>(1) << 126);

bool fits(Int v, int64_t low, uint64_t high) { return v >= low && v <= static_cast<Int>(high); }

Type type_of_int(Int v) {
    if (fits(v, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max())) return Scalar::int64;
    if (fits(v, 0, std::numeric_limits<uint64_t>::max())) return Scalar::uint64;
    return {};
}

bool is_real(const Const& c) { return c.as<bool>() || c.as<Int>() || c.as<double>(); }

double as_double(const Const& c) {
    if (const bool* b = c.as<bool>()) return *b;
    if (const Int* i = c.as<Int>()) return static_cast<double>(*i);
    return *c.as<double>();
}

Complex as_complex(const Const& c) {
    const Complex* z = c.as<Complex>();
    return z ? *z : Complex(as_double(c));
}

Int as_int(const Const& c) {
    if (const bool* b = c.as<bool>()) return *b;
    return *c.as<Int>();
}

Int wrap(Int v, Type type) {
    const int bits = type.bits();
    const Int mask = (static_cast<Int>(1) << bits) - 1;
    Int low = v & mask;
    if (type.is_signed() && (low >> (bits - 1)) != 0) low -= mask + 1;
    return low;
}

std::optional<Int> checked(Int v) { return v > kIntMax || v < -kIntMax ? std::nullopt : std::optional(v); }

Int floor_div(Int a, Int b) {
    const Int q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

std::optional<Const> integer_power(Int base, Int exponent) {
    if (exponent < 0)
        return base == 0 ? std::nullopt
                         : std::optional(Const{std::pow(static_cast<double>(base), static_cast<double>(exponent)), {}});
    Int result = 1;
    for (Int i = 0; i < exponent; ++i) {
        if (base == 0 || base == 1) return Const{exponent == 0 ? Int(1) : base, {}};
        if (base == -1) return Const{exponent % 2 == 0 ? Int(1) : Int(-1), {}};
        if (__builtin_mul_overflow(result, base, &result) || !checked(result)) return std::nullopt;
    }
    return Const{result, {}};
}

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
            return b == 0 ? std::nullopt : std::optional(Const{static_cast<double>(a) / static_cast<double>(b), {}});
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
            if (b < 0 || b > 100 || (a != 0 && b + 1 > 126)) return std::nullopt;
            if (__builtin_mul_overflow(a, static_cast<Int>(1) << b, &result)) return std::nullopt;
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
            // Python raises an error, or gives a complex number.
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

// CPython's _Py_c_quot.
Complex quotient(Complex a, Complex b) {
    if (std::fabs(b.real()) >= std::fabs(b.imag())) {
        const double ratio = b.imag() / b.real(), denominator = b.real() + b.imag() * ratio;
        return {(a.real() + a.imag() * ratio) / denominator, (a.imag() - a.real() * ratio) / denominator};
    }
    const double ratio = b.real() / b.imag(), denominator = b.real() * ratio + b.imag();
    return {(a.real() * ratio + a.imag()) / denominator, (a.imag() * ratio - a.real()) / denominator};
}

Complex product(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

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

std::optional<Const> apply_complex(ast::BinaryOp op, const Const& a, const Const& b) {
    const auto result = complex_op(op, as_complex(a), as_complex(b));
    if (!result) return std::nullopt;
    const Const value{*result, {}};
    if (!a.typed && !b.typed) return value;
    if (a.typed && b.typed) return cast(value, unify(a.typed, b.typed));
    const Type strong = a.typed ? a.typed : b.typed;
    const bool is_single = strong.is(Scalar::complex64) || strong.is(Scalar::float32);
    return cast(value, is_single ? Scalar::complex64 : Scalar::complex128);
}

// NumPy: Python's own numbers are weak beside a typed scalar.
Type common_type(const Const& a, const Const& b) {
    if (a.typed && b.typed) return unify(a.typed, b.typed);
    const Const& weak = a.typed ? b : a;
    const Type strong = a.typed ? a.typed : b.typed;
    if (strong && weak.as<double>() && !strong.is_float()) return Scalar::float64;
    return strong;
}

}  // namespace

Const list_of(std::vector<Const> items) { return {std::make_shared<const ConstList>(ConstList{std::move(items)}), {}}; }

bool is_number(const Const& c) { return is_real(c) || c.as<Complex>(); }

Complex to_complex(const Const& c) { return as_complex(c); }

bool holds_array(const Const& c) {
    const auto* tuple = c.as<Const::Tuple>();
    return c.as<Const::Array>() || (tuple && std::ranges::any_of(*tuple, holds_array));
}

Type type_of(const Const& c) {
    if (c.typed) return c.typed;
    if (const auto* array = c.as<Const::Array>()) return (*array)->type;
    if (c.as<bool>()) return Scalar::boolean;
    if (const Int* i = c.as<Int>()) return type_of_int(*i);
    if (c.as<double>()) return Scalar::float64;
    if (c.as<Complex>()) return Scalar::complex128;
    const Const::Tuple* tuple = c.as<Const::Tuple>();
    if (!tuple) return {};
    std::vector<Type> elements;
    for (const Const& element : *tuple) {
        elements.push_back(type_of(element));
        if (!elements.back()) return {};
    }
    return Type::tuple(elements);
}

std::variant<bool, int64_t, uint64_t, double> to_scalar(const Const& c) {
    const Type own = type_of(c);
    const Type type = own.is_distinct() ? Type(own.scalar()) : own;
    if (type.is_boolean()) return as_double(c) != 0;
    if (type.is_float()) return as_double(c);
    if (type.is_signed()) return static_cast<int64_t>(as_int(c));
    return static_cast<uint64_t>(as_int(c));
}

ir::ExprPtr to_expr(const Const& c, Span span) {
    if (const Const::Tuple* tuple = c.as<Const::Tuple>()) {
        ir::MakeTuple node;
        for (const Const& element : *tuple) node.elements.push_back(to_expr(element, span));
        return ir::make(type_of(c), span, std::move(node));
    }
    const Type type = type_of(c);
    if (!type.is_complex()) return ir::make(type, span, ir::Constant{to_scalar(c)});
    static const Builtin* const builtin = find_builtin("pyk.complex");
    if (!builtin) internal_error("no builtin pyk.complex");
    const Complex value = as_complex(c);
    std::vector<ir::ExprPtr> parts;
    parts.push_back(ir::floating(value.real(), type.component(), span));
    parts.push_back(ir::floating(value.imag(), type.component(), span));
    return ir::make(type, span, ir::BuiltinCall{builtin, std::move(parts)});
}

std::optional<int64_t> to_int(const Const& c) {
    if (const bool* b = c.as<bool>()) return *b;
    const Int* i = c.as<Int>();
    if (!i || !fits(*i, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max())) return std::nullopt;
    return static_cast<int64_t>(*i);
}

bool truth(const Const& c) {
    if (is_number(c)) return as_complex(c) != 0.0;
    if (const std::string* s = c.as<std::string>()) return !s->empty();
    if (const Const::List* list = c.as<Const::List>()) return !(*list)->items.empty();
    if (const Const::Dict* dict = c.as<Const::Dict>()) return !dict->keys.empty();
    if (const Const::Tuple* t = c.as<Const::Tuple>()) return !t->empty();
    return !c.as<Const::None>();
}

namespace {

// A time or a member of an enumeration: no number, though it is made of one.
bool is_of_its_own(const Const& c) { return c.typed && c.typed.is_distinct(); }

}  // namespace

std::optional<Const> cast(const Const& c, Type type) {
    if (!is_number(c) || !type.is_scalar()) return std::nullopt;
    if (type.is_boolean()) return Const{as_complex(c) != 0.0, type};
    if (type.is(Scalar::complex64)) return Const{Complex(std::complex<float>(as_complex(c))), type};
    if (type.is_complex()) return Const{as_complex(c), type};
    if (!is_real(c)) return std::nullopt;
    if (type.is_float()) return Const{rounded(as_double(c), type), type};
    if (const double* d = c.as<double>()) {
        if (!(std::fabs(*d) < 1.8e19)) return std::nullopt;
        return Const{wrap(static_cast<Int>(*d), type), type};
    }
    return Const{wrap(as_int(c), type), type};
}

std::optional<Const> complex_of(const Const& real, const Const& imag) {
    if (!is_number(real) || !is_number(imag)) return std::nullopt;
    return Const{as_complex(real) + product(as_complex(imag), Complex(0, 1)), {}};
}

namespace {

const std::vector<Const>* items_in(const Const& c) {
    const auto* list = c.as<Const::List>();
    return list ? &(*list)->items : c.as<Const::Tuple>();
}

// `(1, 2) + (3,)`, `[0] * 4`, `"ab" * 2`.
std::optional<Const> of_sequences(ast::BinaryOp op, const Const& a, const Const& b) {
    const auto *left = items_in(a), *right = items_in(b);
    if (op == ast::BinaryOp::Add && left && right && a.value.index() == b.value.index()) {
        std::vector<Const> joined = *left;
        joined.insert(joined.end(), right->begin(), right->end());
        return a.as<Const::List>() ? list_of(std::move(joined)) : Const{std::move(joined), {}};
    }
    if (op != ast::BinaryOp::Mult) return std::nullopt;
    const bool swapped = !left && !a.as<std::string>();
    const Const &what = swapped ? b : a, &count = swapped ? a : b;
    const auto* items = items_in(what);
    const auto* text = what.as<std::string>();
    const auto times = to_int(count);
    const size_t length = items ? items->size() : text ? text->size() : 0;
    if ((!items && !text) || !times || (*times > 0 && static_cast<size_t>(*times) * length > kMostHostItems))
        return std::nullopt;
    std::vector<Const> repeated;
    std::string copies;
    for (int64_t i = 0; length > 0 && i < *times; ++i) {
        if (items) repeated.insert(repeated.end(), items->begin(), items->end());
        if (text) copies += *text;
    }
    if (text) return Const{std::move(copies), {}};
    return what.as<Const::List>() ? list_of(std::move(repeated)) : Const{std::move(repeated), {}};
}

// By their first items that are not equal.
std::optional<bool> compare_sequences(ast::CompareOp op, const std::vector<Const>& a, const std::vector<Const>& b) {
    using Op = ast::CompareOp;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const auto equal = compare(Op::Eq, a[i], b[i]);
        if (!equal) return std::nullopt;
        if (*equal) continue;
        return op == Op::Eq || op == Op::NotEq ? op == Op::NotEq : compare(op, a[i], b[i]);
    }
    const auto size = [](size_t n) { return Const{static_cast<Int>(n), {}}; };
    return compare(op, size(a.size()), size(b.size()));
}

std::optional<bool> is_in(const Const& a, const Const& b) {
    const auto* text = a.as<std::string>();
    if (const auto* all = b.as<std::string>(); all && text) return all->find(*text) != all->npos;
    const auto* dict = b.as<Const::Dict>();
    const auto* items = dict ? &dict->keys : items_in(b);
    if (!items) return std::nullopt;
    bool found = false;
    for (const Const& item : *items) {
        const bool comparable = is_number(a) == is_number(item) && a.value.index() != 0;
        const auto equal = comparable ? compare(ast::CompareOp::Eq, a, item) : std::optional(false);
        if (!equal) return std::nullopt;
        found = found || *equal;
    }
    return found;
}

}  // namespace

std::optional<Const> apply(ast::BinaryOp op, const Const& lhs, const Const& rhs) {
    if (is_time(lhs) || is_time(rhs)) return apply_to_time(op, lhs, rhs);
    if (is_of_its_own(lhs) || is_of_its_own(rhs)) return std::nullopt;
    if (is_number(lhs) && is_number(rhs) && !(is_real(lhs) && is_real(rhs))) return apply_complex(op, lhs, rhs);
    if (const Type common = is_number(lhs) && is_number(rhs) ? common_type(lhs, rhs) : Type();
        common.is_float() && (lhs.typed != common || rhs.typed != common)) {
        const auto a = cast(lhs, common), b = cast(rhs, common);
        return apply(op, *a, *b);
    }
    const Const &a = lhs, &b = rhs;
    if (auto made = of_sequences(op, a, b)) return made;
    if (const auto* text = a.as<std::string>()) {
        const auto* more = b.as<std::string>();
        if (op == ast::BinaryOp::Add && more) return Const{*text + *more, {}};
        if (op != ast::BinaryOp::Mod) return std::nullopt;
        auto made =
            percent(*text, b.as<Const::Tuple>() ? std::span<const Const>(*b.as<Const::Tuple>()) : std::span(&b, 1));
        return made ? std::optional(Const{std::move(*made), {}}) : std::nullopt;
    }
    if (!is_number(a) || !is_number(b)) return std::nullopt;
    const Type common = common_type(a, b);
    std::optional<Const> result;
    if (a.as<double>() || b.as<double>()) {
        if (const auto v = float_op(op, as_double(a), as_double(b))) result = Const{*v, {}};
    } else if (a.as<bool>() && b.as<bool>() &&
               (op == ast::BinaryOp::BitAnd || op == ast::BinaryOp::BitOr || op == ast::BinaryOp::BitXor)) {
        result = Const{as_int(*integer_op(op, as_int(a), as_int(b))) != 0, {}};
    } else {
        result = integer_op(op, as_int(a), as_int(b));
    }
    if (!result || !common) return result;
    return cast(*result, result->as<double>() && !common.is_float() ? Type(Scalar::float64) : common);
}

std::optional<Const> apply(ast::UnaryOp op, const Const& c) {
    if (op == ast::UnaryOp::Not) return Const{!truth(c), {}};
    if (is_time(c)) return apply_to_time(op, c);
    if (!is_number(c) || is_of_its_own(c)) return std::nullopt;
    std::optional<Const> result;
    if (const double* d = c.as<double>()) {
        if (op == ast::UnaryOp::Invert) return std::nullopt;
        result = Const{op == ast::UnaryOp::USub ? -*d : *d, {}};
    } else if (const Complex* z = c.as<Complex>()) {
        if (op == ast::UnaryOp::Invert) return std::nullopt;
        result = Const{op == ast::UnaryOp::USub ? -*z : *z, {}};
    } else {
        const Int i = as_int(c);
        result = Const{op == ast::UnaryOp::USub ? -i : op == ast::UnaryOp::Invert ? ~i : i, {}};
    }
    return c.typed ? cast(*result, c.typed) : result;
}

namespace {

// Python compares an integer with a float as they are, without rounding.
int exact_order(Int integer, double number) {
    constexpr double kBeyond = 0x1p126;
    if (std::fabs(number) >= kBeyond) return number > 0 ? -1 : 1;
    const Int whole = static_cast<Int>(number);
    if (integer != whole) return integer < whole ? -1 : 1;
    const double rest = number - static_cast<double>(whole);
    return rest > 0 ? -1 : rest < 0 ? 1 : 0;
}

}  // namespace

std::optional<bool> compare(ast::CompareOp op, const Const& a, const Const& b) {
    using Op = ast::CompareOp;
    if (a.as<Type>() && b.as<Type>() && (op == Op::Eq || op == Op::NotEq || op == Op::Is || op == Op::IsNot))
        return (*a.as<Type>() == *b.as<Type>()) == (op == Op::Eq || op == Op::Is);
    if (op == Op::Is || op == Op::IsNot || a.as<Const::None>() || b.as<Const::None>()) {
        if (!a.as<Const::None>() && !b.as<Const::None>()) return std::nullopt;
        const bool same = a.as<Const::None>() && b.as<Const::None>();
        return (op == Op::Is || op == Op::Eq) ? same : !same;
    }
    if (op == Op::In || op == Op::NotIn) {
        const auto found = is_in(a, b);
        return found ? std::optional(*found == (op == Op::In)) : std::nullopt;
    }
    if (a.as<std::string>() && b.as<std::string>()) {
        const int order = a.as<std::string>()->compare(*b.as<std::string>());
        return compare(op, Const{static_cast<Int>(order), {}}, Const{Int(0), {}});
    }
    if (items_in(a) && items_in(b))
        return a.value.index() == b.value.index() ? compare_sequences(op, *items_in(a), *items_in(b)) : op == Op::NotEq;
    if (is_time(a) || is_time(b)) return compare_times(op, a, b);
    if (!is_number(a) || !is_number(b)) return std::nullopt;
    if (!is_real(a) || !is_real(b)) {
        if (op != Op::Eq && op != Op::NotEq) return std::nullopt;
        return (as_complex(a) == as_complex(b)) == (op == Op::Eq);
    }
    const bool floats = a.as<double>() || b.as<double>();
    const auto decide = [&](auto x, auto y) -> std::optional<bool> {
        switch (op) {
            case Op::Eq:
                return x == y;
            case Op::NotEq:
                return x != y;
            case Op::Lt:
                return x < y;
            case Op::LtE:
                return x <= y;
            case Op::Gt:
                return x > y;
            case Op::GtE:
                return x >= y;
            default:
                return std::nullopt;
        }
    };
    if (floats && !a.typed && !b.typed && !std::isnan(as_double(a)) && !std::isnan(as_double(b))) {
        if (!b.as<double>()) return decide(-exact_order(as_int(b), as_double(a)), 0);
        if (!a.as<double>()) return decide(exact_order(as_int(a), as_double(b)), 0);
    }
    return floats ? decide(as_double(a), as_double(b)) : decide(as_int(a), as_int(b));
}

std::optional<Const> literal(const ast::Constant& constant) {
    return std::visit(
        [](const auto& v) -> std::optional<Const> {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, ast::NoneValue>)
                return Const{Const::None{}, {}};
            else if constexpr (std::is_same_v<T, bool>)
                return Const{v, {}};
            else if constexpr (std::is_same_v<T, double>)
                return Const{v, {}};
            else if constexpr (std::is_same_v<T, ast::ImaginaryValue>)
                return Const{Complex(0, v.value), {}};
            else if constexpr (std::is_same_v<T, ast::StrValue>)
                return Const{std::string(v.text), {}};
            else if constexpr (std::is_same_v<T, ast::BytesValue>)
                return bytes_of(v.bytes);
            else if constexpr (std::is_same_v<T, ast::IntValue>)
                return v.fits ? std::optional(Const{static_cast<Int>(v.value), {}}) : std::nullopt;
            else
                return std::nullopt;
        },
        constant.value);
}

}  // namespace pyk
