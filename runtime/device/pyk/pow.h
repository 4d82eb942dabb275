// Python's ** with Numba's values.
//
// Defines: pow, square
#ifndef PYK_POW_H
#define PYK_POW_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/config.h"

namespace pyk {

template <class T>
PYK_DEVICE T square(T x) {
    return x * x;
}

/// By repeated multiplication, in the order in which Numba multiplies.
template <class T, class Exponent>
PYK_DEVICE T power(T base, Exponent exponent) {
    T result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) result *= base;
        base *= base;
    }
    return result;
}

/// Modulo 2**64, or 2**32. A negative exponent gives 0, but for the bases 1, -1 and 0: 1, the sign by parity, and the
/// least integer.
PYK_DEVICE long long pow(long long base, long long exponent) {
    if (exponent >= 0)
        return static_cast<long long>(
            power(static_cast<unsigned long long>(base), static_cast<unsigned long long>(exponent)));
    if (base == 0) return -9223372036854775807LL - 1;
    if (base == 1 || (base == -1 && exponent % 2 == 0)) return 1;
    return base == -1 ? -1 : 0;
}
PYK_DEVICE long long pow(long long base, unsigned long long exponent) {
    return static_cast<long long>(power(static_cast<unsigned long long>(base), exponent));
}
PYK_DEVICE unsigned long long pow(unsigned long long base, unsigned long long exponent) {
    return power(base, exponent);
}
PYK_DEVICE int pow(int base, int exponent) {
    if (exponent >= 0)
        return static_cast<int>(power(static_cast<unsigned int>(base), static_cast<unsigned int>(exponent)));
    if (base == 0) return -2147483647 - 1;
    if (base == 1 || (base == -1 && exponent % 2 == 0)) return 1;
    return base == -1 ? -1 : 0;
}
PYK_DEVICE unsigned int pow(unsigned int base, unsigned int exponent) { return power(base, exponent); }

PYK_DEVICE float pow(float base, float exponent) { return ::powf(base, exponent); }
PYK_DEVICE double pow(double base, double exponent) { return ::pow(base, exponent); }

/// Integer exponents beyond 65536 go the way of floating ones.
template <class T>
PYK_DEVICE T float_pow(T base, unsigned long long exponent, bool negative) {
    if (exponent > 65536) {
        const double e = static_cast<double>(exponent);
        return static_cast<T>(::pow(static_cast<double>(base), negative ? -e : e));
    }
    const T result = power(base, exponent);
    return negative ? 1 / result : result;
}
template <class T>
PYK_DEVICE T float_pow(T base, long long exponent) {
    const unsigned long long e = static_cast<unsigned long long>(exponent);
    return float_pow(base, exponent < 0 ? 0 - e : e, exponent < 0);
}
PYK_DEVICE float pow(float base, int exponent) { return float_pow(base, exponent); }
PYK_DEVICE double pow(double base, int exponent) { return float_pow(base, exponent); }
PYK_DEVICE float pow(float base, long long exponent) { return float_pow(base, exponent); }
PYK_DEVICE double pow(double base, long long exponent) { return float_pow(base, exponent); }
PYK_DEVICE float pow(float base, unsigned long long exponent) { return float_pow(base, exponent, false); }
PYK_DEVICE double pow(double base, unsigned long long exponent) { return float_pow(base, exponent, false); }

}  // namespace pyk

#endif  // PYK_POW_H
