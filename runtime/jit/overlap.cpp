#include "jit/overlap.h"

#include <cstring>

#include "jit/elements.h"

namespace pyk::jit {

MemoryRange range_of(const Argument& array, bool written) {
    const auto size = static_cast<long long>(element_bytes(array));
    long long least = 0, most = size, count = 1;
    for (int axis = 0; axis < array.ndim; ++axis) {
        count *= array.shape[axis];
        if (array.order != Order::strided) continue;
        const long long reach = (array.shape[axis] - 1) * array.strides[axis];
        (reach < 0 ? least : most) += reach;
    }
    if (array.order != Order::strided) most = count * size;
    const auto at = reinterpret_cast<std::uintptr_t>(array.data);
    if (count == 0) return {at, at, written};
    return {at + static_cast<std::uintptr_t>(least), at + static_cast<std::uintptr_t>(most), written};
}

bool overlap_in(const Instance& instance, const unsigned char* packed) {
    MemoryRange ranges[64];
    std::size_t count = 0;
    for (const PackedParam& param : instance.params) {
        if (param.kind != PackedParam::Kind::array) continue;
        std::uintptr_t at;
        std::memcpy(&at, packed + param.offset, sizeof at);
        long long bytes = param.size, extent;
        for (int axis = 0; axis < param.ndim; ++axis) {
            std::memcpy(&extent, packed + param.offset + 8 * (axis + 1), sizeof extent);
            bytes *= extent;
        }
        ranges[count++] = {at, at + static_cast<std::uintptr_t>(bytes), param.written};
    }
    return any_overlap(ranges, count);
}

}  // namespace pyk::jit
