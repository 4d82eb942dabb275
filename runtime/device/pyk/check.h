// Checked indices: the launch's first index out of range is reported, and its thread ends.
//
// Defines: site, checked
#ifndef PYK_CHECK_H
#define PYK_CHECK_H

#include "pyk/config.h"
#include "pyk/exit.h"
#include "pyk/report.h"

namespace pyk {

/// Where an index is written: `{"a", 0, 12}` for the first index of `a[…]` in line 12.
struct site {
    const char* array;
    int axis;
    int line;
    const char* file = "";  ///< where it is not the kernel's
};

PYK_DEVICE void fill(check_report& report, const site& where, long long index, long long extent) {
    report.line = where.line;
    report.axis = where.axis;
    report.index = index;
    report.extent = extent;
    copy_text(report.array, where.array);
    copy_text(report.file, where.file);
}

/// The index as one that is not negative, or less than 0 or at least `extent` when it is out of range.
template <class I>
PYK_DEVICE long long from_start(I index, long long extent) {
    const long long i = static_cast<long long>(index);
    return I(-1) < I(0) && i < 0 ? i + extent : i;
}

}  // namespace pyk

#ifdef __CUDACC__

namespace pyk {

/// The index as one that is not negative. Negative ones count from the end.
template <class I>
PYK_DEVICE long long checked(I index, long long extent, site where) {
    const long long i = from_start(index, extent);
    if (static_cast<unsigned long long>(i) >= static_cast<unsigned long long>(extent)) {
        if (claim_report()) fill(pyk_check_report, where, static_cast<long long>(index), extent);
        exit_thread();
    }
    return i;
}

}  // namespace pyk

#else

namespace pyk {

/// The index as one that is not negative. Negative ones count from the end.
template <class I>
inline long long checked(const thread& t, I index, long long extent, site where) {
    const long long i = from_start(index, extent);
    if (static_cast<unsigned long long>(i) >= static_cast<unsigned long long>(extent)) {
        check_report report = new_report(t);
        fill(report, where, static_cast<long long>(index), extent);
        keep_report(t, report);
        exit_thread();
    }
    return i;
}

}  // namespace pyk

#endif

#endif  // PYK_CHECK_H
