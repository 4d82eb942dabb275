#include "jit/overlap.h"

#include <cstring>

#include "jit/elements.h"

namespace pyk::jit {

MemoryRange range_of(const Argument& array, bool written) {
    const std::size_t size = element_bytes(array);
    long long count = 1;
    for (int axis = 0; axis < array.ndim; ++axis) count *= array.shape[axis];
    if (array.order == Order::strided && count != 0)
        return pyk::range_of(array.data, size, array.shape, array.strides, array.ndim, written);
    const auto at = reinterpret_cast<std::uintptr_t>(array.data);
    return {at, at + static_cast<std::size_t>(count) * size, written};
}

bool are_apart(const Instance& instance, const LaunchConfig& config, const unsigned char* packed) {
    MemoryRange ranges[64];
    std::size_t count = 0;
    bool is_small = config.grid.x <= kMostBlocksInIndex32, are_aligned = true;
    for (const PackedParam& param : instance.params) {
        if (param.kind != PackedParam::Kind::array) continue;
        std::uintptr_t at;
        std::memcpy(&at, packed + param.offset, sizeof at);
        are_aligned &= is_aligned(at, param.size);
        long long elements = 1, extent;
        for (int axis = 0; axis < param.ndim; ++axis) {
            std::memcpy(&extent, packed + param.offset + 8 * (axis + 1), sizeof extent);
            elements *= extent;
            is_small &= extent <= kMostInIndex32 && elements <= kMostInIndex32;
        }
        ranges[count++] = {at, at + static_cast<std::uintptr_t>(elements) * param.size, param.written};
    }
    return are_aligned && (is_small || !instance.may_index32) && !any_overlap(ranges, count);
}

}  // namespace pyk::jit
