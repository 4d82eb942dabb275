// The end of a loop over a row of bytes.
//
// Defines: tail_at
#ifndef PYK_TAIL_CPU_H
#define PYK_TAIL_CPU_H

namespace pyk {

/// Where a loop ends that one over the 64 iterations ahead of `stop` follows: some are taken twice, as they may be
/// where `can_overlap`. `stop`: none follows, as g++ leaves few or no iterations behind its vectors.
inline long long tail_at(long long start, long long stop, bool can_overlap) {
    const long long trips = start < stop ? stop - start : 0;
    return can_overlap && trips >= 64 && trips % 32 >= 4 ? stop - trips % 64 : stop;
}

}  // namespace pyk

#endif  // PYK_TAIL_CPU_H
