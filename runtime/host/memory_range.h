// Memory that arrays lie in, whether it is shared, and how much it is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pyk {

/// The bytes that an array's elements lie in.
struct MemoryRange {
    std::uintptr_t begin, end;
    bool written;
};

/// From the first byte to behind the last one of an array at any strides, in bytes. Precondition: it has elements.
inline MemoryRange range_of(const void* data, std::size_t element_bytes, const long long* shape,
                            const long long* strides, int ndim, bool written) {
    const auto at = reinterpret_cast<std::uintptr_t>(data);
    MemoryRange range{at, at + element_bytes, written};
    for (int axis = 0; axis < ndim; ++axis) {
        const long long reach = (shape[axis] - 1) * strides[axis];
        (reach < 0 ? range.begin : range.end) += static_cast<std::uintptr_t>(reach);
    }
    return range;
}

/// Whether one that is written has bytes of another.
inline bool any_overlap(const MemoryRange* ranges, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (ranges[i].written)
            for (std::size_t k = 0; k < count; ++k)
                if (k != i && ranges[i].begin < ranges[k].end && ranges[k].begin < ranges[i].end) return true;
    return false;
}

/// What kernels that load a complex number at once ask of an array. Elements of 8 or 16 bytes lie so in all memory that
/// is allocated for them, but not as fields of records, nor where numbers are taken for halves of others.
inline bool is_aligned(std::uintptr_t at, std::size_t element_bytes) {
    return (element_bytes != 8 && element_bytes != 16) || at % element_bytes == 0;
}

/// What kernels that index in 32 bits ask of a launch: at most 2^30 elements in an array and 2^20 blocks along x
/// (src/passes/index32.h, which relies on these very numbers).
inline constexpr long long kMostInIndex32 = 1LL << 30;
inline constexpr unsigned kMostBlocksInIndex32 = 1u << 20;

inline bool fits_index32(const long long* shape, int ndim) {
    long long count = 1;
    bool fits = true;
    for (int axis = 0; axis < ndim; ++axis) {
        count *= shape[axis];
        fits &= shape[axis] <= kMostInIndex32 && count <= kMostInIndex32;
    }
    return fits;
}

}  // namespace pyk
