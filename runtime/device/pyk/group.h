// Cooperative groups: the grid, the block, tiles of a warp (`size` threads, a power of two) and the threads that came
// together (a mask of lanes). Ranks count within the group; masks that a group's votes give have a bit per rank.
//
// Defines: grid_rank, grid_size, block_rank, block_size, tile_mask, tile_rank, tiles_before,
// tiles, tile_sync, tile_shfl, tile_shfl_up, tile_shfl_down, tile_shfl_xor, tile_any, tile_all, tile_ballot,
// tile_match_any, tile_reduce, mask_rank, mask_size, mask_sync, mask_shfl, mask_shfl_up, mask_shfl_down, mask_any,
// mask_all, mask_ballot, mask_match_any, mask_reduce, plus, least, greatest, bit_and, bit_or, bit_xor
#ifndef PYK_GROUP_H
#define PYK_GROUP_H

#include "pyk/warp.h"

#ifdef __CUDACC__
#define PYK_HERE
#define PYK_HERE_PARAMS
#define PYK_THREAD
#define PYK_THREAD_AND
#define PYK_THREAD_PARAM_AND
#else
#define PYK_HERE t, line,
#define PYK_HERE_PARAMS const thread &t, int line,
#define PYK_THREAD t
#define PYK_THREAD_AND t,
#define PYK_THREAD_PARAM_AND const thread &t,
#endif

namespace pyk {

#ifdef __CUDACC__
PYK_DEVICE unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }
PYK_DEVICE unsigned int block_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
PYK_DEVICE unsigned long long grid_size() {
    return static_cast<unsigned long long>(block_size()) * gridDim.x * gridDim.y * gridDim.z;
}
PYK_DEVICE unsigned long long grid_rank() {
    const unsigned long long block =
        blockIdx.x + static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + gridDim.y * blockIdx.z);
    return block * block_size() + block_rank();
}
PYK_DEVICE int group_lane() { return static_cast<int>(block_rank() & 31); }
PYK_DEVICE int one_bits(unsigned int mask) { return __popc(mask); }
PYK_DEVICE int lane_of_rank(unsigned int mask, int rank) { return static_cast<int>(__fns(mask, 0, rank + 1)); }

PYK_DEVICE void meet_lanes(unsigned int mask) { __syncwarp(mask); }
PYK_DEVICE unsigned int vote_of(unsigned int mask, bool predicate) { return __ballot_sync(mask, predicate); }
template <class T>
PYK_DEVICE unsigned int match_of(unsigned int mask, T value) {
    return __match_any_sync(mask, value);
}
template <class T>
PYK_DEVICE T value_of(unsigned int mask, T value, int lane, int width = 32) {
    return __shfl_sync(mask, value, lane, width);
}
template <class T>
PYK_DEVICE T up_value(unsigned int mask, T value, int delta, int width) {
    return __shfl_up_sync(mask, value, static_cast<unsigned int>(delta), width);
}
template <class T>
PYK_DEVICE T down_value(unsigned int mask, T value, int delta, int width) {
    return __shfl_down_sync(mask, value, static_cast<unsigned int>(delta), width);
}
template <class T>
PYK_DEVICE T xor_value(unsigned int mask, T value, int bits, int width) {
    return __shfl_xor_sync(mask, value, bits, width);
}
#else
inline unsigned int block_size(const thread& t) {
    return static_cast<unsigned int>(t.blockDim.x * t.blockDim.y * t.blockDim.z);
}
inline unsigned int block_rank(const thread& t) { return static_cast<unsigned int>(t.index()); }
inline unsigned long long grid_size(const thread& t) {
    return 1ull * block_size(t) * static_cast<unsigned int>(t.gridDim.x) * static_cast<unsigned int>(t.gridDim.y) *
           static_cast<unsigned int>(t.gridDim.z);
}
inline unsigned long long grid_rank(const thread& t) {
    const long long block = t.blockIdx.x + 1ll * t.gridDim.x * (t.blockIdx.y + 1ll * t.gridDim.y * t.blockIdx.z);
    return static_cast<unsigned long long>(block) * block_size(t) + block_rank(t);
}
inline int group_lane(const thread& t) { return t.index() % 32; }
inline int one_bits(unsigned int mask) { return __builtin_popcount(mask); }
/// -1 where the mask has fewer lanes.
inline int lane_of_rank(unsigned int mask, int rank) {
    for (; mask != 0 && rank > 0; --rank) mask &= mask - 1;
    return mask != 0 && rank == 0 ? __builtin_ctz(mask) : -1;
}

inline void meet_lanes(const thread& t, int line, unsigned int mask) { meet(t, {"sync", line, mask}); }
inline unsigned int vote_of(const thread& t, int line, unsigned int mask, bool predicate) {
    return vote(t, {"ballot", line, mask}, predicate);
}
template <class T>
inline unsigned int match_of(const thread& t, int line, unsigned int mask, T value) {
    return matching(meet(t, {"match_any", line, mask}, to_bits(value)), to_bits(value));
}
template <class T>
inline T value_of(const thread& t, int line, unsigned int mask, T value, int lane, int width = 32) {
    return shfl_sync(t, line, mask, value, lane, width);
}
template <class T>
inline T up_value(const thread& t, int line, unsigned int mask, T value, int delta, int width) {
    return shfl_up_sync(t, line, mask, value, delta, width);
}
template <class T>
inline T down_value(const thread& t, int line, unsigned int mask, T value, int delta, int width) {
    return shfl_down_sync(t, line, mask, value, delta, width);
}
template <class T>
inline T xor_value(const thread& t, int line, unsigned int mask, T value, int bits, int width) {
    return shfl_xor_sync(t, line, mask, value, bits, width);
}
#endif

// --- what cg.reduce combines with ---
struct plus {
    template <class T>
    PYK_DEVICE T operator()(T a, T b) const {
        return static_cast<T>(a + b);
    }
};
struct least {
    template <class T>
    PYK_DEVICE T operator()(T a, T b) const {
        return b < a ? b : a;
    }
};
struct greatest {
    template <class T>
    PYK_DEVICE T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};
struct bit_and {
    template <class T>
    PYK_DEVICE T operator()(T a, T b) const {
        return a & b;
    }
};
struct bit_or {
    template <class T>
    PYK_DEVICE T operator()(T a, T b) const {
        return a | b;
    }
};
struct bit_xor {
    template <class T>
    PYK_DEVICE T operator()(T a, T b) const {
        return a ^ b;
    }
};

// --- tiles ---
PYK_DEVICE unsigned int tile_mask(PYK_THREAD_PARAM_AND int size) {
    return size == 32 ? 0xffffffffu : ((1u << size) - 1) << (group_lane(PYK_THREAD) & ~(size - 1));
}
PYK_DEVICE unsigned int tile_rank(PYK_THREAD_PARAM_AND int size) {
    return static_cast<unsigned int>(group_lane(PYK_THREAD) & (size - 1));
}
PYK_DEVICE unsigned int tiles_before(PYK_THREAD_PARAM_AND int size) {
    return block_rank(PYK_THREAD) / static_cast<unsigned int>(size);
}
PYK_DEVICE unsigned int tiles(PYK_THREAD_PARAM_AND int size) {
    return (block_size(PYK_THREAD) + static_cast<unsigned int>(size) - 1) / static_cast<unsigned int>(size);
}
PYK_DEVICE void tile_sync(PYK_HERE_PARAMS int size) { meet_lanes(PYK_HERE tile_mask(PYK_THREAD_AND size)); }
template <class T>
PYK_DEVICE T tile_shfl(PYK_HERE_PARAMS int size, T value, int rank) {
    return value_of(PYK_HERE tile_mask(PYK_THREAD_AND size), value, rank, size);
}
template <class T>
PYK_DEVICE T tile_shfl_up(PYK_HERE_PARAMS int size, T value, int delta) {
    return up_value(PYK_HERE tile_mask(PYK_THREAD_AND size), value, delta, size);
}
template <class T>
PYK_DEVICE T tile_shfl_down(PYK_HERE_PARAMS int size, T value, int delta) {
    return down_value(PYK_HERE tile_mask(PYK_THREAD_AND size), value, delta, size);
}
template <class T>
PYK_DEVICE T tile_shfl_xor(PYK_HERE_PARAMS int size, T value, int bits) {
    return xor_value(PYK_HERE tile_mask(PYK_THREAD_AND size), value, bits, size);
}
PYK_DEVICE unsigned int tile_ballot(PYK_HERE_PARAMS int size, bool predicate) {
    const int first = group_lane(PYK_THREAD) & ~(size - 1);
    return vote_of(PYK_HERE tile_mask(PYK_THREAD_AND size), predicate) >> first;
}
PYK_DEVICE bool tile_any(PYK_HERE_PARAMS int size, bool predicate) {
    return vote_of(PYK_HERE tile_mask(PYK_THREAD_AND size), predicate) != 0;
}
PYK_DEVICE bool tile_all(PYK_HERE_PARAMS int size, bool predicate) {
    return vote_of(PYK_HERE tile_mask(PYK_THREAD_AND size), !predicate) == 0;
}
template <class T>
PYK_DEVICE unsigned int tile_match_any(PYK_HERE_PARAMS int size, T value) {
    const int first = group_lane(PYK_THREAD) & ~(size - 1);
    return match_of(PYK_HERE tile_mask(PYK_THREAD_AND size), value) >> first;
}
/// Every thread gets the same value.
template <class T, class Op>
PYK_DEVICE T tile_reduce(PYK_HERE_PARAMS int size, T value, Op op) {
    for (int bits = size / 2; bits > 0; bits /= 2) {
        const T other = tile_shfl_xor(PYK_HERE size, value, bits);
        const bool is_upper = tile_rank(PYK_THREAD_AND size) & static_cast<unsigned int>(bits);
        value = is_upper ? op(other, value) : op(value, other);
    }
    return value;
}

// --- threads that came together ---
PYK_DEVICE unsigned int mask_rank(PYK_THREAD_PARAM_AND unsigned int mask) {
    return static_cast<unsigned int>(one_bits(mask & ((1u << group_lane(PYK_THREAD)) - 1)));
}
PYK_DEVICE unsigned int mask_size(unsigned int mask) { return static_cast<unsigned int>(one_bits(mask)); }
PYK_DEVICE void mask_sync(PYK_HERE_PARAMS unsigned int mask) { meet_lanes(PYK_HERE mask); }
template <class T>
PYK_DEVICE T mask_shfl(PYK_HERE_PARAMS unsigned int mask, T value, int rank) {
    const int lane = lane_of_rank(mask, rank);
    return value_of(PYK_HERE mask, value, lane < 0 ? group_lane(PYK_THREAD) : lane);
}
/// From the thread whose rank is `delta` higher; its own value where there is none.
template <class T>
PYK_DEVICE T mask_shfl_down(PYK_HERE_PARAMS unsigned int mask, T value, int delta) {
    const int rank = static_cast<int>(mask_rank(PYK_THREAD_AND mask)) + delta;
    const bool inside = rank >= 0 && rank < one_bits(mask);
    return value_of(PYK_HERE mask, value, inside ? lane_of_rank(mask, rank) : group_lane(PYK_THREAD));
}
template <class T>
PYK_DEVICE T mask_shfl_up(PYK_HERE_PARAMS unsigned int mask, T value, int delta) {
    return mask_shfl_down(PYK_HERE mask, value, -delta);
}
PYK_DEVICE unsigned int by_rank(unsigned int mask, unsigned int lanes) {
    unsigned int ranks = 0;
    for (int rank = 0; mask != 0; mask &= mask - 1, ++rank)
        if (lanes & mask & (0u - mask)) ranks |= 1u << rank;
    return ranks;
}
PYK_DEVICE unsigned int mask_ballot(PYK_HERE_PARAMS unsigned int mask, bool predicate) {
    return by_rank(mask, vote_of(PYK_HERE mask, predicate));
}
PYK_DEVICE bool mask_any(PYK_HERE_PARAMS unsigned int mask, bool predicate) {
    return vote_of(PYK_HERE mask, predicate) != 0;
}
PYK_DEVICE bool mask_all(PYK_HERE_PARAMS unsigned int mask, bool predicate) {
    return vote_of(PYK_HERE mask, !predicate) == 0;
}
template <class T>
PYK_DEVICE unsigned int mask_match_any(PYK_HERE_PARAMS unsigned int mask, T value) {
    return by_rank(mask, match_of(PYK_HERE mask, value));
}
/// In the order of ranks; every thread gets the same value.
template <class T, class Op>
PYK_DEVICE T mask_reduce(PYK_HERE_PARAMS unsigned int mask, T value, Op op) {
    T result = mask_shfl(PYK_HERE mask, value, 0);
    for (int rank = 1; rank < one_bits(mask); ++rank) result = op(result, mask_shfl(PYK_HERE mask, value, rank));
    return result;
}

#undef PYK_HERE
#undef PYK_HERE_PARAMS
#undef PYK_THREAD
#undef PYK_THREAD_AND
#undef PYK_THREAD_PARAM_AND

}  // namespace pyk

#endif  // PYK_GROUP_H
