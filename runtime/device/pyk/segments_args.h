// What the launch of a segmented reduction says: filled in by the host, read by segments.h and segments_cpu.h.
//
// Defines: segments_args, segment, segment_of, segments_of_chunk
#ifndef PYK_SEGMENTS_ARGS_H
#define PYK_SEGMENTS_ARGS_H

#include "pyk/config.h"
#include "pyk/reduce_args.h"

namespace pyk {

struct segments_args {
    static constexpr int threads = reduce_threads, blocks_at_once = 0;
    alignas(16) unsigned char init[most_init_bytes];
    long long count;  ///< of elements
    long long segments;
    const char* offsets;  ///< where each begins, and behind them where the last ends
    long long offset_step;
    int offset_bytes;  ///< 4 or 8
    int team;          ///< threads of a segment on a GPU: up to 32 of a warp, or a block
    char* out;
    element_input inputs[most_inputs];
};

/// Of a block on the CPU.
inline constexpr long long segments_of_chunk = 256;

struct segment {
    long long begin, end;
};

PYK_DEVICE long long segment_offset(const segments_args& args, long long index) {
    const char* const at = args.offsets + index * args.offset_step;
    const long long offset =
        args.offset_bytes == 8 ? *reinterpret_cast<const long long*>(at) : *reinterpret_cast<const int*>(at);
    return offset < 0 ? 0 : offset > args.count ? args.count : offset;
}
/// What is beyond the elements is cut off.
PYK_DEVICE segment segment_of(const segments_args& args, long long index) {
    return {segment_offset(args, index), segment_offset(args, index + 1)};
}

}  // namespace pyk

#endif  // PYK_SEGMENTS_ARGS_H
