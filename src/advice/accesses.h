// How the threads of a warp reach memory: which elements 32 neighbours touch in one access.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "advice/access_pattern.h"
#include "advice/warp_frame.h"
#include "ir/ir.h"

namespace pyk {

struct MemoryAccess {
    enum class Kind : uint8_t { load, store, atomic };

    std::string kernel;  ///< its symbol
    std::string array;   ///< as the line calls it
    Span span;
    Kind kind = Kind::load;
    bool is_shared = false;  ///< else in global memory
    AccessPattern pattern;
    int bank_conflicts = 0;  ///< of shared memory: how many times the access is made; 1: none; 0: not known

    bool operator==(const MemoryAccess&) const = default;
};

/// Of kernels, and of the device functions that they call, launched with blocks of a shape: in the order of the source.
std::vector<MemoryAccess> memory_accesses(const ir::Module& module, BlockShape block);

}  // namespace pyk
