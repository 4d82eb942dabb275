// Calls that need no thought: what they cost the host beside the driver's own time counts for small arrays.
#pragma once

#include <cstddef>
#include <optional>

namespace pyk::arrays {

/// A dense array, in C order.
struct DenseArray {
    const void* data;
    std::size_t element_bytes;
    int ndim;
    const long long* shape;
};

/// How many elements a flat loop has: of arrays that all have the output's shape, begin at multiples of 16 bytes, and
/// lie apart from the output or are the same elements. nullopt: they are otherwise, or there is no element.
std::optional<long long> flat_elements(const DenseArray* inputs, std::size_t count, const DenseArray& output);

}  // namespace pyk::arrays
