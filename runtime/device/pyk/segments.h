// Segmented reductions on GPUs: a team of threads per segment, a part of a warp or a block. A thread goes through every
// n-th element, n being the team's threads, which are folded in halves.
//
// Defines: run_segments
#ifndef PYK_SEGMENTS_H
#define PYK_SEGMENTS_H

#include "pyk/config.h"
#include "pyk/element_load.h"
#include "pyk/reduce.h"
#include "pyk/segments_args.h"

#ifdef __CUDACC__

namespace pyk {

/// What one thread of a team comes to. Precondition: it has an element.
template <class T, class... In, class F, class Load>
PYK_DEVICE T fold_strided(const segments_args& args, long long first, long long end, int step, F& f, Load& load) {
    T sum = load_value<T, In...>(args.inputs, first, load);
    long long i = first + step;
    // Several loads before the first of them is used.
    for (; i + 3ll * step < end; i += 4ll * step) {
        T next[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) next[k] = load_value<T, In...>(args.inputs, i + k * step, load);
#pragma unroll
        for (int k = 0; k < 4; ++k) sum = f(sum, next[k]);
    }
    for (; i < end; i += step) sum = f(sum, load_value<T, In...>(args.inputs, i, load));
    return sum;
}

/// `f`: of two values; `load`: a value of an element of each input.
template <class T, class... In, class F, class Load>
PYK_DEVICE void run_segments(const segments_args& args, F f, Load load) {
    const int team = args.team;
    const int member = static_cast<int>(threadIdx.x) % team;
    const long long index = static_cast<long long>(blockIdx.x) * (reduce_threads / team) + threadIdx.x / team;
    const bool is_there = index < args.segments;
    const segment part = is_there ? segment_of(args, index) : segment{0, 0};
    const long long length = part.end - part.begin;
    const int members = length < team ? static_cast<int>(length < 0 ? 0 : length) : team;
    const T init = *reinterpret_cast<const T*>(args.init);
    T sum = init;
    if (member < members) sum = fold_strided<T, In...>(args, part.begin + member, part.end, team, f, load);
    if (team > 32) {
        sum = fold_block(sum, members, f);
    } else {
        for (int half = team / 2; half > 0; half /= 2) {
            const T other = shuffled_down(sum, half);
            if (member < half && member + half < members) sum = f(sum, other);
        }
    }
    if (is_there && member == 0) reinterpret_cast<T*>(args.out)[index] = members ? f(init, sum) : init;
}

}  // namespace pyk

#endif

#endif  // PYK_SEGMENTS_H
