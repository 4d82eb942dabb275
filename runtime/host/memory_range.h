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

/// Whether a launch may take the variant of a kernel that is compiled for arrays apart: the arrays that it writes share
/// no memory with others, elements that are loaded at once lie so, and 32 bits index what is indexed with them. All
/// launches that choose between two variants ask this of their arrays, whatever form those have.
class ApartArrays {
  public:
    /// `index32`: whether the variant indexes in 32 bits.
    ApartArrays(bool index32, unsigned blocks_along_x)
        : index32_(index32), are_apart_(!index32 || blocks_along_x <= kMostBlocks) {}

    /// Strides in bytes; null: the elements lie side by side.
    void add(const void* data, std::size_t element_bytes, const long long* shape, const long long* strides, int ndim,
             bool written) {
        const auto at = reinterpret_cast<std::uintptr_t>(data);
        are_apart_ &= is_aligned(at, element_bytes) & (count_ < kMostArrays);
        if (!are_apart_) return;
        long long elements = 1;
        for (int axis = 0; axis < ndim; ++axis) {
            elements *= shape[axis];
            if (index32_) are_apart_ &= (shape[axis] <= kMostElements) & (elements <= kMostElements);
        }
        ranges_[count_++] = strides && elements != 0
                                ? range_of(data, element_bytes, shape, strides, ndim, written)
                                : MemoryRange{at, at + static_cast<std::size_t>(elements) * element_bytes, written};
    }

    explicit operator bool() const { return are_apart_ && !any_overlap(ranges_, count_); }

  private:
    /// Elements of 8 or 16 bytes are aligned in all memory that is allocated for them, but not as fields of records,
    /// nor where numbers are taken for halves of others.
    static bool is_aligned(std::uintptr_t at, std::size_t element_bytes) {
        return (element_bytes != 8 && element_bytes != 16) || at % element_bytes == 0;
    }

    // What kernels that index in 32 bits ask (src/passes/index32.h, which relies on these very numbers).
    static constexpr long long kMostElements = 1LL << 30;
    static constexpr unsigned kMostBlocks = 1u << 20;
    static constexpr std::size_t kMostArrays = 64;

    bool index32_, are_apart_;
    std::size_t count_ = 0;
    MemoryRange ranges_[kMostArrays];
};

}  // namespace pyk
