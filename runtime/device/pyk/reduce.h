// Reductions on GPUs: a block per chunk, of `reduce_threads` threads.
//
// Defines: run_reduce
#ifndef PYK_REDUCE_H
#define PYK_REDUCE_H

#include "pyk/config.h"
#include "pyk/element_load.h"
#include "pyk/lanes.h"
#include "pyk/reduce_args.h"

#ifdef __CUDACC__

namespace pyk {

/// What a block's threads have, folded in halves: thread 0 gets it. The first `count` threads have something.
template <class T, class F>
PYK_DEVICE T fold_block(T value, int count, F& f) {
    __shared__ alignas(16) unsigned char bytes[reduce_threads * sizeof(T)];
    T* const values = reinterpret_cast<T*>(bytes);
    const int thread = static_cast<int>(threadIdx.x);
    values[thread] = value;
    __syncthreads();
#pragma unroll
    for (int half = reduce_threads / 2; half >= 32; half /= 2) {
        if (thread < half && thread + half < count) values[thread] = f(values[thread], values[thread + half]);
        __syncthreads();
    }
    if (thread >= 32) return value;
    value = values[thread];
#pragma unroll
    for (int half = 16; half > 0; half /= 2) {
        const T other = shuffled_down(value, half);
        if (thread + half < count) value = f(value, other);
    }
    return value;
}

template <int Width, class T, class... In, class F, class Load>
PYK_DEVICE void reduce_chunk(const reduce_args& args, F& f, Load& load) {
    constexpr int lanes = reduce_threads * Width;
    constexpr long long chunk = static_cast<long long>(lanes) * reduce_rounds;
    const long long first = blockIdx.x * chunk;
    const long long left = args.count - first < chunk ? args.count - first : chunk;
    const int lane = static_cast<int>(threadIdx.x) * Width;
    T sums[Width];
    // Rounds whose elements are all there, several loads before the first of them is used.
    constexpr int batch = 4;
    int round = 0;
    const auto add_batch = [&] {
        T next[batch][Width];
#pragma unroll
        for (int k = 0; k < batch; ++k)
            load_values<T, Width, In...>(args.inputs, first + (round + k) * lanes + lane, load, next[k]);
#pragma unroll
        for (int k = 0; k < batch; ++k)
#pragma unroll
            for (int j = 0; j < Width; ++j) sums[j] = round + k ? f(sums[j], next[k][j]) : next[k][j];
        round += batch;
    };
    if (left == chunk && args.is_aligned) {
#pragma unroll
        for (int i = 0; i < reduce_rounds; i += batch) add_batch();
    } else if (args.is_aligned) {
#pragma unroll 1
        while ((round + batch) * lanes <= left) add_batch();
    }
#pragma unroll 1
    for (; round < reduce_rounds; ++round)
#pragma unroll
        for (int j = 0; j < Width; ++j) {
            const long long at = static_cast<long long>(round) * lanes + lane + j;
            if (at >= left) continue;
            const T value = load_value<T, In...>(args.inputs, first + at, load);
            sums[j] = round ? f(sums[j], value) : value;
        }
    T total = sums[0];
#pragma unroll
    for (int j = 1; j < Width; ++j)
        if (lane + j < left) total = f(total, sums[j]);
    const long long threads = (left + Width - 1) / Width;
    total = fold_block(total, static_cast<int>(threads < reduce_threads ? threads : reduce_threads), f);
    if (threadIdx.x != 0) return;
    if (args.has_init) total = f(*reinterpret_cast<const T*>(args.init), total);
    reinterpret_cast<T*>(args.out)[blockIdx.x] = total;
}

/// `f`: of two values; `load`: a value of an element of each input.
template <class T, class... In, class F, class Load>
PYK_DEVICE void run_reduce(const reduce_args& args, F f, Load load) {
    if (args.is_partial) {
        auto same = [](const T& value) { return value; };
        reduce_chunk<lanes_of<T>(), T, T>(args, f, same);
    } else {
        reduce_chunk<lanes_of<In...>(), T, In...>(args, f, load);
    }
}

}  // namespace pyk

#endif

#endif  // PYK_REDUCE_H
