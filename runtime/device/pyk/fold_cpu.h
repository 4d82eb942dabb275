// Reductions and accumulations of array functions of two, on the CPU: a block is a chunk of the lines.
//
// Defines: for_each_fold_on_cpu, for_each_scan_on_cpu
#ifndef PYK_FOLD_CPU_H
#define PYK_FOLD_CPU_H

#include "pyk/cpu.h"
#include "pyk/elementwise_cpu.h"
#include "pyk/elementwise_loop.h"
#include "pyk/exit.h"
#include "pyk/fold_line.h"

namespace pyk {

/// Calls `use(from, to, line)` for each line of the block.
template <class Use>
inline void for_each_line(const cpu_block& block, const fold_loop& fold, Use use) {
    const strided_loop<2>& loop = fold.loop;
    const long long first = block.blockIdx.x * loop.chunk;
    const long long end = first + loop.chunk < loop.count ? first + loop.chunk : loop.count;
    for (long long i = first; i < end; ++i) {
        const loop_place place = place_of(loop, i);
        const char* from = loop.operands[0].data;
        char* to = loop.operands[1].data;
        for (int axis = 0; axis < loop.rank; ++axis) {
            from += place.at[axis] * loop.operands[0].strides[axis];
            to += place.at[axis] * loop.operands[1].strides[axis];
        }
        try {
            use(from, to, place.at[0]);
        } catch (const thread_exit&) {
        }
    }
}

/// Side by side, and in an order that vector instructions have.
template <class T, class F>
inline T fold_lanes(const T* from, long long count, F& f) {
    constexpr int lanes = sizeof(T) >= 16 ? 4 : static_cast<int>(128 / sizeof(T));
    if (count < 2 * lanes) return fold_line<T>(reinterpret_cast<const char*>(from), count, sizeof(T), f);
    T sums[lanes];
    for (int k = 0; k < lanes; ++k) sums[k] = from[k];
    long long i = lanes;
    for (; i + lanes <= count; i += lanes)
        for (int k = 0; k < lanes; ++k) sums[k] = f(sums[k], from[i + k]);
    for (int k = 0; i + k < count; ++k) sums[k] = f(sums[k], from[i + k]);
    return fold_line<T>(reinterpret_cast<const char*>(sums), lanes, sizeof(T), f);
}

template <class T, class F>
inline void for_each_fold_on_cpu(const cpu_block& block, const fold_loop& fold, F f) {
    const fold_axis& axis = fold.axis;
    for_each_line(block, fold, [&](const char* from, char* to, long long line) {
        const long long count = line_length(axis, line);
        const T sum = axis.may_reorder && axis.step == static_cast<long long>(sizeof(T))
                          ? fold_lanes(reinterpret_cast<const T*>(from), count, f)
                          : fold_line<T>(from, count, axis.step, f);
        *reinterpret_cast<T*>(to) = with_identity(axis, sum, f);
    });
}

template <class T, class F>
inline void for_each_scan_on_cpu(const cpu_block& block, const fold_loop& fold, F f) {
    for_each_line(block, fold, [&](const char* from, char* to, long long) {
        scan_line<T>(from, to, fold.axis.length, fold.axis.step, fold.axis.out_step, f);
    });
}

}  // namespace pyk

#endif  // PYK_FOLD_CPU_H
