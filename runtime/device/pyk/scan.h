// Scans on GPUs, of CUB's parts: a block of 256 threads per tile. In one pass by decoupled look-back, where the order
// in which tiles are combined is that in which they come to be ready; or in three, where it is fixed.
//
// Defines: run_scan, run_ordered_scan
#ifndef PYK_SCAN_H
#define PYK_SCAN_H

#ifdef __CUDACC__
#include <cub/agent/single_pass_scan_operators.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_scan.cuh>
#endif

#include "pyk/config.h"
#include "pyk/element_load.h"
#include "pyk/scan_args.h"

#ifdef __CUDACC__

namespace pyk {

/// What comes before a tile, where it is known.
template <class T>
struct known_prefix {
    T value;
    PYK_DEVICE T operator()(const T&) const { return value; }
};

/// What comes before a part of the tiles' sums, which goes on with each part. Only what thread 0 has counts.
template <class T, class F>
struct running_prefix {
    T value;
    F f;
    PYK_DEVICE T operator()(const T& sum) {
        const T before = value;
        value = f(before, sum);
        return before;
    }
};

template <class T, class F>
struct scan_block {
    static constexpr int items = scan_tile_of(int(sizeof(T))) / 256;
    static constexpr int tile = items * 256;
    using exchange = cub::BlockExchange<T, 256, items>;
    using scan = cub::BlockScan<T, 256, cub::BLOCK_SCAN_WARP_SCANS>;
    using tile_state = cub::ScanTileState<T>;
    using look_back = cub::TilePrefixCallbackOp<T, F, tile_state>;
    union storage {
        typename exchange::TempStorage exchange_part;
        struct {
            typename look_back::TempStorage look_back_part;
            typename scan::TempStorage scan_part;
        } both;
    };

    /// Where the thread's k-th element of a tile lies while it is moved: side by side with its neighbours'.
    static PYK_DEVICE int place(int k) {
        return static_cast<int>(threadIdx.x) / 32 * 32 * items + k * 32 + static_cast<int>(threadIdx.x) % 32;
    }

    template <class Load>
    static PYK_DEVICE void load(storage& shared, T* values, int count, Load load) {
#pragma unroll
        for (int k = 0; k < items; ++k) values[k] = load(place(k) < count ? place(k) : 0);
        exchange(shared.exchange_part)
            .WarpStripedToBlocked(*reinterpret_cast<T(*)[items]>(values), *reinterpret_cast<T(*)[items]>(values));
        __syncthreads();
    }
    template <class Store>
    static PYK_DEVICE void store(storage& shared, T* values, int count, Store store) {
        __syncthreads();
        exchange(shared.exchange_part)
            .BlockedToWarpStriped(*reinterpret_cast<T(*)[items]>(values), *reinterpret_cast<T(*)[items]>(values));
#pragma unroll
        for (int k = 0; k < items; ++k)
            if (place(k) < count) store(place(k), values[k]);
    }
};

/// The first tile has nothing before it but `init`.
template <class T, class F>
PYK_DEVICE T scan_first(typename scan_block<T, F>::storage& shared, const scan_args& args, T* items, F& f) {
    using block = scan_block<T, F>;
    auto& values = *reinterpret_cast<T(*)[block::items]>(items);
    typename block::scan scan(shared.both.scan_part);
    T sum;
    if (!args.has_init) {
        scan.InclusiveScan(values, values, f, sum);
        return sum;
    }
    const T init = *reinterpret_cast<const T*>(args.init);
    if (args.is_exclusive) {
        scan.ExclusiveScan(values, values, init, f, sum);
        return f(init, sum);
    }
    scan.InclusiveScan(values, values, f, sum);
#pragma unroll
    for (int k = 0; k < block::items; ++k) values[k] = f(init, values[k]);
    return f(init, sum);
}

template <class T, class F, class Prefix>
PYK_DEVICE void scan_with(typename scan_block<T, F>::storage& shared, const scan_args& args, T* items, F& f,
                          Prefix& prefix) {
    using block = scan_block<T, F>;
    auto& values = *reinterpret_cast<T(*)[block::items]>(items);
    typename block::scan scan(shared.both.scan_part);
    if (args.is_exclusive)
        scan.ExclusiveScan(values, values, f, prefix);
    else
        scan.InclusiveScan(values, values, f, prefix);
}

template <class T, class F, class... In, class Load, class Scan>
PYK_DEVICE void scan_tile(typename scan_block<T, F>::storage& shared, const scan_args& args, Load& load, Scan scan) {
    using block = scan_block<T, F>;
    const long long first = static_cast<long long>(blockIdx.x) * block::tile;
    const int count = args.count - first < block::tile ? static_cast<int>(args.count - first) : block::tile;
    T values[block::items];
    block::load(shared, values, count, [&](int at) { return load_value<T, In...>(args.inputs, first + at, load); });
    scan(values);
    block::store(shared, values, count, [&](int at, const T& value) {
        *reinterpret_cast<T*>(args.out + (first + at) * args.out_step) = value;
    });
}

/// `f`: of two values; `load`: a value of an element of each input.
template <class T, class... In, class F, class Load>
PYK_DEVICE void run_scan(const scan_args& args, F f, Load load) {
    using block = scan_block<T, F>;
    __shared__ typename block::storage shared;
    typename block::tile_state state;
    state.Init(static_cast<int>(args.tiles), args.state, static_cast<size_t>(args.state_bytes));
    if (args.stage == scan_stage::prepare) return state.InitializeStatus(static_cast<int>(args.tiles));
    scan_tile<T, F, In...>(shared, args, load, [&](T* values) {
        if (blockIdx.x == 0) {
            const T sum = scan_first<T, F>(shared, args, values, f);
            if (threadIdx.x == 0 && args.tiles > 1) state.SetInclusive(0, sum);
        } else {
            typename block::look_back prefix(state, shared.both.look_back_part, f, static_cast<int>(blockIdx.x));
            scan_with<T, F>(shared, args, values, f, prefix);
        }
    });
}

/// What each tile comes to. The last one's is of no use.
template <class T, class F, class... In, class Load>
PYK_DEVICE void sum_tile(typename scan_block<T, F>::storage& shared, const scan_args& args, F& f, Load& load) {
    using block = scan_block<T, F>;
    const long long first = static_cast<long long>(blockIdx.x) * block::tile;
    const int count = args.count - first < block::tile ? static_cast<int>(args.count - first) : block::tile;
    T values[block::items];
    block::load(shared, values, count, [&](int at) { return load_value<T, In...>(args.inputs, first + at, load); });
    T sum;
    typename block::scan(shared.both.scan_part).InclusiveScan(values, values, f, sum);
    if (threadIdx.x == 0) reinterpret_cast<T*>(args.state)[blockIdx.x] = sum;
}

/// What comes before each tile, behind what each comes to.
template <class T, class F>
PYK_DEVICE void scan_sums(typename scan_block<T, F>::storage& shared, const scan_args& args, F& f) {
    using block = scan_block<T, F>;
    const T* const sums = reinterpret_cast<const T*>(args.state);
    T* const before = reinterpret_cast<T*>(args.state) + args.tiles;
    running_prefix<T, F> prefix{*reinterpret_cast<const T*>(args.init), f};
    for (long long first = 0; first < args.tiles; first += block::tile) {
        const int count = args.tiles - first < block::tile ? static_cast<int>(args.tiles - first) : block::tile;
        T values[block::items];
        block::load(shared, values, count, [&](int at) { return sums[first + at]; });
        typename block::scan scan(shared.both.scan_part);
        if (first != 0 || args.has_init)
            scan.InclusiveScan(values, values, f, prefix);
        else
            scan.InclusiveScan(values, values, f, prefix.value);
        block::store(shared, values, count, [&](int at, const T& value) {
            if (first + at + 1 < args.tiles) before[first + at + 1] = value;
        });
        __syncthreads();
    }
}

/// The same in three passes, in an order that depends on the number of elements alone.
template <class T, class... In, class F, class Load>
PYK_DEVICE void run_ordered_scan(const scan_args& args, F f, Load load) {
    using block = scan_block<T, F>;
    __shared__ typename block::storage shared;
    if (args.stage == scan_stage::sums) return sum_tile<T, F, In...>(shared, args, f, load);
    if (args.stage == scan_stage::prefixes) return scan_sums<T, F>(shared, args, f);
    scan_tile<T, F, In...>(shared, args, load, [&](T* values) {
        if (blockIdx.x == 0) {
            scan_first<T, F>(shared, args, values, f);
        } else {
            known_prefix<T> prefix{reinterpret_cast<const T*>(args.state)[args.tiles + blockIdx.x]};
            scan_with<T, F>(shared, args, values, f, prefix);
        }
    });
}

}  // namespace pyk

#endif

#endif  // PYK_SCAN_H
