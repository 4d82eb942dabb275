// Arrays whose elements are not known when a kernel is compiled (they are random, on the device, or too many), but
// whose extents are: `x = np.random.rand(1000)`, and `x.size` in a kernel.
#include <algorithm>
#include <cmath>

#include "module/const_array.h"
#include "module/host_values.h"
#include "module/scope.h"

namespace pyk {
namespace {

using Shape = std::vector<int64_t>;

constexpr int kMostShapeSteps = 1000;  ///< to the makers of one array: sums of sums grow fast

/// Where a function of NumPy's, CuPy's or Numba's has the shape of what it makes.
enum class Says : uint8_t {
    extents,  ///< `rand(3, 4)`
    shape,    ///< `zeros((3, 4))`, `normal(0, 1, size=(3, 4))`; without one it makes a number
    like,     ///< that of its first argument
    range,    ///< `arange(start, stop, step)`
    samples,  ///< `linspace(start, stop, 50)`
    count,    ///< `permutation(8)`, or like its argument
};
struct Maker {
    std::string_view name;
    Says says;
    size_t at = 0;  ///< of the shape among the arguments
};

// Of `np.random` and of generators.
constexpr Maker kRandom[] = {
    {"rand", Says::extents},
    {"randn", Says::extents},
    {"random", Says::shape, 0},
    {"random_sample", Says::shape, 0},
    {"ranf", Says::shape, 0},
    {"sample", Says::shape, 0},
    {"standard_normal", Says::shape},
    {"standard_exponential", Says::shape},
    {"uniform", Says::shape, 2},
    {"normal", Says::shape, 2},
    {"randint", Says::shape, 2},
    {"integers", Says::shape, 2},
    {"choice", Says::shape, 1},
    {"exponential", Says::shape, 1},
    {"poisson", Says::shape, 1},
    {"binomial", Says::shape, 2},
    {"gamma", Says::shape, 2},
    {"beta", Says::shape, 2},
    {"lognormal", Says::shape, 2},
    {"laplace", Says::shape, 2},
    {"logistic", Says::shape, 2},
    {"gumbel", Says::shape, 2},
    {"geometric", Says::shape, 1},
    {"rayleigh", Says::shape, 1},
    {"standard_gamma", Says::shape, 1},
    {"weibull", Says::shape, 1},
    {"permutation", Says::count},
};
constexpr Maker kOfArrays[] = {
    {"zeros", Says::shape},
    {"ones", Says::shape},
    {"empty", Says::shape},
    {"full", Says::shape},
    {"device_array", Says::shape},
    {"pinned_array", Says::shape},
    {"mapped_array", Says::shape},
    {"managed_array", Says::shape},
    {"zeros_like", Says::like},
    {"ones_like", Says::like},
    {"empty_like", Says::like},
    {"full_like", Says::like},
    {"device_array_like", Says::like},
    {"pinned_array_like", Says::like},
    {"mapped_array_like", Says::like},
    {"to_device", Says::like},
    {"asarray", Says::like},
    {"array", Says::like},
    {"asnumpy", Says::like},
    {"as_cuda_array", Says::like},
    {"ascontiguousarray", Says::like},
    {"asfortranarray", Says::like},
    {"copy", Says::like},
    {"sqrt", Says::like},
    {"exp", Says::like},
    {"log", Says::like},
    {"sin", Says::like},
    {"cos", Says::like},
    {"abs", Says::like},
    {"absolute", Says::like},
    {"square", Says::like},
    {"sort", Says::like},
    {"flip", Says::like},
    {"roll", Says::like},
    {"arange", Says::range},
    {"linspace", Says::samples},
    {"logspace", Says::samples},
};
constexpr std::string_view kMethodsOfTheSameShape[] = {"astype", "copy", "copy_to_host", "get",
                                                       "conj",   "clip", "round"};

const Maker* find_in(std::span<const Maker> makers, std::string_view name) {
    const auto found = std::ranges::find(makers, name, &Maker::name);
    return found == makers.end() ? nullptr : &*found;
}

const Maker* maker_of(std::string_view path) {
    const std::string_view root = path.substr(0, path.find('.')), name = path.substr(path.rfind('.') + 1);
    if (root != "numpy" && root != "np" && root != "cupy" && root != "cuda") return nullptr;
    const bool is_random = path.find(".random.") != std::string_view::npos;
    return is_random ? find_in(kRandom, name) : find_in(kOfArrays, name);
}

std::optional<Shape> extents_in(const std::optional<Const>& value) {
    if (!value) return std::nullopt;
    Shape shape;
    const auto items = to_int(*value) ? std::optional(std::vector<Const>{*value}) : items_of(*value);
    for (const Const& item : items.value_or(std::vector<Const>())) {
        const auto extent = to_int(item);
        if (!extent || *extent < 0) return std::nullopt;
        shape.push_back(*extent);
    }
    return items ? std::optional(std::move(shape)) : std::nullopt;
}

class ShapeReader {
  public:
    ShapeReader(const ModuleScope& scope, int& steps_left) : scope_(scope), steps_left_(steps_left) {}

    std::optional<Shape> shape(const ast::Expr& expr) const {
        if (steps_left_-- <= 0) return std::nullopt;
        if (const auto known = scope_.constant(expr)) {
            if (const auto* array = known->as<Const::Array>()) return (*array)->table.shape;
            return is_number(*known) ? std::optional(Shape()) : std::nullopt;
        }
        if (const auto* name = expr.as<ast::Name>())
            return scope_.of_whole_definition(name->id, [&](const ast::Expr& written) { return shape(written); });
        if (const auto* node = expr.as<ast::BinOp>()) {
            if (node->op == ast::BinaryOp::MatMult) return std::nullopt;
            const auto lhs = shape(*node->left), rhs = lhs ? shape(*node->right) : std::nullopt;
            return rhs ? broadcast_shapes(*lhs, *rhs) : std::nullopt;
        }
        if (const auto* node = expr.as<ast::Unary>()) return shape(*node->operand);
        if (const auto* node = expr.as<ast::Attribute>(); node && node->attr == "T") {
            auto whole = shape(*node->value);
            if (whole) std::ranges::reverse(*whole);
            return whole;
        }
        if (const auto* call = expr.as<ast::Call>()) return called(*call);
        return std::nullopt;
    }

  private:
    const ast::Expr* argument(const ast::Call& call, size_t at, std::initializer_list<std::string_view> names) const {
        for (const ast::Keyword& keyword : call.keywords)
            if (std::ranges::find(names, keyword.arg) != names.end()) return keyword.value;
        return at < call.args.size() ? call.args[at] : nullptr;
    }

    std::optional<Shape> called(const ast::Call& call) const {
        if (const Maker* maker = maker_of(scope_.path_of(*call.func))) return made(*maker, call);
        const auto* method = call.func->as<ast::Attribute>();
        if (!method) return std::nullopt;
        // `rng.normal(size=10)`
        if (const Maker* maker = find_in(kRandom, method->attr); maker && is_generator(*method->value))
            return made(*maker, call);
        if (std::ranges::find(kMethodsOfTheSameShape, method->attr) != std::end(kMethodsOfTheSameShape))
            return shape(*method->value);
        const bool is_flat = method->attr == "ravel" || method->attr == "flatten";
        if (!is_flat && method->attr != "reshape") return std::nullopt;
        const auto whole = shape(*method->value);
        if (!whole) return std::nullopt;
        return is_flat ? std::optional(Shape{count(*whole)}) : reshaped(*whole, call);
    }

    static int64_t count(const Shape& shape) {
        int64_t product = 1;
        for (const int64_t extent : shape) product *= extent;
        return product;
    }

    std::optional<Shape> reshaped(const Shape& whole, const ast::Call& call) const {
        Shape result;
        for (const ast::Expr* arg : call.args) {
            const auto value = scope_.constant(*arg);
            const auto items = !value || to_int(*value) ? std::nullopt : items_of(*value);
            for (const Const& item : items ? *items : std::vector<Const>{value.value_or(Const())}) {
                const auto extent = to_int(item);
                if (!extent) return std::nullopt;
                result.push_back(*extent);
            }
        }
        return settled_shape(std::move(result), count(whole));
    }

    bool is_generator(const ast::Expr& expr) const {
        if (const auto* name = expr.as<ast::Name>())
            return scope_
                .of_whole_definition(
                    name->id, [&](const ast::Expr& written) -> std::optional<bool> { return is_generator(written); })
                .value_or(false);
        const auto* call = expr.as<ast::Call>();
        const std::string path = call ? scope_.path_of(*call->func) : std::string();
        return path.ends_with("random.default_rng") || path.ends_with("random.RandomState");
    }

    std::optional<Shape> made(const Maker& maker, const ast::Call& call) const {
        switch (maker.says) {
            case Says::extents: {
                Shape shape;
                for (const ast::Expr* arg : call.args) {
                    const auto value = scope_.constant(*arg);
                    const auto extent = value ? to_int(*value) : std::nullopt;
                    if (!extent || *extent < 0) return std::nullopt;
                    shape.push_back(*extent);
                }
                return shape.empty() ? std::nullopt : std::optional(shape);
            }
            case Says::shape: {
                const ast::Expr* said = argument(call, maker.at, {"shape", "size"});
                return said ? extents_in(scope_.constant(*said)) : std::nullopt;
            }
            case Says::like: {
                if (argument(call, SIZE_MAX, {"ndmin", "shape"})) return std::nullopt;
                const ast::Expr* like = argument(call, 0, {"a", "ary", "obj"});
                return like ? shape(*like) : std::nullopt;
            }
            case Says::count: {
                const auto number = call.args.size() == 1 ? scope_.constant(*call.args[0]) : std::nullopt;
                if (const auto n = number ? to_int(*number) : std::nullopt) return Shape{*n};
                return call.args.size() == 1 ? shape(*call.args[0]) : std::nullopt;
            }
            case Says::range:
                return range(call);
            case Says::samples: {
                const ast::Expr* said = argument(call, 2, {"num"});
                for (const ast::Expr* arg : call.args) {
                    const auto bound = scope_.constant(*arg);
                    if (bound && !is_number(*bound)) return std::nullopt;
                }
                return said ? extents_in(scope_.constant(*said)) : std::optional(Shape{50});
            }
        }
        return std::nullopt;
    }

    std::optional<Shape> range(const ast::Call& call) const {
        double bounds[3] = {0, 0, 1};
        if (call.args.empty() || call.args.size() > 3) return std::nullopt;
        for (size_t i = 0; i < call.args.size(); ++i) {
            const auto value = scope_.constant(*call.args[i]);
            if (!value || !is_number(*value)) return std::nullopt;
            bounds[call.args.size() == 1 ? 1 : i] = to_complex(*value).real();
        }
        const double length = std::ceil((bounds[1] - bounds[0]) / bounds[2]);
        return length >= 0 && length < 0x1p48 ? std::optional(Shape{static_cast<int64_t>(length)}) : std::nullopt;
    }

    const ModuleScope& scope_;
    int& steps_left_;
};

}  // namespace

std::pair<const ModuleScope*, const ModuleScope::Declaration*> ModuleScope::whole_declaration(
    std::string_view name) const {
    const auto found = names_.find(name);
    if (found == names_.end()) {
        if (!parent_) return {nullptr, nullptr};
        return parent_->whole_declaration(name);
    }
    const size_t end = end_of(found->second);
    for (size_t i = found->second.size(); i-- > 0;) {
        const Declaration& declared = found->second[i];
        const auto* variable = declared.as<Variable>();
        if (declared.at >= end) continue;
        if (!variable) break;
        if (variable->value) return {this, variable->items.empty() ? &declared : nullptr};
        const ast::Stmt* by = variable->made_by;
        if (!by || by->as<ast::For>() || by->as<ast::While>()) break;
    }
    return {nullptr, nullptr};
}

std::optional<Const> shape_attribute(const ModuleScope& scope, const ast::Expr& array, std::string_view attr) {
    const bool is_known = attr == "shape" || attr == "size" || attr == "ndim";
    int steps = kMostShapeSteps;
    const auto shape = is_known ? ShapeReader(scope, steps).shape(array) : std::nullopt;
    if (!shape) return std::nullopt;
    if (attr == "ndim") return Const{static_cast<Const::Int>(shape->size()), {}};
    Const::Tuple extents;
    Const::Int size = 1;
    for (const int64_t extent : *shape) {
        extents.push_back(Const{static_cast<Const::Int>(extent), {}});
        size *= extent;
    }
    return attr == "size" ? Const{size, {}} : Const{std::move(extents), {}};
}

}  // namespace pyk
