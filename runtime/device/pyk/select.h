// Selections on GPUs, in one pass, of CUB's parts: a block of 256 threads per tile, which waits for how many those
// before it chose.
//
// Defines: run_select
#ifndef PYK_SELECT_H
#define PYK_SELECT_H

#ifdef __CUDACC__
#include <cub/agent/single_pass_scan_operators.cuh>
#include <cub/block/block_scan.cuh>
#endif

#include "pyk/config.h"
#include "pyk/element_load.h"
#include "pyk/select_args.h"

#ifdef __CUDACC__

namespace pyk {

struct sum_of_counts {
    PYK_DEVICE long long operator()(long long a, long long b) const { return a + b; }
};

/// `f`: whether a value is chosen; `load`: the value of an element.
template <class T, class... In, class F, class Load>
PYK_DEVICE void run_select(const select_args& args, F f, Load load) {
    using scan = cub::BlockScan<int, 256>;
    using tile_state = cub::ScanTileState<long long>;
    using look_back = cub::TilePrefixCallbackOp<long long, sum_of_counts, tile_state>;
    __shared__ struct {
        typename scan::TempStorage scan_part;
        typename look_back::TempStorage look_back_part;
        long long before;
    } shared;
    tile_state state;
    state.Init(static_cast<int>(args.tiles), args.state, static_cast<size_t>(args.state_bytes));
    if (args.stage == select_stage::prepare) return state.InitializeStatus(static_cast<int>(args.tiles));

    const int index = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
    const long long first = static_cast<long long>(index) * select_tile;
    const int count = args.count - first < select_tile ? static_cast<int>(args.count - first) : select_tile;
    // Side by side among the threads; round after round is the elements' order.
    T values[select_items];
    unsigned chosen = 0;
#pragma unroll
    for (int k = 0; k < select_items; ++k) {
        const int at = k * 256 + thread;
        values[k] = load_value<T, In...>(args.inputs, first + (at < count ? at : 0), load);
    }
#pragma unroll
    for (int k = 0; k < select_items; ++k)
        if (k * 256 + thread < count && f(values[k])) chosen |= 1u << k;
    // Of each round: how many of the tile lie before the thread's.
    int places[select_items];
    int total = 0;
#pragma unroll
    for (int k = 0; k < select_items; ++k) {
        int of_round = 0;
        scan(shared.scan_part).ExclusiveSum(static_cast<int>(chosen >> k & 1), places[k], of_round);
        places[k] += total;
        total += of_round;
        __syncthreads();
    }
    if (index == 0) {
        if (thread == 0) {
            if (args.tiles > 1) state.SetInclusive(0, total);
            shared.before = 0;
        }
    } else if (thread < 32) {
        look_back prefix(state, shared.look_back_part, sum_of_counts{}, index);
        const long long before = prefix(total);
        if (thread == 0) shared.before = before;
    }
    __syncthreads();
    T* const out = reinterpret_cast<T*>(args.out) + shared.before;
#pragma unroll
    for (int k = 0; k < select_items; ++k)
        if (chosen >> k & 1) out[places[k]] = values[k];
    if (index == args.tiles - 1 && thread == 0) *args.chosen = shared.before + total;
}

}  // namespace pyk

#endif

#endif  // PYK_SELECT_H
