// What the full paths of imports mean: types, builtins, and the constants of modules that every file may import.
#include <algorithm>
#include <limits>

#include "module/scope.h"
#include "module/scope_shared.h"
#include "module/type_info.h"
#include "types/fp8.h"
#include "types/numba_names.h"
#include "types/vector.h"

namespace pyk {
namespace {

bool strip(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::optional<Const> scipy_constant(std::string_view name) {
    struct Row {
        std::string_view name;
        double value;
        bool is_int;
    };
    static constexpr Row kRows[] = {
#define PYK_SCIPY_CONSTANT(name, value, is_int) {name, value, is_int},
#include "module/scipy_constants.def"
#undef PYK_SCIPY_CONSTANT
    };
    const auto* found = std::ranges::find(kRows, name, &Row::name);
    if (found == std::end(kRows)) return std::nullopt;
    if (found->is_int) return Const{static_cast<Const::Int>(found->value), {}};
    return Const{found->value, {}};
}

/// By its name: the value, its unit, the uncertainty.
const Const& physical_constants() {
    static const Const kAll = [] {
        Const::Dict all;
        const auto add = [&](std::string name, double value, std::string unit, double uncertainty) {
            all.keys.push_back({std::move(name), {}});
            all.values.push_back({Const::Tuple{{value, {}}, {std::move(unit), {}}, {uncertainty, {}}}, {}});
        };
#define PYK_PHYSICAL_CONSTANT(name, value, unit, uncertainty) add(name, value, unit, uncertainty);
#include "module/scipy_physical_constants.def"
#undef PYK_PHYSICAL_CONSTANT
        return Const{std::move(all), {}};
    }();
    return kAll;
}

std::optional<Const> constant_of(std::string_view name, std::span<const std::pair<std::string_view, double>> rows) {
    const auto found = std::ranges::find(rows, name, &std::pair<std::string_view, double>::first);
    return found == rows.end() ? std::nullopt : std::optional(Const{found->second, {}});
}

std::optional<Const> constant_of_math(std::string_view name) {
    static constexpr std::pair<std::string_view, double> kConstants[] = {
        {"pi", 3.141592653589793}, {"e", 2.718281828459045},   {"tau", 6.283185307179586},
        {"inf", __builtin_inf()},  {"nan", __builtin_nan("")},
    };
    return constant_of(name, kConstants);
}

std::optional<Const> constant_of_numpy(std::string_view name) {
    // The second row: names before NumPy 2.
    static constexpr std::pair<std::string_view, double> kConstants[] = {
        {"pi", 3.141592653589793},
        {"e", 2.718281828459045},
        {"inf", __builtin_inf()},
        {"nan", __builtin_nan("")},
        {"euler_gamma", 0.5772156649015329},
        {"Inf", __builtin_inf()},
        {"Infinity", __builtin_inf()},
        {"infty", __builtin_inf()},
        {"PINF", __builtin_inf()},
        {"NINF", -__builtin_inf()},
        {"NaN", __builtin_nan("")},
        {"NAN", __builtin_nan("")},
        {"PZERO", 0.0},
        {"NZERO", -0.0},
    };
    return constant_of(name, kConstants);
}

std::optional<Const> constant_of_string(std::string_view name) {
    static constexpr std::pair<std::string_view, std::string_view> kConstants[] = {
        {"ascii_lowercase", "abcdefghijklmnopqrstuvwxyz"},
        {"ascii_uppercase", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
        {"ascii_letters", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"},
        {"digits", "0123456789"},
        {"hexdigits", "0123456789abcdefABCDEF"},
        {"octdigits", "01234567"},
    };
    const auto* found = std::ranges::find(kConstants, name, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(kConstants) ? std::nullopt : std::optional(Const{std::string(found->second), {}});
}

std::optional<Const> constant_of_sys(std::string_view name) {
    using Limits = std::numeric_limits<double>;
    static constexpr std::pair<std::string_view, double> kConstants[] = {
        {"float_info.epsilon", Limits::epsilon()},
        {"float_info.max", Limits::max()},
        {"float_info.min", Limits::min()},
    };
    if (name == "argv") return list_of({Const{std::string(), {}}});  // no arguments are given
    if (name == "platform") return Const{std::string("linux"), {}};
    if (name == "byteorder") return Const{std::string("little"), {}};
    if (name == "version_info.major") return Const{Const::Int(3), {}};
    if (name == "maxsize") return Const{Const::Int(std::numeric_limits<int64_t>::max()), {}};
    return constant_of(name, kConstants);
}

// Of `numba.config`, wherever versions of Numba have it: kernels are for a GPU.
std::optional<Const> constant_of_config(std::string_view path) {
    for (const std::string_view package : {"numba.", "cuda.", "core."}) strip(path, package);
    if (path != "config.ENABLE_CUDASIM" && path != "config.DISABLE_JIT") return std::nullopt;
    return Const{Const::Int(0), {}};
}

}  // namespace

std::optional<Entity> entity_of_path(std::string_view path) {
    if (path == "_operator" || path.starts_with("_operator.")) return entity_of_path(path.substr(1));
    if (const auto constant = constant_of_config(path)) return *constant;
    if (path == "typing.TYPE_CHECKING") return Const{false, {}};
    std::string_view name = path;
    if (strip(name, "scipy.constants.")) {
        if (const auto constant = scipy_constant(name)) return *constant;
        if (name == "physical_constants") return physical_constants();
        return Path{std::string(path)};
    }
    // CuPy's scalar types and constants are NumPy's own.
    const bool cupy = strip(name, "cupy.");
    const bool is_info = name == "finfo" || name == "iinfo" || type_info(name);
    if (cupy && !is_info && !scalar_from_name(name) && !constant_of_numpy(name)) return Path{std::string(path)};
    const bool numpy = cupy || strip(name, "numpy.") || strip(name, "np.");
    if (numpy) strip(name, "core.umath.");
    const bool numba =
        !numpy && (strip(name, "numba.types.") || strip(name, "numba.core.types.") ||
                   strip(name, "numba.cuda.types.") || strip(name, "cuda.types.") || strip(name, "types."));
    const bool numba_root = !numpy && !numba && strip(name, "numba.");
    if (numba_root) strip(name, "core.");
    if (numpy || numba || numba_root) {
        const std::string_view last = name.starts_with("cuda.") ? name.substr(5) : name;
        if (const auto scalar = numpy ? scalar_from_name(last) : scalar_from_numba(last))
            return TypeName{Type(*scalar)};
        if (last == "byte") return TypeName{Type(Scalar::int8)};
        if (numpy && last == "long") return TypeName{Type(Scalar::int64)};
        if (!numpy && (last == "void" || last == "none")) return TypeName{Type::none()};
    }
    // What `from numba import cuda` names: `cuda.float32`.
    if (path.starts_with("cuda."))
        if (const auto scalar = scalar_from_name(path.substr(5))) return TypeName{Type(*scalar)};
    if (name.starts_with("cuda."))
        if (const auto vector = vector_from_name(name.substr(5))) return TypeName{*vector};
    if (numba && name == "dim3") return TypeName{dim3_type()};
    if (name == "cuda.bf16.bfloat16" || name == "cuda.types.bfloat16") return TypeName{Type(Scalar::bfloat16)};
    if (path.starts_with("cuda.bindings.runtime.cudaRoundMode")) strip(name, "cuda.bindings.runtime.");
    if (strip(name, "cuda._internal.cuda_fp8.") || strip(name, "cuda.fp8.") || name.starts_with("cudaRoundMode.")) {
        if (const auto type = fp8_from_name(name)) return TypeName{*type};
        if (const Builtin* builtin = find_builtin(fmt::format("cuda.fp8.{}", name))) return builtin;
        return Path{fmt::format("cuda.fp8.{}", name)};
    }
    if ((numba || numba_root) && name.ends_with("voidptr")) return TypeName{Type::pointer(Type::none())};
    if (path.ends_with("random.xoroshiro128p_type") || path.ends_with("random.xoroshiro128p_dtype"))
        return TypeName{Type::xoroshiro128p_state()};
    if (numba_root && (name == "carray" || name == "farray")) return find_builtin(fmt::format("cuda.{}", name));
    if (numba_root && name == "prange") name = "range";
    if (numba_root && name == "pndindex") name = "np.ndindex";
    if (path.ends_with("misc.special.literal_unroll")) name = "literal_unroll";
    if (path.starts_with("math.") || path.starts_with("cmath."))
        if (const auto constant = constant_of_math(path.substr(path.find('.') + 1))) return *constant;
    if (path.starts_with("string."))
        if (const auto constant = constant_of_string(path.substr(7))) return *constant;
    if (path.starts_with("sys."))
        if (const auto constant = constant_of_sys(path.substr(4))) return *constant;
    if (path == "os.name") return Const{std::string("posix"), {}};
    if (path == "os.sep" || path == "os.path.sep") return Const{std::string("/"), {}};
    if (numpy) {
        if (const auto constant = constant_of_numpy(name)) return *constant;
        if (name == "newaxis") return Const{Const::None{}, {}};
        if (const auto constant = type_info(name)) return *constant;
        if (const Builtin* builtin = find_builtin("np." + std::string(name))) return builtin;
        return Path{std::string(path)};
    }
    if (const Builtin* builtin = find_builtin(name)) return builtin;
    return Path{std::string(name)};
}

}  // namespace pyk
