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
    bool is_shared = false;       ///< else in global memory
    bool of_any_strides = false;  ///< the array's type does not say how far its elements lie apart
    AccessPattern pattern;
    int bank_conflicts = 0;  ///< of shared memory: how many times the access is made; 1: none; 0: not known

    bool operator==(const MemoryAccess&) const = default;
};

/// Of a kernel, and of the device functions that it calls, launched with blocks of a shape: in the order of the source.
std::vector<MemoryAccess> memory_accesses(const ir::Module& module, const ir::Function& kernel, BlockShape block);
/// Of all kernels.
std::vector<MemoryAccess> memory_accesses(const ir::Module& module, BlockShape block);

}  // namespace pyk
