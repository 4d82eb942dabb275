// How many numbers a range has when the sign of its step is known at run time only.
//
// Defines: range_length
#ifndef PYK_RANGE_H
#define PYK_RANGE_H

#include "pyk/config.h"

namespace pyk {

/// len(range(start, stop, step)); 0 for a step of 0.
PYK_DEVICE unsigned long long range_length(long long start, long long stop, long long step) {
    const unsigned long long from = static_cast<unsigned long long>(start);
    const unsigned long long to = static_cast<unsigned long long>(stop);
    const unsigned long long by = static_cast<unsigned long long>(step);
    if (step > 0 && start < stop) return (to - from - 1) / by + 1;
    if (step < 0 && start > stop) return (from - to - 1) / (0 - by) + 1;
    return 0;
}
PYK_DEVICE unsigned int range_length(int start, int stop, int step) {
    const unsigned int from = static_cast<unsigned int>(start);
    const unsigned int to = static_cast<unsigned int>(stop);
    const unsigned int by = static_cast<unsigned int>(step);
    if (step > 0 && start < stop) return (to - from - 1) / by + 1;
    if (step < 0 && start > stop) return (from - to - 1) / (0 - by) + 1;
    return 0;
}
PYK_DEVICE unsigned long long range_length(unsigned long long start, unsigned long long stop, unsigned long long step) {
    return step != 0 && start < stop ? (stop - start - 1) / step + 1 : 0;
}

}  // namespace pyk

#endif  // PYK_RANGE_H
