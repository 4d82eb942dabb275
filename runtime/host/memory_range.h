// Memory that arrays lie in, and whether it is shared.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pyk {

/// The bytes that an array's elements lie in.
struct MemoryRange {
    std::uintptr_t begin, end;
    bool written;
};

/// Whether one that is written has bytes of another.
inline bool any_overlap(const MemoryRange* ranges, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (ranges[i].written)
            for (std::size_t k = 0; k < count; ++k)
                if (k != i && ranges[i].begin < ranges[k].end && ranges[k].begin < ranges[i].end) return true;
    return false;
}

}  // namespace pyk
