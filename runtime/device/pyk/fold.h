// Reductions and accumulations of array functions of two: each thread goes along one line. Blocks have 256 threads.
//
// Defines: for_each_fold, for_each_scan
#ifndef PYK_FOLD_H
#define PYK_FOLD_H

#include "pyk/config.h"
#include "pyk/elementwise_loop.h"
#include "pyk/elementwise_strided.h"
#include "pyk/fold_line.h"

#ifdef __CUDACC__

namespace pyk {

template <class Use>
PYK_DEVICE void for_each_line(const fold_loop& fold, Use use) {
    const long long i = static_cast<long long>(blockIdx.x) * elementwise_threads + threadIdx.x;
    if (i >= fold.loop.count) return;
    const offsets<2> at = offsets_of<0>(fold.loop, static_cast<unsigned>(i));
    use(fold.loop.operands[0].data + at.of[0], fold.loop.operands[1].data + at.of[1], i % fold.axis.lines);
}

template <class T, class F>
PYK_DEVICE void for_each_fold(const fold_loop& fold, F f) {
    for_each_line(fold, [&](const char* from, char* to, long long line) {
        const T sum = fold_line<T>(from, line_length(fold.axis, line), fold.axis.step, f);
        *reinterpret_cast<T*>(to) = with_identity(fold.axis, sum, f);
    });
}

template <class T, class F>
PYK_DEVICE void for_each_scan(const fold_loop& fold, F f) {
    for_each_line(fold, [&](const char* from, char* to, long long) {
        scan_line<T>(from, to, fold.axis.length, fold.axis.step, fold.axis.out_step, f);
    });
}

}  // namespace pyk

#endif

#endif  // PYK_FOLD_H
