// Histograms on the CPU: each block counts in a row of its own, then the rows are added.
//
// Defines: run_histogram_on_cpu
#ifndef PYK_HISTOGRAM_CPU_H
#define PYK_HISTOGRAM_CPU_H

#include "pyk/config.h"
#include "pyk/cpu.h"
#include "pyk/element_load_cpu.h"
#include "pyk/exit.h"
#include "pyk/histogram_args.h"

namespace pyk {

/// `f`: the bin of a value; `load`: the value of an element.
template <class T, class... In, class F, class Load>
inline void run_histogram_on_cpu(const cpu_block& block, const histogram_args& args, F f, Load load) {
    if (args.stage == histogram_stage::sum) {
        for (long long row = 1; row < args.blocks; ++row)
            for (long long bin = 0; bin < args.bins; ++bin) args.out[bin] += args.out[row * args.bins + bin];
        return;
    }
    const long long index = block.blockIdx.x, first = index * args.chunk;
    const long long end = first + args.chunk < args.count ? first + args.chunk : args.count;
    long long* const bins = args.out + index * args.bins;
    for (long long i = first; i < end; ++i) {
        try {
            const T value = load_on_cpu<false, T, In...>(args.inputs, i, load);
            const long long bin = bin_of_value(args, value, f, 0);
            if (bin >= 0 && bin < args.bins) ++bins[bin];
        } catch (const thread_exit&) {
        }
    }
}

}  // namespace pyk

#endif  // PYK_HISTOGRAM_CPU_H
