// Reductions of all elements: what is launched, and how often.
#pragma once

#include <functional>
#include <vector>

#include "pyk/reduce_args.h"
#include "pyk/status.h"

namespace pyk::arrays {

/// Elements of each input along one axis, and what becomes of them. Precondition of `reduce`: there is one.
struct Reduction {
    std::vector<element_input> inputs;
    long long count = 0;
    bool is_dense = false;                ///< the elements of each input lie side by side
    bool is_aligned = false;              ///< and every input begins at a multiple of 16 bytes
    long long width = 1;                  ///< elements of each input that are moved at once: lanes_of
    std::size_t value_bytes = 0;          ///< of what the operator gives
    const unsigned char* init = nullptr;  ///< a value that the result is combined with; null: nothing
    char* out = nullptr;                  ///< the result
};

using ReduceMemory = std::function<Result<void*>(std::size_t bytes)>;
using ReduceLaunch = std::function<Status(const reduce_args& args, long long blocks)>;

/// Chunks of the elements, then of what they came to, until there is one. `scratch`: memory until all has run.
Status reduce(const Reduction& reduction, const ReduceMemory& scratch, const ReduceLaunch& launch);

}  // namespace pyk::arrays
