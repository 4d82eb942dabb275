// NumPy's arithmetic: each function computes in the type of its arguments, and wraps in it.
//
// Defines: np_add, np_subtract, np_multiply, np_negative, np_invert, np_left_shift, np_right_shift, np_gcd, np_lcm,
// np_bitwise_and, np_bitwise_or, np_bitwise_xor, np_divide, np_square
#ifndef PYK_NUMPY_INTEGER_H
#define PYK_NUMPY_INTEGER_H

#include "pyk/config.h"

namespace pyk {

/// Arithmetic modulo 2**64, cut to the type: C++ would compute narrow integers as int.
template <class T>
PYK_DEVICE unsigned long long bits_of(T x) {
    return static_cast<unsigned long long>(x);
}

template <class T>
PYK_DEVICE T np_add(T a, T b) {
    return static_cast<T>(bits_of(a) + bits_of(b));
}
PYK_DEVICE bool np_add(bool a, bool b) { return a || b; }
PYK_DEVICE float np_add(float a, float b) { return a + b; }
PYK_DEVICE double np_add(double a, double b) { return a + b; }

template <class T>
PYK_DEVICE T np_subtract(T a, T b) {
    return static_cast<T>(bits_of(a) - bits_of(b));
}
PYK_DEVICE float np_subtract(float a, float b) { return a - b; }
PYK_DEVICE double np_subtract(double a, double b) { return a - b; }

template <class T>
PYK_DEVICE T np_multiply(T a, T b) {
    return static_cast<T>(bits_of(a) * bits_of(b));
}
PYK_DEVICE bool np_multiply(bool a, bool b) { return a && b; }
PYK_DEVICE float np_multiply(float a, float b) { return a * b; }
PYK_DEVICE double np_multiply(double a, double b) { return a * b; }

template <class T>
PYK_DEVICE T np_negative(T a) {
    return static_cast<T>(0 - bits_of(a));
}
PYK_DEVICE float np_negative(float a) { return -a; }
PYK_DEVICE double np_negative(double a) { return -a; }

PYK_DEVICE float np_divide(float a, float b) { return a / b; }
PYK_DEVICE double np_divide(double a, double b) { return a / b; }

template <class T>
PYK_DEVICE T np_square(T a) {
    return np_multiply(a, a);
}

template <class T>
PYK_DEVICE T np_bitwise_and(T a, T b) {
    return static_cast<T>(a & b);
}
template <class T>
PYK_DEVICE T np_bitwise_or(T a, T b) {
    return static_cast<T>(a | b);
}
template <class T>
PYK_DEVICE T np_bitwise_xor(T a, T b) {
    return static_cast<T>(a ^ b);
}
template <class T>
PYK_DEVICE T np_invert(T a) {
    return static_cast<T>(~bits_of(a));
}
PYK_DEVICE bool np_invert(bool a) { return !a; }

/// Shifted by as many bits as the type has, or more, nothing is left but the sign of a number shifted to the right.
template <class T>
PYK_DEVICE bool shifts_out(T amount) {
    return bits_of(amount) >= 8 * sizeof(T);
}
template <class T>
PYK_DEVICE T np_left_shift(T a, T amount) {
    return shifts_out(amount) ? T(0) : static_cast<T>(bits_of(a) << bits_of(amount));
}
template <class T>
PYK_DEVICE T np_right_shift(T a, T amount) {
    if (shifts_out(amount)) return a < T(1) && a != 0 ? static_cast<T>(-1) : T(0);
    return static_cast<T>(a >> amount);
}

template <class T>
PYK_DEVICE unsigned long long magnitude(T a) {
    return a < T(1) ? 0 - bits_of(a) : bits_of(a);
}
template <class T>
PYK_DEVICE T np_gcd(T a, T b) {
    unsigned long long x = magnitude(a);
    unsigned long long y = magnitude(b);
    while (y != 0) {
        const unsigned long long rest = x % y;
        x = y;
        y = rest;
    }
    return static_cast<T>(x);
}
template <class T>
PYK_DEVICE T np_lcm(T a, T b) {
    if (a == 0) return 0;
    return static_cast<T>(magnitude(a) * (magnitude(b) / magnitude(np_gcd(a, b))));
}

}  // namespace pyk

#endif  // PYK_NUMPY_INTEGER_H
