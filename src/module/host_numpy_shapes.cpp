// NumPy's functions of the host's code that choose and move the elements of an array.
#include <algorithm>

#include "module/const_gather.h"
#include "module/host_numpy.h"
#include "module/host_values.h"

namespace pyk {
namespace {

using Int = Const::Int;
using Result = std::optional<Const>;
using Args = HostArguments;
using Shape = std::vector<int64_t>;
using At = std::span<const int64_t>;

// --- repeated ---
Result tiled(const Args& a) {
    const Const::Array array = array_of(items_of(a[0]) ? a[0] : list_of({a[0]}));
    auto times = extents(a[1]);
    if (!array || !times) return std::nullopt;
    Shape own = array->table.shape;
    own.insert(own.begin(), times->size() - std::min(times->size(), own.size()), 1);
    times->insert(times->begin(), own.size() - std::min(times->size(), own.size()), 1);
    Shape shape = own;
    for (size_t k = 0; k < own.size(); ++k) shape[k] *= (*times)[k];
    const std::vector<int64_t> steps = steps_of(own);
    return as_value(gathered(*array, shape, [&](At at) {
        int64_t from = 0;
        for (size_t k = 0; k < own.size(); ++k) from += at[k] % own[k] * steps[k];
        return from;
    }));
}

Result kronecker(const Args& a) {
    const Const::Array left = array_of(a[0]), right = array_of(a[1]);
    if (!left || !right) return std::nullopt;
    Shape x = left->table.shape, y = right->table.shape;
    x.insert(x.begin(), std::max(x.size(), y.size()) - x.size(), 1);
    y.insert(y.begin(), x.size() - y.size(), 1);
    Shape shape = x;
    for (size_t k = 0; k < x.size(); ++k) shape[k] *= y[k];
    const std::vector<int64_t> by_x = steps_of(x), by_y = steps_of(y);
    const Result outer = as_value(gathered(*left, shape, [&](At at) {
        int64_t from = 0;
        for (size_t k = 0; k < x.size(); ++k) from += at[k] / y[k] * by_x[k];
        return from;
    }));
    const Result inner = as_value(gathered(*right, shape, [&](At at) {
        int64_t from = 0;
        for (size_t k = 0; k < y.size(); ++k) from += at[k] % y[k] * by_y[k];
        return from;
    }));
    return outer && inner ? apply_arrays(ast::BinaryOp::Mult, *outer, *inner) : std::nullopt;
}

Result grids(const Args& a) {
    std::vector<Const::Array> axes;
    bool by_rows = true;
    for (size_t i = 0; i < a.count(); ++i) axes.push_back(array_of(a[i]));
    for (const auto& [name, value] : a.call().named) {
        const auto* word = value.as<std::string>();
        if (name == "indexing" && word) by_rows = *word != "ij";
        if (name == "sparse" && truth(value)) return std::nullopt;
    }
    Shape shape;
    for (const Const::Array& axis : axes) {
        if (!axis || axis->table.shape.size() != 1) return std::nullopt;
        shape.push_back(axis->table.shape[0]);
    }
    const bool swaps = by_rows && axes.size() > 1;
    if (swaps) std::swap(shape[0], shape[1]);
    Const::Tuple all;
    for (size_t i = 0; i < axes.size(); ++i) {
        const size_t along = swaps && i < 2 ? 1 - i : i;
        const Result one = as_value(gathered(*axes[i], shape, [&](At at) { return at[along]; }));
        if (!one) return std::nullopt;
        all.push_back(*one);
    }
    return Const{std::move(all), {}};
}

// --- axes ---
/// With axes in another order: `order[k]` is the axis that becomes the kth.
Result permuted(const ConstArray& array, const std::vector<size_t>& order) {
    Shape shape;
    for (const size_t axis : order) shape.push_back(array.table.shape[axis]);
    const std::vector<int64_t> steps = steps_of(array.table.shape);
    return as_value(gathered(array, shape, [&](At at) {
        int64_t from = 0;
        for (size_t k = 0; k < at.size(); ++k) from += at[k] * steps[order[k]];
        return from;
    }));
}

Result with_moved_axis(const Args& a, bool swaps) {
    const Const::Array array = array_of(a[0]);
    if (!array) return std::nullopt;
    const size_t n = array->table.shape.size();
    const auto from = axis_of(a[1], n), to = axis_of(a[2], n);
    if (!from || !to) return std::nullopt;
    std::vector<size_t> order;
    for (size_t k = 0; k < n; ++k) order.push_back(k);
    if (swaps) {
        std::swap(order[*from], order[*to]);
    } else {
        order.erase(order.begin() + static_cast<std::ptrdiff_t>(*from));
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(*to), *from);
    }
    return permuted(*array, order);
}

Result transposed(const Args& a) {
    const Const::Array array = array_of(a[0]);
    if (!array) return std::nullopt;
    if (!a.has(1)) return as_value(pyk::transposed(*array));
    std::vector<size_t> order;
    const auto axes = items_of(a[1]);
    if (!axes || axes->size() != array->table.shape.size()) return std::nullopt;
    for (const Const& axis : *axes) {
        const auto one = axis_of(axis, axes->size());
        if (!one || std::ranges::count(order, *one)) return std::nullopt;
        order.push_back(*one);
    }
    return permuted(*array, order);
}

/// The same elements backwards along some axes.
Result mirrored(const Const::Array& array, const std::vector<size_t>& axes) {
    if (!array || std::ranges::any_of(axes, [&](size_t axis) { return axis >= array->table.shape.size(); }))
        return std::nullopt;
    const Shape& shape = array->table.shape;
    const std::vector<int64_t> steps = steps_of(shape);
    return as_value(gathered(*array, shape, [&](At at) {
        int64_t from = 0;
        for (size_t k = 0; k < at.size(); ++k)
            from += (std::ranges::count(axes, k) ? shape[k] - 1 - at[k] : at[k]) * steps[k];
        return from;
    }));
}

Result flipped(const Args& a) {
    const Const::Array array = array_of(a[0]);
    std::vector<size_t> axes;
    const size_t n = array ? array->table.shape.size() : 0;
    if (a.has(1)) {
        const auto one = axis_of(a[1], n);
        if (!one) return std::nullopt;
        axes.push_back(*one);
    }
    for (size_t k = 0; !a.has(1) && k < n; ++k) axes.push_back(k);
    return mirrored(array, axes);
}

Result turned(const Args& a) {
    const Const::Array array = array_of(a[0]);
    const int64_t turns = ((integer(a, 1, 1) % 4) + 4) % 4;
    if (!array || array->table.shape.size() != 2) return std::nullopt;
    if (turns == 0) return Const{array, {}};
    if (turns == 2) return mirrored(array, {0, 1});
    const Result swapped = permuted(*array, {1, 0});
    return swapped ? mirrored(*swapped->as<Const::Array>(), {turns == 1 ? size_t(0) : 1}) : std::nullopt;
}

Result with_new_axis(const Args& a) {
    const Const::Array array = array_of(a[0]);
    if (!array) return std::nullopt;
    Shape shape = array->table.shape;
    const auto axis = axis_of(a[1], shape.size() + 1);
    if (!axis) return std::nullopt;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*axis), 1);
    return as_value(reshaped(*array, shape));
}

Result squeezed(const Args& a) {
    const Const::Array array = array_of(a[0]);
    if (!array || a.has(1)) return std::nullopt;
    Shape shape = array->table.shape;
    std::erase(shape, 1);
    return shape.empty() ? item(*array, 0) : as_value(reshaped(*array, shape));
}

Result stretched(const Args& a) {
    const Const::Array array = array_of(items_of(a[0]) ? a[0] : list_of({a[0]}));
    const auto shape = extents(a[1]);
    if (!array || !shape || array->table.shape.size() > shape->size()) return std::nullopt;
    const Shape& own = array->table.shape;
    const size_t shift = shape->size() - own.size();
    for (size_t k = 0; k < own.size(); ++k)
        if (own[k] != 1 && own[k] != (*shape)[k + shift]) return std::nullopt;
    const std::vector<int64_t> steps = steps_of(own);
    return as_value(gathered(*array, *shape, [&](At at) {
        int64_t from = 0;
        for (size_t k = 0; k < own.size(); ++k) from += own[k] == 1 ? 0 : at[k + shift] * steps[k];
        return from;
    }));
}

// --- chosen ---
Result taken(const Args& a) {
    const Const::Array array = array_of(a[0]);
    const auto one = to_int(a[1]);
    const Const::Array which = array_of(one ? list_of({a[1]}) : a[1]);
    if (!array || !which) return std::nullopt;
    const auto flat = a.has(2) ? std::optional(*array) : reshaped(*array, {-1});
    const auto axis = a.has(2) ? axis_of(a[2], array->table.shape.size()) : std::optional<size_t>(0);
    if (!flat || !axis) return std::nullopt;
    std::vector<AxisPick> picks;
    for (size_t k = 0; k < *axis; ++k) picks.push_back({std::nullopt, {0, 1, flat->table.shape[k]}});
    picks.push_back({astype(*which, Scalar::int64), {}});
    const auto chosen = picked(*flat, std::move(picks));
    if (!chosen || !one) return as_value(chosen);
    return flat->table.shape.size() == 1 ? item(*chosen, 0) : std::nullopt;
}

Result padded(const Args& a) {
    const Const::Array array = array_of(a[0]);
    const auto* word = a.has(2) ? a[2].as<std::string>() : nullptr;
    const std::string mode = word ? *word : "constant";
    const auto sides = items_of(a[1]);
    if (!array || (sides && sides->empty())) return std::nullopt;
    const Shape& own = array->table.shape;
    Shape before, shape = own;
    for (size_t k = 0; k < own.size(); ++k) {
        const Const& side =
            sides && items_of((*sides)[0]) ? (*sides)[sides->size() == 1 ? 0 : std::min(k, sides->size() - 1)] : a[1];
        const auto widths = extents(side);
        if (!widths || widths->size() > 2 || widths->front() < 0 || widths->back() < 0) return std::nullopt;
        before.push_back(widths->front());
        shape[k] += widths->front() + widths->back();
    }
    const bool is_constant = mode == "constant";
    if (!is_constant && mode != "edge" && mode != "wrap" && mode != "reflect" && mode != "symmetric")
        return std::nullopt;
    const std::vector<int64_t> steps = steps_of(own);
    // The filler stands behind the elements.
    const Result flat = as_value(reshaped(*array, {-1}));
    const Const filler = a.has(3) ? a[3] : Const{Int(0), {}};
    auto one = zeros(array->type.element(), {1});
    if (!flat || !one || items_of(filler) || !set_item(*one, 0, filler)) return std::nullopt;
    const Result all = joined({*flat->as<Const::Array>(), std::make_shared<const ConstArray>(*one)}, 0);
    if (!all) return std::nullopt;
    return as_value(gathered(**all->as<Const::Array>(), shape, [&](At at) -> int64_t {
        int64_t from = 0;
        for (size_t k = 0; k < own.size(); ++k) {
            int64_t i = at[k] - before[k];
            const int64_t n = own[k];
            if (i < 0 || i >= n) {
                if (is_constant) return count(*array);
                if (mode == "edge") i = std::clamp<int64_t>(i, 0, n - 1);
                if (mode == "wrap") i = ((i % n) + n) % n;
                if (mode == "reflect" || mode == "symmetric") {
                    const int64_t period = std::max<int64_t>(mode == "reflect" ? 2 * n - 2 : 2 * n, 1);
                    i = ((i % period) + period) % period;
                    if (i >= n) i = period - i - (mode == "symmetric" ? 1 : 0);
                }
            }
            from += i * steps[k];
        }
        return from;
    }));
}

Result repeated(const Args& a) {
    const Const::Array array = array_of(items_of(a[0]) ? a[0] : list_of({a[0]}));
    const auto times = extents(a[1]);
    const auto flat = array && !a.has(2) ? reshaped(*array, {-1}) : array ? std::optional(*array) : std::nullopt;
    const auto axis = flat && a.has(2) ? axis_of(a[2], flat->table.shape.size()) : std::optional<size_t>(0);
    if (!flat || !times || !axis) return std::nullopt;
    const int64_t n = flat->table.shape[*axis];
    if (times->size() != 1 && static_cast<int64_t>(times->size()) != n) return std::nullopt;
    std::vector<int64_t> which;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t often = (*times)[times->size() == 1 ? 0 : static_cast<size_t>(i)];
        if (often < 0 || which.size() + static_cast<size_t>(often) > kMostHostItems) return std::nullopt;
        which.insert(which.end(), static_cast<size_t>(often), i);
    }
    std::vector<AxisPick> picks;
    for (size_t k = 0; k < *axis; ++k) picks.push_back({std::nullopt, {0, 1, flat->table.shape[k]}});
    const Result places = indices_of(which);
    if (!places) return std::nullopt;
    picks.push_back({**places->as<Const::Array>(), {}});
    return as_value(picked(*flat, std::move(picks)));
}

constexpr HostFunction kFunctions[] = {
    {"broadcast_to", "array shape", 2, stretched},
    {"expand_dims", "a axis", 2, with_new_axis},
    {"flip", "m axis", 1, flipped},
    {"fliplr", "m", 1, [](const Args& a) { return mirrored(array_of(a[0]), {1}); }},
    {"flipud", "m", 1, [](const Args& a) { return mirrored(array_of(a[0]), {0}); }},
    {"kron", "a b", 2, kronecker},
    {"meshgrid", "*", 1, grids},
    {"moveaxis", "a source destination", 3, [](const Args& a) { return with_moved_axis(a, false); }},
    {"pad", "array pad_width mode constant_values", 2, padded},
    {"ravel", "a", 1,
     [](const Args& a) { return array_of(a[0]) ? as_value(reshaped(*array_of(a[0]), {-1})) : std::nullopt; }},
    {"repeat", "a repeats axis", 2, repeated},
    {"rot90", "m k", 1, turned},
    {"squeeze", "a axis", 1, squeezed},
    {"swapaxes", "a axis1 axis2", 3, [](const Args& a) { return with_moved_axis(a, true); }},
    {"take", "a indices axis", 2, taken},
    {"tile", "A reps", 2, tiled},
    {"transpose", "a axes", 1, transposed},
};

}  // namespace

std::span<const HostFunction> numpy_shape_functions() { return kFunctions; }

}  // namespace pyk
