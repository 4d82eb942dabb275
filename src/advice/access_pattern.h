// How the lanes of a warp reach memory in one access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "advice/warp_value.h"

namespace pyk {

struct AccessPattern {
    enum class Form : uint8_t {
        uniform,   ///< one element for all
        strided,   ///< `stride` bytes from lane to lane
        scaled,    ///< the same distance from lane to lane, known when it runs
        grouped,   ///< neighbouring elements, one for each `count` lanes: `x[i // 2]`
        repeated,  ///< `count` neighbouring elements, again and again: `x[i % 4]`
        permuted,  ///< neighbouring elements in any order: `x[i ^ 1]`
        pieces,    ///< `pieces` times `count` neighbouring elements: a block of 16 x 16
        unknown,   ///< the code does not tell
        gathered,  ///< where the contents of memory say
        alone,     ///< of one lane at most: `if cuda.threadIdx.x == 0`
    };
    Form form = Form::unknown;
    size_t bytes = 0;  ///< of what a lane accesses
    int64_t stride = 0;
    int count = 0;
    int pieces = 0;

    bool operator==(const AccessPattern&) const = default;
    /// The memory that the warp touches is in one piece.
    bool is_coalesced() const;
};

/// Of lanes that access `bytes` bytes each, `place` bytes behind what is aligned.
AccessPattern access_pattern(const WarpValue& place, size_t bytes);

/// How many words of one bank the worst bank of shared memory is asked for; 0: not known.
int bank_conflicts(const WarpValue& place, size_t bytes);

}  // namespace pyk
