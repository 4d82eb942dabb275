// Loops over ranges whose step is positive, but known at run time only.
//
// Defines: range
#ifndef PYK_COUNTED_H
#define PYK_COUNTED_H

#include "pyk/config.h"

namespace pyk {

template <class T>
struct unsigned_of;
template <>
struct unsigned_of<int> {
    using type = unsigned int;
};
template <>
struct unsigned_of<long long> {
    using type = unsigned long long;
};
template <>
struct unsigned_of<unsigned long long> {
    using type = unsigned long long;
};

/// The numbers of a range, counted beforehand: a loop with a known count is one that nvcc unrolls.
template <class T>
struct counted_range {
    using Count = typename unsigned_of<T>::type;

    struct iterator {
        T value;
        Count step, left;

        PYK_DEVICE T operator*() const { return value; }
        PYK_DEVICE void operator++() {
            value = static_cast<T>(static_cast<Count>(value) + step);
            --left;
        }
        PYK_DEVICE bool operator!=(const iterator&) const { return left != 0; }
    };

    T start;
    Count step, count;

    PYK_DEVICE iterator begin() const { return {start, step, count}; }
    PYK_DEVICE iterator end() const { return {start, step, 0}; }
};

/// `for (i : range(start, stop, step))` with step > 0, as in Python.
template <class T>
PYK_DEVICE counted_range<T> range(T start, T stop, T step) {
    using Count = typename counted_range<T>::Count;
    const Count by = static_cast<Count>(step);
    const Count count = start < stop ? (static_cast<Count>(stop) - static_cast<Count>(start) - 1) / by + 1 : 0;
    return {start, by, count};
}

}  // namespace pyk

#endif  // PYK_COUNTED_H
