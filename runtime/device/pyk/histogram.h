// Histograms on GPUs: blocks of 256 threads count in shared memory where the bins fit, in copies so that threads meet
// less often, and add that to the result. A thread goes through elements side by side and counts runs of one bin at
// once: data of few values costs no more than others.
//
// Defines: run_histogram
#ifndef PYK_HISTOGRAM_H
#define PYK_HISTOGRAM_H

#include "pyk/config.h"
#include "pyk/element_load.h"
#include "pyk/histogram_args.h"

#ifdef __CUDACC__

namespace pyk {

template <class Count>
struct bin_counter {
    Count* bins;
    long long size;
    long long bin = -1;
    Count run = 0;

    PYK_DEVICE void add(long long next) {
        if (next == bin) {
            ++run;
            return;
        }
        flush();
        bin = next;
        run = 1;
    }
    PYK_DEVICE void flush() {
        if (bin >= 0 && bin < size && run) atomicAdd(bins + bin, run);
    }
};

template <class T, class... In, class Count, class F, class Load>
PYK_DEVICE void count_bins(const histogram_args& args, Count* bins, F& f, Load& load) {
    constexpr int width = lanes_of<In...>(), rounds = 4, lanes = 256 * width;
    const long long begin = blockIdx.x * args.chunk;
    const long long end = begin + args.chunk < args.count ? begin + args.chunk : args.count;
    bin_counter<Count> counter{bins, args.bins};
    const auto count = [&](const T& value) { counter.add(bin_of_value(args, value, f, 0)); };
    for (long long first = begin + threadIdx.x * width; first < end; first += lanes * rounds) {
        if (args.is_aligned && first + lanes * (rounds - 1) + width <= end) {
            T values[rounds][width];
#pragma unroll
            for (int round = 0; round < rounds; ++round)
                load_values<T, width, In...>(args.inputs, first + round * lanes, load, values[round]);
#pragma unroll
            for (int round = 0; round < rounds; ++round)
#pragma unroll
                for (int k = 0; k < width; ++k) count(values[round][k]);
        } else {
            for (int round = 0; round < rounds; ++round)
                for (int k = 0; k < width; ++k) {
                    const long long at = first + round * lanes + k;
                    if (at < end) count(load_value<T, In...>(args.inputs, at, load));
                }
        }
    }
    counter.flush();
}

/// `f`: the bin of a value; `load`: the value of an element.
template <class T, class... In, class F, class Load>
PYK_DEVICE void run_histogram(const histogram_args& args, F f, Load load) {
    extern __shared__ unsigned shared_bins[];
    auto* const out = reinterpret_cast<unsigned long long*>(args.out);
    if (args.copies == 0) return count_bins<T, In...>(args, out, f, load);
    const int all = args.copies * static_cast<int>(args.bins);
    for (int i = static_cast<int>(threadIdx.x); i < all; i += 256) shared_bins[i] = 0;
    __syncthreads();
    const int copy = static_cast<int>(threadIdx.x) / 32 % args.copies;
    count_bins<T, In...>(args, shared_bins + copy * args.bins, f, load);
    __syncthreads();
    for (int bin = static_cast<int>(threadIdx.x); bin < args.bins; bin += 256) {
        unsigned long long sum = 0;
        for (int i = 0; i < args.copies; ++i) sum += shared_bins[i * args.bins + bin];
        if (sum) atomicAdd(out + bin, sum);
    }
}

}  // namespace pyk

#endif

#endif  // PYK_HISTOGRAM_H
