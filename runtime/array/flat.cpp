#include "array/flat.h"

#include <algorithm>
#include <cstdint>

namespace pyk::arrays {
namespace {

bool begins_well(const DenseArray& array) {
    return array.data && reinterpret_cast<std::uintptr_t>(array.data) % 16 == 0;
}

bool are_apart(const DenseArray& input, const DenseArray& output, long long count) {
    if (input.data == output.data) return input.element_bytes == output.element_bytes;
    const auto begin = [](const DenseArray& x) { return reinterpret_cast<std::uintptr_t>(x.data); };
    const auto end = [&](const DenseArray& x) { return begin(x) + x.element_bytes * static_cast<std::size_t>(count); };
    return end(input) <= begin(output) || end(output) <= begin(input);
}

}  // namespace

std::optional<long long> flat_elements(const DenseArray* inputs, std::size_t count, const DenseArray& output) {
    long long elements = 1;
    for (int axis = 0; axis < output.ndim; ++axis) elements *= output.shape[axis];
    const auto fits = [&](const DenseArray& input) {
        return input.ndim == output.ndim && std::equal(input.shape, input.shape + input.ndim, output.shape) &&
               begins_well(input) && are_apart(input, output, elements);
    };
    if (elements <= 0 || !begins_well(output) || !std::all_of(inputs, inputs + count, fits)) return std::nullopt;
    return elements;
}

}  // namespace pyk::arrays
