// Which of a launch's arrays share memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "jit/engine.h"
#include "memory_range.h"

namespace pyk::jit {

MemoryRange range_of(const Argument& array, bool written);

/// The same of arguments that are packed, all arrays C-contiguous.
bool overlap_in(const Instance& instance, const unsigned char* packed);

}  // namespace pyk::jit
