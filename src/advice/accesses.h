// How the threads of a warp reach memory: which elements 32 neighbours touch in one access.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/ir.h"

namespace pyk {

/// Lanes are neighbours along x: blocks whose x extent is a multiple of 32 are assumed.
struct MemoryAccess {
    enum class Pattern : uint8_t {
        uniform,   ///< one element for all
        strided,   ///< `stride` elements from lane to lane; 1 and -1 are coalesced
        scaled,    ///< the same distance from lane to lane, known when it runs
        grouped,   ///< neighbouring elements, one for each `stride` lanes: `x[i // 2]`
        repeated,  ///< `stride` neighbouring elements, again and again: `x[i % 4]`
        gathered,  ///< anything
    };
    enum class Kind : uint8_t { load, store, atomic };

    std::string kernel;  ///< its symbol
    std::string array;
    Span span;
    Kind kind = Kind::load;
    bool is_shared = false;  ///< else in global memory
    Pattern pattern = Pattern::gathered;
    int64_t stride = 0;      ///< of `strided`, in elements; of `grouped` and `repeated`, in lanes
    int bank_conflicts = 0;  ///< shared memory: how many times the access is made; 1: none; 0: not known
};

/// Of kernels' own accesses to elements of their arrays (not those in device functions), in the order of the source.
std::vector<MemoryAccess> memory_accesses(const ir::Module& module);

/// How many words of one bank the worst bank of shared memory is asked for, by lanes `stride` elements apart.
int bank_conflicts(int64_t stride, size_t element_bytes);

}  // namespace pyk
