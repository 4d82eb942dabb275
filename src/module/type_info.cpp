#include "module/type_info.h"

#include <cfloat>
#include <limits>

#include "builtins/known.h"

namespace pyk {
namespace {

template <typename T>
std::optional<Const> float_info(std::string_view name, Type type) {
    using Limits = std::numeric_limits<T>;
    const int nmant = Limits::digits - 1;
    const auto value = [&](double v) { return Const{v, type}; };
    const auto integer = [](int v) { return Const{Const::Int(v), {}}; };
    if (name == "eps") return value(Limits::epsilon());
    if (name == "epsneg") return value(Limits::epsilon() / 2);
    if (name == "max") return value(Limits::max());
    if (name == "min") return value(Limits::lowest());
    if (name == "tiny" || name == "smallest_normal") return value(Limits::min());
    if (name == "smallest_subnormal") return value(Limits::denorm_min());
    if (name == "resolution") return value(nmant == 23 ? static_cast<double>(1e-6f) : 1e-15);
    if (name == "bits") return integer(type.bits());
    if (name == "nmant") return integer(nmant);
    if (name == "precision") return integer(Limits::digits10);
    if (name == "machep") return integer(-nmant);
    if (name == "negep") return integer(-nmant - 1);
    if (name == "nexp" || name == "iexp") return integer(type.bits() - nmant - 1);
    if (name == "maxexp") return integer(Limits::max_exponent);
    if (name == "minexp") return integer(Limits::min_exponent - 1);
    return std::nullopt;
}

std::optional<Const> integer_info(std::string_view name, Type type) {
    const int value_bits = type.bits() - (type.is_signed() ? 1 : 0);
    const Const::Int range = Const::Int(1) << value_bits;
    if (name == "bits") return Const{Const::Int(type.bits()), {}};
    if (name == "max") return Const{range - 1, {}};
    if (name == "min") return Const{type.is_signed() ? -range : Const::Int(0), {}};
    return std::nullopt;
}

}  // namespace

std::optional<std::string> type_info_path(const Builtin& builtin, Type type) {
    const bool floats = builtin == "np.finfo";
    if (floats ? !(type.is(Scalar::float32) || type.is(Scalar::float64)) : !type.is_integer()) return std::nullopt;
    return "numpy." + std::string(builtin.name.substr(3)) + "." + type.name();
}

std::optional<Const> type_info(std::string_view path) {
    const size_t first = path.find('.'), second = path.find('.', first + 1);
    if (second == std::string_view::npos) return std::nullopt;
    const std::string_view family = path.substr(0, first), name = path.substr(second + 1);
    if (family != "finfo" && family != "iinfo") return std::nullopt;
    const auto scalar = scalar_from_name(path.substr(first + 1, second - first - 1));
    if (!scalar) return std::nullopt;
    if (family == "iinfo") return integer_info(name, *scalar);
    return *scalar == Scalar::float32 ? float_info<float>(name, *scalar) : float_info<double>(name, *scalar);
}

}  // namespace pyk
