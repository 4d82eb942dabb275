// NumPy's comparisons and extrema. An int64 and a uint64 compare by value; `maximum` and `minimum` give the NaN among
// their arguments, `fmax` and `fmin` the other one.
//
// Defines: np_less, np_less_equal, np_greater, np_greater_equal, np_equal, np_not_equal, np_maximum, np_minimum,
// np_fmax, np_fmin, np_sign
#ifndef PYK_NUMPY_COMPARE_H
#define PYK_NUMPY_COMPARE_H

#include "pyk/config.h"

namespace pyk {

template <class T>
PYK_DEVICE bool np_less(T a, T b) {
    return a < b;
}
PYK_DEVICE bool np_less(long long a, unsigned long long b) { return a < 0 || static_cast<unsigned long long>(a) < b; }
PYK_DEVICE bool np_less(unsigned long long a, long long b) { return b > 0 && a < static_cast<unsigned long long>(b); }

template <class T>
PYK_DEVICE bool np_equal(T a, T b) {
    return a == b;
}
PYK_DEVICE bool np_equal(long long a, unsigned long long b) {
    return a >= 0 && static_cast<unsigned long long>(a) == b;
}
PYK_DEVICE bool np_equal(unsigned long long a, long long b) { return np_equal(b, a); }

template <class T>
PYK_DEVICE bool np_less_equal(T a, T b) {
    return a <= b;
}
PYK_DEVICE bool np_less_equal(long long a, unsigned long long b) { return !np_less(b, a); }
PYK_DEVICE bool np_less_equal(unsigned long long a, long long b) { return !np_less(b, a); }

template <class A, class B>
PYK_DEVICE bool np_greater(A a, B b) {
    return np_less(b, a);
}
template <class A, class B>
PYK_DEVICE bool np_greater_equal(A a, B b) {
    return np_less_equal(b, a);
}
template <class A, class B>
PYK_DEVICE bool np_not_equal(A a, B b) {
    return !np_equal(a, b);
}

template <class T>
PYK_DEVICE T np_maximum(T a, T b) {
    return a >= b || a != a ? a : b;
}
template <class T>
PYK_DEVICE T np_minimum(T a, T b) {
    return a <= b || a != a ? a : b;
}
template <class T>
PYK_DEVICE T np_fmax(T a, T b) {
    return a >= b || b != b ? a : b;
}
template <class T>
PYK_DEVICE T np_fmin(T a, T b) {
    return a <= b || b != b ? a : b;
}

/// -1 or 1; a zero and a NaN stay.
template <class T>
PYK_DEVICE T np_sign(T x) {
    return x > 0 ? T(1) : x != 0 && x < T(1) ? static_cast<T>(-1) : x;
}

}  // namespace pyk

#endif  // PYK_NUMPY_COMPARE_H
