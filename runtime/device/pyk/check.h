// Checked indices: the launch's first index out of range is reported, and its thread ends.
//
// Defines: site, checked, check_report
#ifndef PYK_CHECK_H
#define PYK_CHECK_H

#include "pyk/config.h"
#include "pyk/exit.h"

namespace pyk {

/// Where an index is written: `{"a", 0, 12}` for the first index of `a[…]` in line 12.
struct site {
    const char* array;
    int axis;
    int line;
};

/// What the host reads after a launch, the same on all targets.
struct check_report {
    unsigned int filled;  ///< 0: nothing was found
    int line;
    int axis;
    int block[3];
    int thread[3];
    char array[68];  ///< the array's name, cut where it is longer, ended by a zero
    long long index;
    long long extent;
};

PYK_DEVICE void fill(check_report& report, const site& where, long long index, long long extent) {
    report.line = where.line;
    report.axis = where.axis;
    report.index = index;
    report.extent = extent;
    int length = 0;
    for (; where.array[length] != 0 && length < int(sizeof(report.array)) - 1; ++length)
        report.array[length] = where.array[length];
    report.array[length] = 0;
}

/// The index as one that is not negative, or less than 0 or at least `extent` when it is out of range.
template <class I>
PYK_DEVICE long long from_start(I index, long long extent) {
    const long long i = static_cast<long long>(index);
    return I(-1) < I(0) && i < 0 ? i + extent : i;
}

}  // namespace pyk

#ifdef __CUDACC__

/// In the module's global memory; the host finds it by this name.
extern "C" {
__device__ pyk::check_report pyk_check_report;
}

namespace pyk {

PYK_DEVICE void report_once(const site& where, long long index, long long extent) {
    if (atomicCAS(&pyk_check_report.filled, 0u, 1u) != 0) return;
    fill(pyk_check_report, where, index, extent);
    pyk_check_report.block[0] = static_cast<int>(blockIdx.x);
    pyk_check_report.block[1] = static_cast<int>(blockIdx.y);
    pyk_check_report.block[2] = static_cast<int>(blockIdx.z);
    pyk_check_report.thread[0] = static_cast<int>(threadIdx.x);
    pyk_check_report.thread[1] = static_cast<int>(threadIdx.y);
    pyk_check_report.thread[2] = static_cast<int>(threadIdx.z);
}

/// The index as one that is not negative. Negative ones count from the end.
template <class I>
PYK_DEVICE long long checked(I index, long long extent, site where) {
    const long long i = from_start(index, extent);
    if (static_cast<unsigned long long>(i) >= static_cast<unsigned long long>(extent)) {
        report_once(where, static_cast<long long>(index), extent);
        exit_thread();
    }
    return i;
}

}  // namespace pyk

#else

#include "pyk/cpu.h"

namespace pyk {

[[noreturn]] inline void report_and_exit(const thread& t, const site& where, long long index, long long extent) {
    check_report report{};
    fill(report, where, index, extent);
    report.filled = 1;
    report.block[0] = t.blockIdx.x;
    report.block[1] = t.blockIdx.y;
    report.block[2] = t.blockIdx.z;
    report.thread[0] = t.threadIdx.x;
    report.thread[1] = t.threadIdx.y;
    report.thread[2] = t.threadIdx.z;
    t.block->report(t.block, &report);
    exit_thread();
}

/// The index as one that is not negative. Negative ones count from the end.
template <class I>
inline long long checked(const thread& t, I index, long long extent, site where) {
    const long long i = from_start(index, extent);
    if (static_cast<unsigned long long>(i) >= static_cast<unsigned long long>(extent))
        report_and_exit(t, where, static_cast<long long>(index), extent);
    return i;
}

}  // namespace pyk

#endif

#endif  // PYK_CHECK_H
