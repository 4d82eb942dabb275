// Warps: shuffles, votes, matches and meetings of the threads of a mask. On the CPU the threads of a block are warps of
// 32 by their index; `line` is where the call stands in the .pyk file.
//
// Defines: lanemask_lt, match_all_sync, syncwarp, activemask, all_sync, any_sync, eq_sync, ballot_sync, match_any_sync,
// shfl_sync, shfl_up_sync, shfl_down_sync, shfl_xor_sync
#ifndef PYK_WARP_H
#define PYK_WARP_H

#include "pyk/tuple.h"

#ifdef __CUDACC__

namespace pyk {

PYK_DEVICE unsigned int lanemask_lt() {
    unsigned int mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

template <class T>
PYK_DEVICE tuple<int, bool> match_all_sync(unsigned int mask, T value) {
    int all;
    const unsigned int lanes = __match_all_sync(mask, value, &all);
    return make_tuple(static_cast<int>(lanes), all != 0);
}

}  // namespace pyk

#else

#include "pyk/cpu.h"

namespace pyk {

inline int lane_of(const thread& t) { return t.index() % 32; }

template <class T>
inline unsigned long long to_bits(T value) {
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T>
inline T from_bits(unsigned long long bits) {
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

inline meeting meet(const thread& t, const meeting_place& place, unsigned long long value = 0) {
    meeting result;
    t.block->meet(t.block, t.index(), place, value, &result);
    return result;
}

inline unsigned int lanemask_lt(const thread& t) { return (1u << lane_of(t)) - 1; }
/// The lanes that come here before their warp can only go on by leaving this place.
inline unsigned int activemask(const thread& t, int line) { return meet(t, {"activemask", line, 0}).lanes; }
inline void syncwarp(const thread& t, int line, unsigned int mask) { meet(t, {"syncwarp", line, mask}); }

// --- votes ---
inline unsigned int vote(const thread& t, const meeting_place& place, bool predicate) {
    const meeting met = meet(t, place, predicate);
    unsigned int yes = 0;
    for (int lane = 0; lane < 32; ++lane)
        if (met.lanes >> lane & 1) yes |= static_cast<unsigned int>(met.values[lane]) << lane;
    return predicate ? yes : yes & ~(1u << lane_of(t));
}
inline int ballot_sync(const thread& t, int line, unsigned int mask, bool predicate) {
    return static_cast<int>(vote(t, {"ballot_sync", line, mask}, predicate));
}
inline bool any_sync(const thread& t, int line, unsigned int mask, bool predicate) {
    return vote(t, {"any_sync", line, mask}, predicate) != 0;
}
inline bool all_sync(const thread& t, int line, unsigned int mask, bool predicate) {
    return vote(t, {"all_sync", line, mask}, !predicate) == 0;
}
inline bool eq_sync(const thread& t, int line, unsigned int mask, bool predicate) {
    const meeting met = meet(t, {"eq_sync", line, mask}, predicate);
    for (int lane = 0; lane < 32; ++lane)
        if (met.lanes >> lane & 1 && met.values[lane] != static_cast<unsigned long long>(predicate)) return false;
    return true;
}

// --- matches ---
inline unsigned int matching(const meeting& met, unsigned long long bits) {
    unsigned int lanes = 0;
    for (int lane = 0; lane < 32; ++lane)
        if (met.lanes >> lane & 1 && met.values[lane] == bits) lanes |= 1u << lane;
    return lanes;
}
template <class T>
inline int match_any_sync(const thread& t, int line, unsigned int mask, T value) {
    return static_cast<int>(matching(meet(t, {"match_any_sync", line, mask}, to_bits(value)), to_bits(value)));
}
template <class T>
inline tuple<int, bool> match_all_sync(const thread& t, int line, unsigned int mask, T value) {
    const meeting met = meet(t, {"match_all_sync", line, mask}, to_bits(value));
    const bool all = matching(met, to_bits(value)) == met.lanes;
    return make_tuple(all ? static_cast<int>(met.lanes) : 0, all);
}

// --- shuffles: within groups of `width` lanes; the thread's own value where the source is outside of its group ---
template <class T>
inline T shuffled(const thread& t, const meeting_place& place, T value, int source, bool inside) {
    const meeting met = meet(t, place, to_bits(value));
    return inside && met.lanes >> source & 1 ? from_bits<T>(met.values[source]) : value;
}
template <class T>
inline T shfl_sync(const thread& t, int line, unsigned int mask, T value, int source, int width = 32) {
    const int first = lane_of(t) & ~(width - 1);
    return shuffled(t, {"shfl_sync", line, mask}, value, first | (source & (width - 1)), true);
}
template <class T>
inline T shfl_up_sync(const thread& t, int line, unsigned int mask, T value, int delta, int width = 32) {
    const int lane = lane_of(t), source = lane - (delta & 31);
    return shuffled(t, {"shfl_up_sync", line, mask}, value, source & 31, source >= (lane & ~(width - 1)));
}
template <class T>
inline T shfl_down_sync(const thread& t, int line, unsigned int mask, T value, int delta, int width = 32) {
    const int lane = lane_of(t), source = lane + (delta & 31);
    return shuffled(t, {"shfl_down_sync", line, mask}, value, source & 31, source <= (lane | (width - 1)));
}
template <class T>
inline T shfl_xor_sync(const thread& t, int line, unsigned int mask, T value, int lanes, int width = 32) {
    const int lane = lane_of(t), source = lane ^ (lanes & 31);
    return shuffled(t, {"shfl_xor_sync", line, mask}, value, source & 31, source <= (lane | (width - 1)));
}

}  // namespace pyk

#endif

#endif  // PYK_WARP_H
