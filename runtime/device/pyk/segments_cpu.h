// Segmented reductions on the CPU: a block goes through some of the segments, each from left to right.
//
// Defines: run_segments_on_cpu
#ifndef PYK_SEGMENTS_CPU_H
#define PYK_SEGMENTS_CPU_H

#include "pyk/config.h"
#include "pyk/cpu.h"
#include "pyk/element_load_cpu.h"
#include "pyk/exit.h"
#include "pyk/segments_args.h"

namespace pyk {

/// `f`: of two values; `load`: a value of an element of each input.
template <class T, class... In, class F, class Load>
inline void run_segments_on_cpu(const cpu_block& block, const segments_args& args, F f, Load load) {
    const long long first = block.blockIdx.x * segments_of_chunk;
    const long long end = first + segments_of_chunk < args.segments ? first + segments_of_chunk : args.segments;
    for (long long index = first; index < end; ++index) {
        const segment part = segment_of(args, index);
        try {
            T sum = *reinterpret_cast<const T*>(args.init);
            if (part.begin < part.end) {
                T total = load_on_cpu<false, T, In...>(args.inputs, part.begin, load);
                for (long long i = part.begin + 1; i < part.end; ++i)
                    total = f(total, load_on_cpu<false, T, In...>(args.inputs, i, load));
                sum = f(sum, total);
            }
            reinterpret_cast<T*>(args.out)[index] = sum;
        } catch (const thread_exit&) {
        }
    }
}

}  // namespace pyk

#endif  // PYK_SEGMENTS_CPU_H
