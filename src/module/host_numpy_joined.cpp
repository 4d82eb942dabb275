// NumPy's functions of the host's code that make one array of several.
#include <algorithm>

#include "module/const_gather.h"
#include "module/host_numpy.h"
#include "module/host_values.h"
#include "types/convert.h"

namespace pyk {

std::optional<size_t> axis_of(const Const& value, size_t axes) {
    auto axis = to_int(value);
    if (axis && *axis < 0) *axis += static_cast<int64_t>(axes);
    const bool is_there = axis && *axis >= 0 && *axis < static_cast<int64_t>(axes);
    return is_there ? std::optional(static_cast<size_t>(*axis)) : std::nullopt;
}

std::optional<Const> joined(const std::vector<Const::Array>& arrays, size_t axis) {
    if (arrays.empty() || !arrays[0] || axis >= arrays[0]->table.shape.size()) return std::nullopt;
    Type element = arrays[0]->type.element();
    std::vector<int64_t> shape = arrays[0]->table.shape;
    shape[axis] = 0;
    for (const Const::Array& array : arrays) {
        if (!array || array->table.shape.size() != shape.size()) return std::nullopt;
        for (size_t k = 0; k < shape.size(); ++k)
            if (k != axis && array->table.shape[k] != shape[k]) return std::nullopt;
        element = unify(element, array->type.element());
        if (!element) return std::nullopt;
        shape[axis] += array->table.shape[axis];
    }
    auto result = zeros(element, shape);
    const std::vector<int64_t> steps = steps_of(shape);
    int64_t start = 0;
    for (const Const::Array& array : arrays) {
        const int64_t own = array->table.shape[axis];
        for (int64_t i = 0; result && i < count(*array); ++i) {
            const int64_t inner = i % steps[axis], along = i / steps[axis] % own, outer = i / steps[axis] / own;
            const auto value = item(*array, i);
            if (!value || !set_item(*result, (outer * shape[axis] + start + along) * steps[axis] + inner, *value))
                return std::nullopt;
        }
        start += own;
    }
    return as_value(std::move(result));
}

namespace {

using Result = std::optional<Const>;
using Args = HostArguments;
using Shape = std::vector<int64_t>;

std::optional<std::vector<Const::Array>> arrays_in(const Const& value) {
    const auto parts = items_of(value);
    if (!parts || parts->empty()) return std::nullopt;
    std::vector<Const::Array> arrays;
    for (const Const& part : *parts) arrays.push_back(array_of(items_of(part) ? part : list_of({part})));
    return std::ranges::all_of(arrays, [](const auto& a) { return a != nullptr; }) ? std::optional(arrays)
                                                                                   : std::nullopt;
}

/// Each in another shape first.
template <typename Reshape>
Result joined_as(const Const& value, size_t axis, Reshape reshape) {
    auto arrays = arrays_in(value);
    if (!arrays) return std::nullopt;
    for (Const::Array& array : *arrays) {
        auto other = reshaped(*array, reshape(array->table.shape));
        if (!other) return std::nullopt;
        array = std::make_shared<const ConstArray>(std::move(*other));
    }
    return joined(*arrays, axis);
}

Result concatenated(const Args& a) {
    const auto arrays = arrays_in(a[0]);
    if (!arrays || a.is_none(1)) return std::nullopt;  // `axis=None`: of all elements
    const auto axis = a.has(1) ? axis_of(a[1], (*arrays)[0]->table.shape.size()) : std::optional<size_t>(0);
    return axis ? joined(*arrays, *axis) : std::nullopt;
}

Result stacked(const Args& a) {
    const auto arrays = arrays_in(a[0]);
    if (!arrays) return std::nullopt;
    const size_t axes = (*arrays)[0]->table.shape.size() + 1;
    const auto axis = a.has(1) ? axis_of(a[1], axes) : std::optional<size_t>(0);
    if (!axis) return std::nullopt;
    return joined_as(a[0], *axis, [&](Shape shape) {
        shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(std::min(*axis, shape.size())), 1);
        return shape;
    });
}

Result side_by_side(const Args& a) {
    const auto arrays = arrays_in(a[0]);
    return arrays ? joined(*arrays, (*arrays)[0]->table.shape.size() == 1 ? 0 : 1) : std::nullopt;
}

Result as_columns(const Args& a) {
    return joined_as(a[0], 1, [](const Shape& shape) { return shape.size() == 1 ? Shape{shape[0], 1} : shape; });
}

Result as_rows(const Args& a) {
    return joined_as(a[0], 0, [](const Shape& shape) { return shape.size() == 1 ? Shape{1, shape[0]} : shape; });
}

Result in_depth(const Args& a) {
    return joined_as(a[0], 2, [](const Shape& shape) {
        if (shape.size() == 1) return Shape{1, shape[0], 1};
        return shape.size() == 2 ? Shape{shape[0], shape[1], 1} : shape;
    });
}

Result appended(const Args& a) {
    const auto arrays = arrays_in(list_of({a[0], a[1]}));
    if (!arrays) return std::nullopt;
    if (!a.has(2)) return joined_as(list_of({a[0], a[1]}), 0, [](const Shape&) { return Shape{-1}; });
    const auto axis = axis_of(a[2], (*arrays)[0]->table.shape.size());
    return axis ? joined(*arrays, *axis) : std::nullopt;
}

constexpr HostFunction kFunctions[] = {
    {"append", "arr values axis", 2, appended},
    {"column_stack", "tup", 1, as_columns},
    {"concatenate", "arrays axis", 1, concatenated},
    {"dstack", "tup", 1, in_depth},
    {"hstack", "tup", 1, side_by_side},
    {"stack", "arrays axis", 1, stacked},
    {"vstack", "tup", 1, as_rows},
};

}  // namespace

std::span<const HostFunction> numpy_joining_functions() { return kFunctions; }

}  // namespace pyk
