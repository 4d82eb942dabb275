// NumPy's functions of the host's code that name places of arrays: diagonals and triangles, where elements are true.
#include <algorithm>

#include "module/const_gather.h"
#include "module/host_numpy.h"
#include "module/host_values.h"

namespace pyk {

int64_t integer(const HostArguments& a, size_t index, int64_t otherwise) {
    return a.has(index) ? to_int(a[index]).value_or(otherwise) : otherwise;
}

std::optional<std::vector<int64_t>> extents(const Const& value) {
    std::vector<int64_t> shape;
    const auto items = items_of(value);
    for (const Const& item : items ? *items : std::vector<Const>{value}) {
        const auto extent = to_int(item);
        if (!extent) return std::nullopt;
        shape.push_back(*extent);
    }
    return shape;
}

std::optional<Const> indices_of(const std::vector<int64_t>& values) {
    auto array = zeros(Scalar::int64, {static_cast<int64_t>(values.size())});
    for (size_t i = 0; array && i < values.size(); ++i)
        set_item(*array, static_cast<int64_t>(i), {Const::Int(values[i]), {}});
    return as_value(std::move(array));
}

namespace {

using Result = std::optional<Const>;
using Args = HostArguments;
using Shape = std::vector<int64_t>;
using At = std::span<const int64_t>;

Result diagonal(const Args& a) {
    const Const::Array array = array_of(a[0]);
    if (!array) return std::nullopt;
    const int64_t shift = integer(a, 1, 0), down = std::max<int64_t>(-shift, 0), right = std::max<int64_t>(shift, 0);
    const Shape& shape = array->table.shape;
    if (shape.size() == 1) {
        const int64_t n = shape[0] + down + right;
        return as_value(gathered(*array, {n, n}, [&](At at) {
            const bool is_on = at[0] - down == at[1] - right && at[0] >= down && at[1] >= right;
            return is_on ? at[0] - down : -1;
        }));
    }
    if (shape.size() != 2) return std::nullopt;
    const int64_t n = std::max<int64_t>(std::min(shape[0] - down, shape[1] - right), 0);
    return as_value(gathered(*array, {n}, [&](At at) { return (at[0] + down) * shape[1] + at[0] + right; }));
}

Result triangle(const Args& a, bool is_lower) {
    const Const::Array array = array_of(a[0]);
    const int64_t shift = integer(a, 1, 0);
    if (!array || array->table.shape.size() < 2) return std::nullopt;
    const Shape& shape = array->table.shape;
    const std::vector<int64_t> steps = steps_of(shape);
    return as_value(gathered(*array, shape, [&](At at) -> int64_t {
        const int64_t above = at[at.size() - 1] - at[at.size() - 2];
        if (is_lower ? above > shift : above < shift) return -1;
        int64_t from = 0;
        for (size_t k = 0; k < at.size(); ++k) from += at[k] * steps[k];
        return from;
    }));
}

Result ones_below(const Args& a) {
    const int64_t rows = integer(a, 0, 0), columns = integer(a, 1, rows), shift = integer(a, 2, 0);
    auto one = zeros(Scalar::float64, {1});
    if (one) set_item(*one, 0, {1.0, {}});
    return one ? as_value(gathered(*one, {rows, columns}, [&](At at) { return at[1] - at[0] <= shift ? 0 : -1; }))
               : std::nullopt;
}

/// The rows and the columns of the places of an n × m matrix that `takes`.
Result places(int64_t rows, int64_t columns, bool (*takes)(int64_t above, int64_t shift), int64_t shift) {
    std::vector<int64_t> first, second;
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j)
            if (takes(j - i, shift)) first.push_back(i), second.push_back(j);
    const Result x = indices_of(first), y = indices_of(second);
    return x && y ? Result(Const{Const::Tuple{*x, *y}, {}}) : std::nullopt;
}

Result triangle_places(const Args& a, bool is_lower) {
    const int64_t n = integer(a, 0, 0);
    const auto lower = [](int64_t above, int64_t shift) { return above <= shift; };
    const auto upper = [](int64_t above, int64_t shift) { return above >= shift; };
    return places(n, integer(a, 2, n), is_lower ? +lower : +upper, integer(a, 1, 0));
}

Result diagonal_places(const Args& a) {
    std::vector<int64_t> along;
    for (int64_t i = 0; i < integer(a, 0, 0); ++i) along.push_back(i);
    const Result one = indices_of(along);
    return one ? Result(Const{Const::Tuple(static_cast<size_t>(std::max<int64_t>(integer(a, 1, 2), 1)), *one), {}})
               : std::nullopt;
}

Result indices(const Args& a) {
    const auto extent = extents(a[0]);
    if (!extent) return std::nullopt;
    Shape shape = *extent;
    shape.insert(shape.begin(), static_cast<int64_t>(extent->size()));
    auto array = zeros(Scalar::int64, shape);
    const std::vector<int64_t> steps = steps_of(shape);
    for (int64_t i = 0; array && i < count(*array); ++i) {
        const auto axis = static_cast<size_t>(i / steps[0]);
        set_item(*array, i, {Const::Int(i / steps[axis + 1] % shape[axis + 1]), {}});
    }
    return as_value(std::move(array));
}

/// `np.nonzero(a)`: a tuple, for each axis where they are.
Result true_places(const Args& a) {
    const Const::Array array = array_of(a[0]);
    const auto flat = array ? reshaped(*array, {-1}) : std::nullopt;
    const auto places = flat ? places_of(*flat) : std::nullopt;
    if (!places) return std::nullopt;
    const Shape& shape = array->table.shape;
    const std::vector<int64_t> steps = steps_of(shape);
    Const::Tuple all;
    for (size_t k = 0; k < shape.size(); ++k) {
        std::vector<int64_t> along;
        for (int64_t i = 0; i < count(*places); ++i)
            along.push_back(to_int(*item(*places, i)).value_or(0) / steps[k] % shape[k]);
        const Result one = indices_of(along);
        if (!one) return std::nullopt;
        all.push_back(*one);
    }
    return Const{std::move(all), {}};
}

Result flat_places(const Args& a) {
    const Const::Array array = array_of(a[0]);
    const auto flat = array ? reshaped(*array, {-1}) : std::nullopt;
    return flat ? as_value(places_of(*flat)) : std::nullopt;
}

constexpr HostFunction kFunctions[] = {
    {"diag", "v k", 1, diagonal},
    {"diag_indices", "n ndim", 1, diagonal_places},
    {"flatnonzero", "a", 1, flat_places},
    {"indices", "dimensions", 1, indices},
    {"nonzero", "a", 1, true_places},
    {"tri", "N M k", 1, ones_below},
    {"tril", "m k", 1, [](const Args& a) { return triangle(a, true); }},
    {"tril_indices", "n k m", 1, [](const Args& a) { return triangle_places(a, true); }},
    {"triu", "m k", 1, [](const Args& a) { return triangle(a, false); }},
    {"triu_indices", "n k m", 1, [](const Args& a) { return triangle_places(a, false); }},
};

}  // namespace

std::span<const HostFunction> numpy_place_functions() { return kFunctions; }

}  // namespace pyk
