// Which of two variants a launch may take: for arrays that do not overlap, and that 32 bits can index.
#pragma once

#include <cstddef>
#include <cstdint>

#include "jit/engine.h"
#include "memory_range.h"
#include "pyk/module.h"

namespace pyk::jit {

MemoryRange range_of(const Argument& array, bool written);

/// Whether a launch may take an instance for arrays apart. The arguments are packed, all arrays C-contiguous.
bool are_apart(const Instance& instance, const LaunchConfig& config, const unsigned char* packed);

}  // namespace pyk::jit
