// What a launch found: its first error, with the thread that met it, and how many threads met one.
//
// Defines: check_report, copy_text, claim_report, new_report, keep_report
#ifndef PYK_REPORT_H
#define PYK_REPORT_H

#include "pyk/config.h"

namespace pyk {

/// What the host reads after a launch, the same on all targets.
struct check_report {
    unsigned long long threads;  ///< that ended so; 0: nothing was found, or what takes the place of what was
    int line;
    int axis;
    int block[3];
    int thread[3];
    char array[68];  ///< of an index out of range: the array's name, cut where it is longer, ended by a zero
    long long index;
    long long extent;
    char error[256];  ///< what was raised, `ValueError: too far`; empty: an index out of range
    char file[64];    ///< that the line is in, where it is not the kernel's
};

template <int N>
PYK_DEVICE void copy_text(char (&to)[N], const char* from) {
    int length = 0;
    for (; from[length] != 0 && length < N - 1; ++length) to[length] = from[length];
    to[length] = 0;
}

}  // namespace pyk

#ifdef __CUDACC__

/// In the module's global memory; the host finds it by this name. Files that are linked into one program have one.
extern "C" {
#ifdef __CUDACC_RDC__
inline __attribute__((used))
#endif
__device__ pyk::check_report pyk_check_report;
}

namespace pyk {

/// Counts this thread. Whether it is the first that reports: then it may fill the report in.
PYK_DEVICE bool claim_report() {
    if (atomicAdd(&pyk_check_report.threads, 1ull) != 0) return false;
    pyk_check_report.block[0] = static_cast<int>(blockIdx.x);
    pyk_check_report.block[1] = static_cast<int>(blockIdx.y);
    pyk_check_report.block[2] = static_cast<int>(blockIdx.z);
    pyk_check_report.thread[0] = static_cast<int>(threadIdx.x);
    pyk_check_report.thread[1] = static_cast<int>(threadIdx.y);
    pyk_check_report.thread[2] = static_cast<int>(threadIdx.z);
    return true;
}

}  // namespace pyk

#else

#include "pyk/cpu.h"

namespace pyk {

inline check_report new_report(const thread& t) {
    check_report report{};
    report.threads = 1;
    report.block[0] = t.blockIdx.x;
    report.block[1] = t.blockIdx.y;
    report.block[2] = t.blockIdx.z;
    report.thread[0] = t.threadIdx.x;
    report.thread[1] = t.threadIdx.y;
    report.thread[2] = t.threadIdx.z;
    return report;
}

/// Unless a handler is around what it is about.
inline void keep_report(const thread& t, check_report report) {
    if (t.finals > 0) report.threads = 0;
    if (t.handlers == 0) t.block->report(t.block, &report);
}

}  // namespace pyk

#endif

#endif  // PYK_REPORT_H
