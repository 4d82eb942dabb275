#include "module/const_math.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

#include "module/const_numbers.h"
#include "module/named_operators.h"

namespace pyk {
namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

/// By NumPy's names and by those of `math`.
constexpr std::pair<std::string_view, Unary> kUnary[] = {
    {"sin", std::sin},
    {"cos", std::cos},
    {"tan", std::tan},
    {"arcsin", std::asin},
    {"arccos", std::acos},
    {"arctan", std::atan},
    {"asin", std::asin},
    {"acos", std::acos},
    {"atan", std::atan},
    {"sinh", std::sinh},
    {"cosh", std::cosh},
    {"tanh", std::tanh},
    {"arcsinh", std::asinh},
    {"arccosh", std::acosh},
    {"arctanh", std::atanh},
    {"asinh", std::asinh},
    {"acosh", std::acosh},
    {"atanh", std::atanh},
    {"exp", std::exp},
    {"exp2", std::exp2},
    {"expm1", std::expm1},
    {"log", std::log},
    {"log2", std::log2},
    {"log10", std::log10},
    {"log1p", std::log1p},
    {"sqrt", std::sqrt},
    {"cbrt", std::cbrt},
    {"erf", std::erf},
    {"erfc", std::erfc},
    {"gamma", std::tgamma},
    {"lgamma", std::lgamma},
    {"fabs", std::fabs},
    {"radians", [](double x) { return x * (std::numbers::pi / 180); }},
    {"deg2rad", [](double x) { return x * (std::numbers::pi / 180); }},
    {"degrees", [](double x) { return x * (180 / std::numbers::pi); }},
    {"rad2deg", [](double x) { return x * (180 / std::numbers::pi); }},
};
/// They leave integers as they are; `math` gives integers of floats.
constexpr std::pair<std::string_view, Unary> kRounding[] = {
    {"floor", std::floor}, {"ceil", std::ceil}, {"trunc", std::trunc}, {"rint", std::nearbyint}};
constexpr std::pair<std::string_view, Binary> kBinary[] = {
    {"arctan2", std::atan2}, {"atan2", std::atan2},       {"hypot", std::hypot},
    {"fmod", std::fmod},     {"copysign", std::copysign},
};
template <typename Row, size_t N>
const Row* find(const Row (&rows)[N], std::string_view name) {
    for (const Row& row : rows)
        if (row.first == name) return &row;
    return nullptr;
}

/// The float that NumPy's functions of floats make of a type.
Type float_of(Type type) {
    if (type.is_float()) return type;
    if (type.bits() == 8) return Scalar::float16;
    return type.bits() == 16 ? Scalar::float32 : Scalar::float64;
}

/// NumPy's results have types; those of `math` are Python's floats, and an error where NumPy gives a NaN.
std::optional<Const> result(bool is_numpy, double value, std::span<const Const> from) {
    bool is_defined = std::isfinite(value);
    Type type;
    for (const Const& c : from) {
        is_defined |= !std::isfinite(to_complex(c).real());
        const Type own = c.typed ? float_of(c.typed) : Type();
        type = !type || (own && own.bits() > type.bits()) ? own : type;
    }
    if (!is_numpy) return is_defined ? std::optional(Const{value, {}}) : std::nullopt;
    return cast(Const{value, {}}, type ? type : Type(Scalar::float64));
}

std::optional<Const> least_or_greatest(std::span<const Const> numbers, ast::CompareOp better) {
    Const best = numbers[0];
    for (const Const& c : numbers.subspan(1)) {
        const auto is_better = compare(better, c, best);
        if (!is_better) return std::nullopt;
        if (*is_better) best = c;
    }
    return best;
}

std::optional<Const> absolute(const Const& c) {
    if (c.as<std::complex<double>>()) return Const{std::abs(to_complex(c)), {}};
    const bool is_negative = c.as<double>() ? std::signbit(*c.as<double>()) : to_complex(c).real() < 0;
    return is_negative ? apply(ast::UnaryOp::USub, c) : c;
}

std::optional<std::complex<double>> of_complex(std::string_view name, std::complex<double> z) {
    if (name == "exp") return std::exp(z);
    if (name == "sqrt") return std::sqrt(z);
    if (name == "log") return std::log(z);
    if (name == "sin") return std::sin(z);
    if (name == "cos") return std::cos(z);
    if (name == "tan") return std::tan(z);
    if (name == "sinh") return std::sinh(z);
    if (name == "cosh") return std::cosh(z);
    if (name == "tanh") return std::tanh(z);
    return std::nullopt;
}

std::optional<Const> of_complex(std::string_view name, const Const& c) {
    const bool is_conjugate = name == "conj" || name == "conjugate";
    const auto value = is_conjugate ? std::conj(to_complex(c)) : of_complex(name, to_complex(c));
    if (!value) return std::nullopt;
    return cast(Const{*value, {}}, c.typed ? c.typed : Type(Scalar::complex128));
}

/// Of `cmath`: Python's numbers.
std::optional<Const> of_cmath(std::string_view name, std::span<const Const> numbers) {
    const auto z = to_complex(numbers[0]);
    if (name == "rect" && numbers.size() == 2) return Const{std::polar(z.real(), to_complex(numbers[1]).real()), {}};
    if (numbers.size() != 1) return std::nullopt;
    if (name == "phase") return Const{std::arg(z), {}};
    if (name == "polar") return Const{Const::Tuple{{std::abs(z), {}}, {std::arg(z), {}}}, {}};
    const auto value = of_complex(name, z);
    return value ? std::optional(Const{*value, {}}) : std::nullopt;
}

std::optional<Const> of_one(std::string_view name, bool is_numpy, const Const& c) {
    if (name == "abs" || name == "absolute") return absolute(c);
    if (name == "negative") return apply(ast::UnaryOp::USub, c);
    if (name == "square") return apply(ast::BinaryOp::Mult, c, c);
    if (c.as<std::complex<double>>()) return of_complex(name, c);
    const double x = to_complex(c).real();
    if (const auto* row = find(kUnary, name)) return result(is_numpy, row->second(x), {&c, 1});
    if (const auto* row = find(kRounding, name)) {
        if (!c.as<double>()) return c;
        const double rounded = row->second(x);
        return is_numpy ? cast(Const{rounded, {}}, type_of(c)) : [&]() -> std::optional<Const> {
            if (!(std::fabs(rounded) < 1e30)) return std::nullopt;
            return Const{static_cast<Const::Int>(rounded), {}};
        }();
    }
    return std::nullopt;
}

// `round(x, digits)`: the decimal that is nearest to the exact value, as Python has it.
std::optional<Const> rounded(const Const& c, const Const& digits) {
    const auto places = digits.as<double>() ? std::nullopt : to_int(digits);
    constexpr int kMostPlaces = 300;
    if (!places || *places < 0 || *places > kMostPlaces || c.as<std::complex<double>>()) return std::nullopt;
    if (!c.as<double>()) return c;
    const double x = *c.as<double>();
    if (!std::isfinite(x)) return c;
    // NumPy's numbers have NumPy's way, in their own precision.
    if (c.typed) {
        const auto scale = cast(Const{std::pow(10.0, static_cast<double>(*places)), {}}, c.typed);
        const auto scaled = scale ? apply(ast::BinaryOp::Mult, c, *scale) : std::nullopt;
        const double* whole = scaled ? scaled->as<double>() : nullptr;
        return whole ? apply(ast::BinaryOp::Div, Const{std::nearbyint(*whole), c.typed}, *scale) : std::nullopt;
    }
    const std::string text = fmt::format("{:.{}f}", x, static_cast<int>(*places));
    double nearest = 0;
    std::from_chars(text.data(), text.data() + text.size(), nearest);
    return Const{nearest, {}};
}

Const frexp_of(const Const& number) {
    int exponent = 0;
    const double fraction = std::frexp(to_complex(number).real(), &exponent);
    return {Const::Tuple{{fraction, {}}, {Const::Int(exponent), {}}}, {}};
}

Const modf_of(const Const& number) {
    double whole = 0;
    const double fraction = std::modf(to_complex(number).real(), &whole);
    return {Const::Tuple{{fraction, {}}, {whole, {}}}, {}};
}

/// Of integers, in their common type where they have one.
std::optional<Const> common_factor_or_multiple(std::string_view name, const Const& a, const Const& b) {
    const auto *m = a.as<Const::Int>(), *n = b.as<Const::Int>();
    const Type common = m && n ? common_type(a, b) : Type();
    if (!m || !n || (common && !common.is_integer())) return std::nullopt;
    const auto value = name == "gcd" ? std::optional(greatest_divisor(*m, *n)) : least_multiple(*m, *n);
    if (!value) return std::nullopt;
    return common ? cast(Const{*value, {}}, common) : std::optional(Const{*value, {}});
}

}  // namespace

std::optional<Const> call_function(std::string_view name, std::span<const Const> numbers) {
    if (numbers.empty()) return std::nullopt;
    for (const Const& c : numbers)
        if (!is_number(c)) return std::nullopt;
    if (name == "round" && numbers.size() == 2) return rounded(numbers[0], numbers[1]);
    if ((name == "divmod" || name == "np.divmod") && numbers.size() == 2) {
        const auto quotient = apply(ast::BinaryOp::FloorDiv, numbers[0], numbers[1]);
        const auto rest = apply(ast::BinaryOp::Mod, numbers[0], numbers[1]);
        return quotient && rest ? std::optional(Const{Const::Tuple{*quotient, *rest}, {}}) : std::nullopt;
    }
    const bool is_frexp = name == "math.frexp" || name == "np.frexp";
    if ((is_frexp || name == "math.modf" || name == "np.modf") && numbers.size() == 1 &&
        !numbers[0].as<std::complex<double>>())
        return is_frexp ? frexp_of(numbers[0]) : modf_of(numbers[0]);
    if (name == "round" && numbers.size() == 1 && !numbers[0].as<std::complex<double>>()) {
        const double rounded = std::nearbyint(to_complex(numbers[0]).real());
        if (!numbers[0].as<double>()) return numbers[0];
        return std::fabs(rounded) < 1e30 ? std::optional(Const{static_cast<Const::Int>(rounded), {}}) : std::nullopt;
    }
    if (name == "min") return least_or_greatest(numbers, ast::CompareOp::Lt);
    if (name == "max") return least_or_greatest(numbers, ast::CompareOp::Gt);
    if (name.starts_with("cmath.")) return of_cmath(name.substr(6), numbers);
    if (name.starts_with("operator.") && numbers.size() == 2) {
        const auto* row = named_by(kNamedOperators, &NamedOperator::function, name.substr(9));
        return row ? apply(row->written, numbers[0], numbers[1]) : std::nullopt;
    }
    const bool is_numpy = name.starts_with("np.");
    if (!is_numpy && !name.starts_with("math.") && name != "abs" && name != "pow") return std::nullopt;
    if (is_numpy) name.remove_prefix(3);
    if (name.starts_with("math.")) name.remove_prefix(5);
    if (numbers.size() == 1) return of_one(name, is_numpy, numbers[0]);
    if (numbers.size() != 2) return std::nullopt;
    if (name == "maximum" || name == "minimum") {
        std::vector<Const> both(numbers.begin(), numbers.end());
        if (const Type common = common_type(both[0], both[1]); common.is_float())
            for (Const& one : both) one = *cast(one, common);
        if (const auto nan = std::ranges::find_if(both, is_nan); nan != both.end()) return *nan;
        return least_or_greatest(both, name == "maximum" ? ast::CompareOp::Gt : ast::CompareOp::Lt);
    }
    if (name == "pow") return apply(ast::BinaryOp::Pow, numbers[0], numbers[1]);
    if (const auto* row = is_numpy ? operator_of_ufunc(name) : nullptr)
        return apply(row->written, numbers[0], numbers[1]);
    const double x = to_complex(numbers[0]).real(), y = to_complex(numbers[1]).real();
    if (name == "log" && !is_numpy) return result(false, std::log(x) / std::log(y), numbers);
    if (const auto* row = find(kBinary, name)) return result(is_numpy, row->second(x, y), numbers);
    if (name == "gcd" || name == "lcm") return common_factor_or_multiple(name, numbers[0], numbers[1]);
    return std::nullopt;
}

Const::Int greatest_divisor(Const::Int a, Const::Int b) {
    return b == 0 ? (a < 0 ? -a : a) : greatest_divisor(b, a % b);
}

std::optional<Const::Int> least_multiple(Const::Int a, Const::Int b) {
    Const::Int multiple = 0;
    if (a == 0 || b == 0) return multiple;
    if (__builtin_mul_overflow(a / greatest_divisor(a, b), b, &multiple)) return std::nullopt;
    return multiple < 0 ? -multiple : multiple;
}

}  // namespace pyk
