// Arrays of the module's code that are made of the elements of others: chosen, repeated, moved.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "module/const_array.h"

namespace pyk {

/// What a subscript takes of an axis: a slice, or the places that an array of integers names. Several arrays of places
/// are one: they are stretched to one shape and name elements together, as in NumPy.
struct AxisPick {
    std::optional<ConstArray> places;
    SlicedAxis slice;
};
/// nullopt: out of range, or shapes that do not fit.
std::optional<ConstArray> picked(const ConstArray& array, std::vector<AxisPick> picks);
/// The places where a mask of one axis is true.
std::optional<ConstArray> places_of(const ConstArray& mask);

/// An array of this shape: each of its places gets an element of `array`, by its index in C order, or zero (-1).
using Source = std::function<int64_t(std::span<const int64_t> at)>;
std::optional<ConstArray> gathered(const ConstArray& array, std::vector<int64_t> shape, const Source& source);
/// How many elements lie between neighbours of each axis in C order.
std::vector<int64_t> steps_of(std::span<const int64_t> shape);

}  // namespace pyk
