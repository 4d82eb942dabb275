// Reductions on the CPU: a block is a chunk, whose elements are folded in the order that GPUs have.
//
// Defines: run_reduce_on_cpu
#ifndef PYK_REDUCE_CPU_H
#define PYK_REDUCE_CPU_H

#include "pyk/access_word.h"
#include "pyk/config.h"
#include "pyk/cpu.h"
#include "pyk/element_load_cpu.h"
#include "pyk/exit.h"
#include "pyk/reduce_args.h"

namespace pyk {

template <bool Dense, int Width, class T, class... In, class F, class Load>
inline T reduce_chunk_on_cpu(const reduce_args& args, long long first, long long left, F& f, Load& load) {
    constexpr int lanes = reduce_threads * Width;
    T sums[lanes];
    const int filled = left < lanes ? static_cast<int>(left) : lanes;
    for (int lane = 0; lane < filled; ++lane)
        sums[lane] = load_on_cpu<Dense, T, In...>(args.inputs, first + lane, load);
    for (long long round = lanes; round < left; round += lanes) {
        const int count = left - round < lanes ? static_cast<int>(left - round) : lanes;
#ifndef __clang__
#pragma GCC ivdep
#endif
        for (int lane = 0; lane < count; ++lane)
            sums[lane] = f(sums[lane], load_on_cpu<Dense, T, In...>(args.inputs, first + round + lane, load));
    }
    int threads = 0;
    for (int lane = 0; lane < filled; lane += Width, ++threads) {
        T total = sums[lane];
        for (int j = 1; j < Width && lane + j < filled; ++j) total = f(total, sums[lane + j]);
        sums[threads] = total;
    }
    for (int half = reduce_threads / 2; half > 0; half /= 2)
        for (int thread = 0; thread < half && thread + half < threads; ++thread)
            sums[thread] = f(sums[thread], sums[thread + half]);
    return sums[0];
}

template <int Width, class T, class... In, class F, class Load>
inline void reduce_block_on_cpu(const cpu_block& block, const reduce_args& args, F& f, Load& load) {
    constexpr long long chunk = static_cast<long long>(reduce_threads) * Width * reduce_rounds;
    const long long index = block.blockIdx.x;
    const long long first = index * chunk;
    const long long left = args.count - first < chunk ? args.count - first : chunk;
    try {
        T total = args.is_dense ? reduce_chunk_on_cpu<true, Width, T, In...>(args, first, left, f, load)
                                : reduce_chunk_on_cpu<false, Width, T, In...>(args, first, left, f, load);
        if (args.has_init) total = f(*reinterpret_cast<const T*>(args.init), total);
        reinterpret_cast<T*>(args.out)[index] = total;
    } catch (const thread_exit&) {
    }
}

/// `f`: of two values; `load`: a value of an element of each input.
template <class T, class... In, class F, class Load>
inline void run_reduce_on_cpu(const cpu_block& block, const reduce_args& args, F f, Load load) {
    if (args.is_partial) {
        auto same = [](const T& value) { return value; };
        reduce_block_on_cpu<lanes_of<T>(), T, T>(block, args, f, same);
    } else {
        reduce_block_on_cpu<lanes_of<In...>(), T, In...>(block, args, f, load);
    }
}

}  // namespace pyk

#endif  // PYK_REDUCE_CPU_H
