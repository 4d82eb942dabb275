#include "array/flat.h"

#include <algorithm>
#include <cstdint>

#include "array/iteration.h"

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

std::optional<FlatElements> flat_elements(const DenseArray* inputs, std::size_t count, const DenseArray& output) {
    long long elements = 1;
    for (int axis = 0; axis < output.ndim; ++axis) elements *= output.shape[axis];
    const auto fits = [&](const DenseArray& input) {
        return input.ndim == output.ndim && std::equal(input.shape, input.shape + input.ndim, output.shape) &&
               begins_well(input) && are_apart(input, output, elements);
    };
    if (elements <= 0 || !begins_well(output) || !std::all_of(inputs, inputs + count, fits)) return std::nullopt;
    std::size_t widest = output.element_bytes;
    for (std::size_t k = 0; k < count; ++k) widest = std::max(widest, inputs[k].element_bytes);
    return FlatElements{elements, elements % lanes_of(static_cast<long long>(widest)) == 0};
}

}  // namespace pyk::arrays
