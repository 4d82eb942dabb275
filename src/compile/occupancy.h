// How many warps of a kernel a multiprocessor holds.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace pyk {

/// What a multiprocessor of a compute capability has, of the table "Technical Specifications per Compute Capability" in
/// CUDA's programming guide.
struct SmLimits {
    int number;  ///< compute capability × 10
    unsigned blocks, warps;
    size_t shared;           ///< bytes
    size_t shared_reserved;  ///< bytes of each block that the system takes
};

/// The table.
std::span<const SmLimits> all_sm_limits();
/// nullopt: a compute capability that the table does not know.
std::optional<SmLimits> sm_limits(int number);

struct Occupancy {
    unsigned blocks = 0, warps = 0;  ///< of a multiprocessor; 0: the block does not fit
    std::string_view limit;          ///< what there is too little of: `registers`, `shared memory`, `warps`, `blocks`
};

/// For blocks of this many threads, registers of a thread, and bytes of shared memory of a block.
Occupancy occupancy(const SmLimits& limits, unsigned threads, size_t registers, size_t shared);

}  // namespace pyk
