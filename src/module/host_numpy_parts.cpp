// NumPy's functions of the host's code that take arrays apart, and parts of numbers.
#include <algorithm>
#include <cmath>

#include "module/const_array.h"
#include "module/host_numpy.h"
#include "module/host_values.h"

namespace pyk {
namespace {

using Result = std::optional<Const>;
using Args = HostArguments;

/// The elements of a vector.
std::optional<std::vector<Const>> vector_in(const Const& value) {
    const Const::Array array = array_of(value);
    return array && array->table.shape.size() == 1 ? elements(*array) : std::nullopt;
}

/// Of a vector: into so many parts, the first ones one longer where they do not come out even, or at these places.
Result split(const Args& a, bool evenly) {
    const auto items = vector_in(a[0]);
    if (!items) return std::nullopt;
    const auto size = static_cast<int64_t>(items->size());
    std::vector<int64_t> ends;
    if (const auto n = to_int(a[1])) {
        if (*n < 1 || (evenly && size % *n != 0)) return std::nullopt;
        for (int64_t i = 0, end = 0; i < *n; ++i) ends.push_back(end += size / *n + (i < size % *n ? 1 : 0));
    } else {
        const auto places = extents(a[1]);
        if (!places) return std::nullopt;
        for (const int64_t place : *places) ends.push_back(std::clamp<int64_t>(place, 0, size));
        ends.push_back(size);
    }
    std::vector<Const> parts;
    int64_t begin = 0;
    for (const int64_t end : ends) {
        const auto first = items->begin() + begin;
        const std::vector<Const> part(first, first + std::max<int64_t>(end - begin, 0));
        const Result one = vector_of(part, array_of(a[0])->type.element());
        if (!one) return std::nullopt;
        parts.push_back(*one);
        begin = end;
    }
    return list_of(std::move(parts));
}

std::optional<std::vector<int64_t>> places_in(const Const& value, int64_t size) {
    auto places = extents(value);
    for (size_t i = 0; places && i < places->size(); ++i) {
        int64_t& place = (*places)[i];
        if (place < 0) place += size;
        if (place < 0 || place > size) return std::nullopt;
    }
    return places;
}

Result without(const Args& a) {
    auto items = vector_in(a[0]);
    const auto places = items ? places_in(a[1], static_cast<int64_t>(items->size())) : std::nullopt;
    if (!places) return std::nullopt;
    std::vector<Const> left;
    for (size_t i = 0; i < items->size(); ++i)
        if (std::ranges::find(*places, static_cast<int64_t>(i)) == places->end()) left.push_back((*items)[i]);
    return vector_of(left, array_of(a[0])->type.element());
}

/// One value at one place.
Result with_one_more(const Args& a) {
    auto items = vector_in(a[0]);
    const auto places = items ? places_in(a[1], static_cast<int64_t>(items->size())) : std::nullopt;
    if (!places || places->size() != 1 || !is_number(a[2])) return std::nullopt;
    const Type element = array_of(a[0])->type.element();
    const Result value = cast(a[2], element);
    if (!value) return std::nullopt;
    items->insert(items->begin() + (*places)[0], *value);
    return vector_of(*items, element);
}

/// Central differences, one-sided at the ends.
Result gradient(const Args& a) {
    const auto items = vector_in(a[0]);
    if (!items || items->size() < 2 || (a.has(1) && !is_number(a[1]))) return std::nullopt;
    const double step = a.has(1) ? to_complex(a[1]).real() : 1;
    const auto at = [&](size_t i) { return to_complex((*items)[i]).real(); };
    std::vector<Const> values;
    for (size_t i = 0; i < items->size(); ++i) {
        const size_t before = i == 0 ? 0 : i - 1, behind = std::min(i + 1, items->size() - 1);
        values.push_back({(at(behind) - at(before)) / (step * static_cast<double>(behind - before)), Scalar::float64});
    }
    return vector_of(values);
}

/// The value that this share of the elements is below, between two of them where need be.
Result quantile(const Args& a, double whole) {
    const Const::Array array = array_of(a[0]);
    auto items = array ? elements(*array) : std::nullopt;
    if (!items || items->empty() || !is_number(a[1]) || !sort_items(*items)) return std::nullopt;
    const double place = to_complex(a[1]).real() / whole * static_cast<double>(items->size() - 1);
    if (!(place >= 0 && place <= static_cast<double>(items->size() - 1))) return std::nullopt;
    const auto below = static_cast<size_t>(place);
    const double low = to_complex((*items)[below]).real();
    const double high = to_complex((*items)[std::min(below + 1, items->size() - 1)]).real();
    return Const{low + (high - low) * (place - static_cast<double>(below)), Scalar::float64};
}

Result with_axes(const Args& a, size_t axes) {
    const Const::Array array = array_of(items_of(a[0]) ? a[0] : list_of({a[0]}));
    if (!array) return std::nullopt;
    std::vector<int64_t> shape = array->table.shape;
    if (shape.size() < axes) shape.insert(shape.begin(), axes - shape.size(), 1);
    return as_value(reshaped(*array, shape));
}

/// Of a number, or of each element; parts of integers are integers.
template <typename Part>
Result of_numbers(const Args& a, bool is_part, Part part) {
    const Const operand = array_of(a[0]) ? Const{array_of(a[0]), {}} : a[0];
    return elementwise({&operand, 1}, [&](std::span<const Const> v) -> Result {
        if (!is_number(v[0])) return std::nullopt;
        const Type type = type_of(v[0]);
        const bool is_kept = type.is_float() || (is_part && !type.is_complex());
        return cast(Const{part(to_complex(v[0])), {}}, type.is_complex() ? type.component()
                                                       : is_kept         ? type
                                                                         : Type(Scalar::float64));
    });
}

constexpr HostFunction kFunctions[] = {
    {"angle", "z", 1, [](const Args& a) { return of_numbers(a, false, [](auto z) { return std::arg(z); }); }},
    {"array_split", "ary indices_or_sections", 2, [](const Args& a) { return split(a, false); }},
    {"atleast_1d", "ary", 1, [](const Args& a) { return with_axes(a, 1); }},
    {"atleast_2d", "ary", 1, [](const Args& a) { return with_axes(a, 2); }},
    {"delete", "arr obj", 2, without},
    {"gradient", "f dx", 1, gradient},
    {"imag", "val", 1, [](const Args& a) { return of_numbers(a, true, [](auto z) { return z.imag(); }); }},
    {"insert", "arr obj values", 3, with_one_more},
    {"percentile", "a q", 2, [](const Args& a) { return quantile(a, 100); }},
    {"quantile", "a q", 2, [](const Args& a) { return quantile(a, 1); }},
    {"real", "val", 1, [](const Args& a) { return of_numbers(a, true, [](auto z) { return z.real(); }); }},
    {"split", "ary indices_or_sections", 2, [](const Args& a) { return split(a, true); }},
};

}  // namespace

std::span<const HostFunction> numpy_part_functions() { return kFunctions; }

}  // namespace pyk
