#include "module/host_numpy.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "module/const_array.h"
#include "module/const_math.h"
#include "module/host_values.h"
#include "types/convert.h"

namespace pyk {
namespace {

using Int = Const::Int;
using Result = std::optional<Const>;

Const made(ConstArray array) { return {std::make_shared<const ConstArray>(std::move(array)), {}}; }

/// The lines of an array along an axis, each an array of one dimension; null axis: one line of all elements. Of several
/// axes, what lies along them all.
struct Lines {
    std::vector<ConstArray> lines;
    std::vector<int64_t> shape;  ///< of what is one value for each line
    std::vector<bool> goes;      ///< of each axis, whether the lines are along it
    size_t axis = 0;             ///< the last of those
};

/// Which axes `axis=1` or `axis=(0, 1)` names; nullopt: there are no such axes.
std::optional<std::vector<bool>> chosen_axes(const Const* written, size_t axes) {
    std::vector<bool> chosen(axes, !written);
    const auto* several = written ? written->as<Const::Tuple>() : nullptr;
    for (const Const& one : several ? *several : written ? Const::Tuple{*written} : Const::Tuple()) {
        const auto axis = axis_of(one, axes);
        if (!axis) return std::nullopt;
        chosen[*axis] = true;
    }
    return chosen;
}

std::optional<Lines> lines_of(const HostArguments& a, size_t axis_at) {
    const Const::Array array = array_of(a[0]);
    if (!array) return std::nullopt;
    Lines result;
    const auto& shape = array->table.shape;
    const auto chosen = chosen_axes(a.has(axis_at) ? &a[axis_at] : nullptr, shape.size());
    if (!chosen) return std::nullopt;
    result.goes = *chosen;
    if (!a.has(axis_at)) {
        auto flat = reshaped(*array, {-1});
        if (!flat) return std::nullopt;
        result.lines.push_back(std::move(*flat));
        return result;
    }
    int64_t lines = 1;
    for (size_t k = 0; k < shape.size(); ++k) {
        if (result.goes[k]) {
            result.axis = k;
            continue;
        }
        result.shape.push_back(shape[k]);
        lines *= shape[k];
    }
    for (int64_t i = 0; i < lines; ++i) {
        std::vector<ConstSubscript> at(shape.size(), ConstSubscript{ConstSubscript::Kind::slice});
        int64_t rest = i;
        for (size_t k = shape.size(); k-- > 0;) {
            if (result.goes[k]) continue;
            at[k] = {ConstSubscript::Kind::index, rest % shape[k]};
            rest /= shape[k];
        }
        const auto line = subscripted(*array, at);
        const auto* part = line ? line->as<Const::Array>() : nullptr;
        auto flat = part ? reshaped(**part, {-1}) : std::nullopt;
        if (!flat) return std::nullopt;
        result.lines.push_back(std::move(*flat));
    }
    return result;
}

/// One value of each line. `keepdims`: its place among the arguments; what stands before it, but for the axis, is not
/// for these (`dtype`, `out`).
template <typename Reduce>
Result reduced(const HostArguments& a, size_t keepdims, Reduce reduce) {
    for (size_t i = 2; i < keepdims; ++i)
        if (a.has(i) && (a[i].as<Const::Array>() || truth(a[i]))) return std::nullopt;
    const auto lines = lines_of(a, 1);
    if (!lines) return std::nullopt;
    std::vector<Const> values;
    for (const ConstArray& line : lines->lines) {
        const Result value = reduce(line);
        if (!value) return std::nullopt;
        values.push_back(*value);
    }
    const bool keeps = a.has(keepdims) && truth(a[keepdims]);
    if (lines->shape.empty() && !keeps) return values.at(0);
    std::vector<int64_t> shape = lines->shape;
    for (size_t k = 0; keeps && k < lines->goes.size(); ++k)
        if (lines->goes[k]) shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(k), 1);
    return values.empty() ? std::nullopt : array_with(type_of(values[0]), shape, values);
}

/// The line's values with others in their places, or of another length.
template <typename Change>
Result mapped(const HostArguments& a, size_t axis_at, Change change) {
    const auto lines = lines_of(a, axis_at);
    const bool is_one = lines && (!a.has(axis_at) || std::ranges::count(lines->goes, true) == 1);
    if (!is_one || lines->lines.empty()) return std::nullopt;
    std::vector<std::vector<Const>> rows;
    for (const ConstArray& line : lines->lines) {
        auto values = elements(line);
        auto changed = values ? change(std::move(*values)) : std::nullopt;
        if (!changed) return std::nullopt;
        rows.push_back(std::move(*changed));
    }
    const auto length = static_cast<int64_t>(rows[0].size());
    std::vector<int64_t> shape = lines->shape;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(lines->axis), length);
    int64_t inner = 1, outer = 1;
    for (size_t k = lines->axis + 1; k < shape.size(); ++k) inner *= shape[k];
    for (size_t k = 0; k < lines->axis; ++k) outer *= shape[k];
    std::vector<Const> all;
    for (int64_t o = 0; o < outer; ++o)
        for (int64_t j = 0; j < length; ++j)
            for (int64_t i = 0; i < inner; ++i)
                all.push_back(rows[static_cast<size_t>(o * inner + i)][static_cast<size_t>(j)]);
    const Type element = all.empty() ? lines->lines[0].type.element() : type_of(all[0]);
    return array_with(element, shape, all);
}

// --- reductions ---
/// NumPy's sums and products of narrow integers are 64 bits wide.
Type wide(Type type) {
    if (type.is_boolean() || type.is_signed()) return Scalar::int64;
    return type.is_unsigned() ? Type(Scalar::uint64) : type;
}

std::optional<std::vector<Const>> widened(const ConstArray& line) {
    const auto wider = astype(line, wide(line.type.element()));
    return wider ? elements(*wider) : std::nullopt;
}

Result product_of(const ConstArray& line) {
    const auto values = widened(line);
    Result total = cast(Const{Int(1), {}}, wide(line.type.element()));
    for (size_t i = 0; values && total && i < values->size(); ++i)
        total = apply(ast::BinaryOp::Mult, *total, (*values)[i]);
    return values ? total : std::nullopt;
}

Result mean_of(const ConstArray& line) {
    const Type element = line.type.element();
    const auto floats = element.is_float() ? std::optional(line) : astype(line, Scalar::float64);
    const Result total = floats && count(line) > 0 ? sum(*floats) : std::nullopt;
    return total ? apply(ast::BinaryOp::Div, *total, Const{Int(count(line)), {}}) : std::nullopt;
}

Result variance_of(const ConstArray& line) {
    const Result mean = mean_of(line);
    if (!mean) return std::nullopt;
    const Result off = apply_arrays(ast::BinaryOp::Sub, made(line), *mean);
    const Result squares = off ? apply_arrays(ast::BinaryOp::Mult, *off, *off) : std::nullopt;
    return squares ? mean_of(**squares->as<Const::Array>()) : std::nullopt;
}

Result root_of(const Result& value) { return value ? call_function("np.sqrt", {&*value, 1}) : std::nullopt; }

Result median_of(const ConstArray& line) {
    auto values = elements(line);
    if (!values || values->empty() || !sort_items(*values)) return std::nullopt;
    const size_t n = values->size();
    const Const middle[] = {(*values)[(n - 1) / 2], (*values)[n / 2]};
    const Result pair = vector_of(middle);
    return pair ? mean_of(**pair->as<Const::Array>()) : std::nullopt;
}

Result place_of_extreme(const ConstArray& line, bool least) {
    const auto values = elements(line);
    if (!values || values->empty()) return std::nullopt;
    size_t best = 0;
    for (size_t i = 1; i < values->size(); ++i)
        if (compare(least ? ast::CompareOp::Lt : ast::CompareOp::Gt, (*values)[i], (*values)[best]).value_or(false))
            best = i;
    return Const{Int(best), Scalar::int64};
}

Result truth_of(const ConstArray& line, bool all) {
    const auto values = elements(line);
    if (!values) return std::nullopt;
    const auto is_true = [](const Const& c) { return truth(c); };
    return Const{all ? std::ranges::all_of(*values, is_true) : std::ranges::any_of(*values, is_true), Scalar::boolean};
}

Result spread_of(const ConstArray& line) {
    const Result most = extreme(line, false), least = extreme(line, true);
    return most && least ? apply(ast::BinaryOp::Sub, *most, *least) : std::nullopt;
}

// --- along an axis ---
Result running(const HostArguments& a, ast::BinaryOp op) {
    return mapped(a, 1, [&](std::vector<Const> values) -> std::optional<std::vector<Const>> {
        for (size_t i = 0; i < values.size(); ++i) {
            Result next = cast(values[i], wide(type_of(values[i])));
            if (next && i > 0) next = apply(op, values[i - 1], *next);
            if (!next) return std::nullopt;
            values[i] = *next;
        }
        return values;
    });
}

Result differences(const HostArguments& a) {
    const auto times = a.has(1) ? to_int(a[1]) : std::optional<int64_t>(1);
    const Const::Array array = array_of(a[0]);
    if (!times || !array || array->table.shape.size() != 1) return std::nullopt;
    return mapped(a, SIZE_MAX, [&](std::vector<Const> values) -> std::optional<std::vector<Const>> {
        for (int64_t round = 0; round < *times && !values.empty(); ++round) {
            for (size_t i = 0; i + 1 < values.size(); ++i) {
                const Result step = apply(ast::BinaryOp::Sub, values[i + 1], values[i]);
                if (!step) return std::nullopt;
                values[i] = *step;
            }
            values.pop_back();
        }
        return values;
    });
}

bool is_vector(const HostArguments& a) {
    const Const::Array array = array_of(a[0]);
    return array && array->table.shape.size() == 1;
}

Result sorted(const HostArguments& a) {
    if (!is_vector(a)) return std::nullopt;
    return mapped(a, SIZE_MAX, [](std::vector<Const> values) -> std::optional<std::vector<Const>> {
        return sort_numbers(values) ? std::optional(std::move(values)) : std::nullopt;
    });
}

Result rolled(const HostArguments& a) {
    const auto shift = to_int(a[1]);
    if (!shift) return std::nullopt;
    const auto rolled = mapped(a, 2, [&](std::vector<Const> values) {
        const auto n = static_cast<int64_t>(values.size());
        if (n > 0) std::ranges::rotate(values, values.begin() + ((-*shift % n) + n) % n);
        return std::optional(std::move(values));
    });
    const Const::Array array = array_of(a[0]);
    if (!rolled || a.has(2) || !array) return rolled;
    auto shaped = reshaped(**rolled->as<Const::Array>(), array->table.shape);
    return shaped ? Result(made(std::move(*shaped))) : std::nullopt;
}

// --- several arrays ---
Result chosen(const HostArguments& a) {
    if (a.count() == 1) return find_numpy_function("nonzero")->call(a);
    if (!a.has(1) || !a.has(2)) return std::nullopt;
    const auto as_operand = [](const Const& c) { return array_of(c) ? Const{array_of(c), {}} : c; };
    const Const operands[] = {as_operand(a[0]), as_operand(a[1]), as_operand(a[2])};
    const Type types[] = {type_of(operands[1]), type_of(operands[2])};
    const auto scalar = [](Type type) { return type && type.is_array() ? type.element() : type; };
    const Type common = types[0] && types[1] ? unify(scalar(types[0]), scalar(types[1])) : Type();
    if (!common) return std::nullopt;
    return elementwise(operands, [&](std::span<const Const> v) { return cast(truth(v[0]) ? v[1] : v[2], common); });
}

Result clipped(const HostArguments& a) {
    Const value = array_of(a[0]) ? Const{array_of(a[0]), {}} : a[0];
    for (const size_t side : {1, 2}) {
        if (!a.has(side)) continue;
        const Const operands[] = {value, a[side]};
        const std::string_view name = side == 1 ? "np.maximum" : "np.minimum";
        const Type type = value.as<Const::Array>() ? (*value.as<Const::Array>())->type.element() : type_of(value);
        const Result next = elementwise(operands, [&](std::span<const Const> v) -> Result {
            const Result one = call_function(name, v);
            return one && !a[side].typed ? cast(*one, type) : one;
        });
        if (!next) return std::nullopt;
        value = *next;
    }
    return value;
}

/// Of vectors and matrices.
Result dot(const HostArguments& a) {
    const Const::Array left = array_of(a[0]), right = array_of(a[1]);
    if (!left || !right || left->table.shape.size() > 2 || right->table.shape.size() > 2) return std::nullopt;
    const bool is_row = left->table.shape.size() == 1, is_column = right->table.shape.size() == 1;
    const int64_t rows = is_row ? 1 : left->table.shape[0], inner = left->table.shape.back();
    const int64_t columns = is_column ? 1 : right->table.shape[1];
    const auto x = elements(*left), y = elements(*right);
    if (!x || !y || right->table.shape[0] != inner || inner == 0) return std::nullopt;
    std::vector<Const> values;
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) {
            Result total;
            for (int64_t k = 0; k < inner; ++k) {
                const Result term = apply(ast::BinaryOp::Mult, (*x)[static_cast<size_t>(i * inner + k)],
                                          (*y)[static_cast<size_t>(k * columns + j)]);
                total = term && k > 0 && total ? apply(ast::BinaryOp::Add, *total, *term) : term;
                if (!total) return std::nullopt;
            }
            values.push_back(*total);
        }
    std::vector<int64_t> shape;
    if (!is_row) shape.push_back(rows);
    if (!is_column) shape.push_back(columns);
    return shape.empty() ? values[0] : array_with(type_of(values[0]), shape, values);
}

// --- windows ---
Result window(const HostArguments& a, double first, double second, double third) {
    const auto length = to_int(a[0]);
    if (!length || *length < 1 || *length > static_cast<int64_t>(kMostHostItems)) return std::nullopt;
    std::vector<Const> values;
    for (int64_t i = 0; i < *length; ++i) {
        const auto n = static_cast<double>(1 - *length + 2 * i), most = static_cast<double>(*length - 1);
        const double angle = *length == 1 ? 0 : std::numbers::pi * n / most;
        const double value = first + second * std::cos(angle) + (third != 0 ? third * std::cos(2.0 * angle) : 0.0);
        values.push_back({*length == 1 ? 1.0 : value, Scalar::float64});
    }
    return vector_of(values);
}

using Args = HostArguments;
constexpr HostFunction kFunctions[] = {
    {"sum", "a axis dtype out keepdims", 1, numpy_sum},
    {"prod", "a axis dtype out keepdims", 1, [](const Args& a) { return reduced(a, 4, product_of); }},
    {"max", "a axis out keepdims", 1,
     [](const Args& a) { return reduced(a, 3, [](const auto& l) { return extreme(l, false); }); }},
    {"min", "a axis out keepdims", 1,
     [](const Args& a) { return reduced(a, 3, [](const auto& l) { return extreme(l, true); }); }},
    {"amax", "a axis out keepdims", 1,
     [](const Args& a) { return reduced(a, 3, [](const auto& l) { return extreme(l, false); }); }},
    {"amin", "a axis out keepdims", 1,
     [](const Args& a) { return reduced(a, 3, [](const auto& l) { return extreme(l, true); }); }},
    {"ptp", "a axis out keepdims", 1, [](const Args& a) { return reduced(a, 3, spread_of); }},
    {"mean", "a axis dtype out keepdims", 1, [](const Args& a) { return reduced(a, 4, mean_of); }},
    {"median", "a axis out overwrite_input keepdims", 1, [](const Args& a) { return reduced(a, 4, median_of); }},
    {"var", "a axis dtype out ddof keepdims", 1, [](const Args& a) { return reduced(a, 5, variance_of); }},
    {"std", "a axis dtype out ddof keepdims", 1,
     [](const Args& a) { return reduced(a, 5, [](const auto& l) { return root_of(variance_of(l)); }); }},
    {"argmax", "a axis out keepdims", 1,
     [](const Args& a) { return reduced(a, 3, [](const auto& l) { return place_of_extreme(l, false); }); }},
    {"argmin", "a axis out keepdims", 1,
     [](const Args& a) { return reduced(a, 3, [](const auto& l) { return place_of_extreme(l, true); }); }},
    {"any", "a axis out keepdims", 1,
     [](const Args& a) { return reduced(a, 3, [](const auto& l) { return truth_of(l, false); }); }},
    {"all", "a axis out keepdims", 1,
     [](const Args& a) { return reduced(a, 3, [](const auto& l) { return truth_of(l, true); }); }},
    {"cumsum", "a axis", 1, [](const Args& a) { return running(a, ast::BinaryOp::Add); }},
    {"cumprod", "a axis", 1, [](const Args& a) { return running(a, ast::BinaryOp::Mult); }},
    {"diff", "a n", 1, differences},
    {"sort", "a", 1, sorted},
    {"roll", "a shift axis", 2, rolled},
    {"where", "condition x y", 1, chosen},
    {"clip", "a a_min a_max", 1, clipped},
    {"dot", "a b", 2, dot},
    {"matmul", "x1 x2", 2, dot},
    {"hanning", "M", 1, [](const Args& a) { return window(a, 0.5, 0.5, 0); }},
    {"hamming", "M", 1, [](const Args& a) { return window(a, 0.54, 0.46, 0); }},
    {"blackman", "M", 1, [](const Args& a) { return window(a, 0.42, 0.5, 0.08); }},
};

}  // namespace

std::optional<std::vector<Const>> elements(const ConstArray& array) {
    std::vector<Const> found;
    for (int64_t i = 0; i < count(array); ++i) {
        auto one = item(array, i);
        if (!one) return std::nullopt;
        found.push_back(std::move(*one));
    }
    return found;
}

std::optional<Const> array_with(Type element, std::vector<int64_t> shape, std::span<const Const> values) {
    auto array = zeros(element, std::move(shape));
    if (!array || count(*array) != static_cast<int64_t>(values.size())) return std::nullopt;
    for (size_t i = 0; i < values.size(); ++i)
        if (!set_item(*array, static_cast<int64_t>(i), values[i])) return std::nullopt;
    return made(std::move(*array));
}

std::optional<Const> vector_of(std::span<const Const> values, Type otherwise) {
    return array_with(values.empty() ? otherwise : type_of(values[0]), {static_cast<int64_t>(values.size())}, values);
}

std::optional<Const> numpy_sum(const HostArguments& arguments) {
    return reduced(arguments, 4, [](const ConstArray& line) { return sum(line); });
}

const HostFunction* find_numpy_function(std::string_view name) {
    for (const std::span<const HostFunction> rows :
         {std::span<const HostFunction>(kFunctions), numpy_shape_functions(), numpy_joining_functions(),
          numpy_place_functions(), numpy_table_functions(), numpy_quadratures(), numpy_matrix_functions(),
          numpy_part_functions(), numpy_transforms()})
        if (const auto found = std::ranges::find(rows, name, &HostFunction::name); found != rows.end()) return &*found;
    return nullptr;
}

}  // namespace pyk
