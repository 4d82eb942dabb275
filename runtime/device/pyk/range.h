// How many numbers a range has when the sign of its step is known at run time only.
//
// Defines: range_length, range_at, range_has
#ifndef PYK_RANGE_H
#define PYK_RANGE_H

#include "pyk/config.h"
#include "pyk/exit.h"

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

/// `range(start, stop, step)[index]`; an index out of range ends the thread, as in Numba.
template <class T>
PYK_DEVICE T range_at(T start, T stop, T step, long long index) {
    const long long length = static_cast<long long>(range_length(start, stop, step));
    if (index < 0) index += length;
    if (index < 0 || index >= length) exit_thread("IndexError: range object index out of range");
    return static_cast<T>(start + static_cast<T>(index) * step);
}

/// `x in range(start, stop, step)`.
PYK_DEVICE bool range_has(long long start, long long stop, long long step, long long x) {
    if (step == 0) return false;
    if (step > 0 ? x < start || x >= stop : x > start || x <= stop) return false;
    const unsigned long long from = static_cast<unsigned long long>(start);
    const unsigned long long to = static_cast<unsigned long long>(x);
    const unsigned long long by = static_cast<unsigned long long>(step);
    return step > 0 ? (to - from) % by == 0 : (from - to) % (0 - by) == 0;
}

}  // namespace pyk

#endif  // PYK_RANGE_H
