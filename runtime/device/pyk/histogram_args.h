// What the launches of a histogram say: filled in by the host, read by histogram.h and histogram_cpu.h.
//
// Defines: histogram_args, histogram_stage, histogram_shared_bytes, bin_of, bin_of_value
#ifndef PYK_HISTOGRAM_ARGS_H
#define PYK_HISTOGRAM_ARGS_H

#include "pyk/config.h"
#include "pyk/reduce_args.h"

namespace pyk {

enum class histogram_stage : int {
    count,
    sum,  ///< of what the blocks have, on the CPU: one block
};

struct histogram_args {
    static constexpr int threads = 256, blocks_at_once = 0;
    long long count;  ///< of elements
    long long bins;
    histogram_stage stage;
    int is_aligned;       ///< every input is dense and begins at a multiple of 16 bytes
    int copies;           ///< of the bins in a block's shared memory on a GPU; 0: there is no room for one
    const double* edges;  ///< of equal bins: where each begins, and behind them where the last ends; null: an operator
                          ///< says which bin
    long long chunk;      ///< elements of a block; on a GPU a multiple of 16384
    long long* out;       ///< on the CPU a row of bins for each block, the result first
    long long blocks;
    element_input inputs[most_inputs];
};

inline constexpr int histogram_shared_bytes = 48 * 1024;

/// NumPy's: the last bin has its end too. What lies in no bin, a NaN as well, gives -1.
PYK_DEVICE long long bin_of(const histogram_args& args, double value) {
    const double first = args.edges[0], last = args.edges[args.bins];
    if (!(value >= first && value <= last)) return -1;
    const double at = (value - first) / (last - first) * static_cast<double>(args.bins);
    long long bin = static_cast<long long>(at);
    if (bin >= args.bins) bin = args.bins - 1;
    // By the edges, which are rounded: the quotient is as well.
    if (value < args.edges[bin]) return bin - 1;
    return value >= args.edges[bin + 1] && bin != args.bins - 1 ? bin + 1 : bin;
}

/// By the edges, where there are some: only of numbers. Else what `f` says.
template <class T, class F>
PYK_DEVICE auto bin_of_value(const histogram_args& args, const T& value, F& f, int)
    -> decltype(static_cast<double>(value), 0ll) {
    return args.edges ? bin_of(args, static_cast<double>(value)) : static_cast<long long>(f(value));
}
template <class T, class F>
PYK_DEVICE long long bin_of_value(const histogram_args&, const T& value, F& f, ...) {
    return f(value);
}

}  // namespace pyk

#endif  // PYK_HISTOGRAM_ARGS_H
