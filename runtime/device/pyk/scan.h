// Scans on GPUs, of CUB's parts: a block of 128 threads per tile. In one pass by decoupled look-back, where the order
// in which tiles are combined is that in which they come to be ready; or in three, where it is fixed.
//
// Defines: run_scan, run_ordered_scan
#ifndef PYK_SCAN_H
#define PYK_SCAN_H

#ifdef __CUDACC__
#include <cub/agent/single_pass_scan_operators.cuh>
#include <cub/block/block_scan.cuh>
#endif

#include "pyk/config.h"
#include "pyk/element_load.h"
#include "pyk/lanes.h"
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
    static constexpr int items = scan_items_of(int(sizeof(T))), threads = scan_args::threads, tile = items * threads;
    /// Values in 16 bytes.
    static constexpr int wide = lanes_of<T>();
    using scan = cub::BlockScan<T, threads, cub::BLOCK_SCAN_WARP_SCANS>;
    using tile_state = cub::ScanTileState<T>;
    // How long to wait between two looks at the tiles before: what CUB was tuned to for sums of float on an H100.
    using delay = cub::detail::fixed_delay_constructor_t<688, 1140>;
#if CUB_VERSION >= 300000
    using look_back = cub::TilePrefixCallbackOp<T, F, tile_state, delay>;
#else
    using look_back = cub::TilePrefixCallbackOp<T, F, tile_state, 0, delay>;
#endif
    union storage {
        alignas(16) unsigned char values[tile * sizeof(T)];
        struct {
            typename look_back::TempStorage look_back_part;
            typename scan::TempStorage scan_part;
        } both;
    };

    /// Where the first value of the thread's warp lies in a tile, and which thread of the warp this is.
    static PYK_DEVICE int warp_begin() { return static_cast<int>(threadIdx.x) / 32 * 32 * items; }
    static PYK_DEVICE int lane() { return static_cast<int>(threadIdx.x) % 32; }
    static PYK_DEVICE char* place(storage& shared, int at) {
        return reinterpret_cast<char*>(shared.values) + at * int(sizeof(T));
    }

    /// From the order of memory to that of threads, each with `items` values side by side.
    static PYK_DEVICE void to_threads(storage& shared, T* values) {
        __syncwarp();
#pragma unroll
        for (int k = 0; k < items; k += wide)
            load_lanes<wide>(values + k, place(shared, warp_begin() + lane() * items + k));
        __syncthreads();
    }
    static PYK_DEVICE void from_threads(storage& shared, const T* values) {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < items; k += wide)
            store_lanes<wide>(place(shared, warp_begin() + lane() * items + k), values + k);
        __syncwarp();
    }

    /// `load_some(at, to)`: `Width` values from the tile's `at`-th on.
    template <int Width, class Load>
    static PYK_DEVICE void load_whole(storage& shared, T* values, Load load_some) {
#pragma unroll
        for (int k = 0; k < items; k += Width) load_some(warp_begin() + k * 32 + lane() * Width, values + k);
#pragma unroll
        for (int k = 0; k < items; k += Width)
            store_lanes<Width>(place(shared, warp_begin() + k * 32 + lane() * Width), values + k);
        to_threads(shared, values);
    }
    /// Of a tile with `count` values; `load(at)`: one of them.
    template <class Load>
    static PYK_DEVICE void load(storage& shared, T* values, int count, Load load) {
        load_whole<1>(shared, values, [&](int at, T* to) { *to = load(at < count ? at : 0); });
    }

    /// To where `out` says that the tile begins, at a multiple of 16 bytes.
    static PYK_DEVICE void store_whole(storage& shared, const T* values, char* out) {
        from_threads(shared, values);
#pragma unroll
        for (int k = 0; k < items; k += wide) {
            const int at = warp_begin() + k * 32 + lane() * wide;
            T some[wide];
            load_lanes<wide>(some, place(shared, at));
            store_lanes<wide>(out + static_cast<long long>(at) * int(sizeof(T)), some);
        }
    }
    template <class Store>
    static PYK_DEVICE void store(storage& shared, const T* values, int count, Store store) {
        from_threads(shared, values);
#pragma unroll
        for (int k = 0; k < items; ++k) {
            const int at = warp_begin() + k * 32 + lane();
            if (at < count) store(at, *reinterpret_cast<const T*>(place(shared, at)));
        }
    }
};

/// The values of a block's tile.
template <class T, class F, class... In, class Load>
PYK_DEVICE void load_tile_of_scan(typename scan_block<T, F>::storage& shared, const scan_args& args, T* values,
                                  Load& load) {
    using block = scan_block<T, F>;
    const long long first = static_cast<long long>(blockIdx.x) * block::tile, left = args.count - first;
    if (args.is_aligned && left >= block::tile) {
        constexpr int width = lanes_of<T, In...>();
        block::template load_whole<width>(
            shared, values, [&](int at, T* to) { load_values<T, width, In...>(args.inputs, first + at, load, to); });
    } else {
        block::load(shared, values, left < block::tile ? static_cast<int>(left) : block::tile,
                    [&](int at) { return load_value<T, In...>(args.inputs, first + at, load); });
    }
}

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
    const long long first = static_cast<long long>(blockIdx.x) * block::tile, left = args.count - first;
    T values[block::items];
    load_tile_of_scan<T, F, In...>(shared, args, values, load);
    scan(values);
    if (args.is_aligned && left >= block::tile)
        block::store_whole(shared, values, args.out + first * static_cast<long long>(sizeof(T)));
    else
        block::store(
            shared, values, left < block::tile ? static_cast<int>(left) : block::tile,
            [&](int at, const T& value) { *reinterpret_cast<T*>(args.out + (first + at) * args.out_step) = value; });
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
    T values[block::items];
    load_tile_of_scan<T, F, In...>(shared, args, values, load);
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
