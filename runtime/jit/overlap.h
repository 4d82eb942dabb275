// Which of a launch's arrays share memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "jit/engine.h"

namespace pyk::jit {

/// The bytes that an array's elements lie in.
struct MemoryRange {
    std::uintptr_t begin, end;
    bool written;
};
MemoryRange range_of(const Argument& array, bool written);

/// Whether one that is written has bytes of another.
bool any_overlap(const MemoryRange* ranges, std::size_t count);
/// The same of arguments that are packed, all arrays C-contiguous.
bool overlap_in(const Instance& instance, const unsigned char* packed);

}  // namespace pyk::jit
