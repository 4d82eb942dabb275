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

/// What a bit of the exponent multiplies by.
template <class T>
PYK_DEVICE T factor(T base, bool bit) {
#ifdef __CUDACC__
    return bit ? base : T(1);
#else
    const T factors[] = {T(1), base};  // bits are hard to predict, and g++ would branch
    return factors[bit];
#endif
}

/// By repeated multiplication, in the order in which Numba multiplies.
template <class T, class Exponent>
PYK_DEVICE T power(T base, Exponent exponent) {
    T result = 1;
#ifndef __CUDACC__
    // g++ unrolls the loop of a constant exponent only after it has vectorised.
    if (__builtin_constant_p(exponent) && exponent < 32) {
        if (exponent & 1) result *= base;
        if ((exponent >>= 1) != 0) base *= base;
        if (exponent & 1) result *= base;
        if ((exponent >>= 1) != 0) base *= base;
        if (exponent & 1) result *= base;
        if ((exponent >>= 1) != 0) base *= base;
        if (exponent & 1) result *= base;
        if ((exponent >>= 1) != 0) base *= base;
        return exponent & 1 ? result * base : result;
    }
#endif
    for (; exponent != 0; exponent >>= 1) {
        result *= factor(base, exponent & 1);
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

#ifdef __CUDACC__

PYK_DEVICE float pow(float base, float exponent) { return ::powf(base, exponent); }
PYK_DEVICE double pow(double base, double exponent) { return ::pow(base, exponent); }

#else

/// base ** 0.5, which is not sqrt at -0.0 and at -inf, in a form that vectorises.
inline float root(float base) {
    return base == -__builtin_inff() ? __builtin_inff() : __builtin_fabsf(__builtin_sqrtf(base));
}
inline double root(double base) {
    return base == -__builtin_inf() ? __builtin_inf() : __builtin_fabs(__builtin_sqrt(base));
}

inline float pow(float base, float exponent) {
    if (__builtin_constant_p(exponent) && exponent == 0.5F) return root(base);
    return ::powf(base, exponent);
}
inline double pow(double base, double exponent) {
    if (__builtin_constant_p(exponent) && exponent == 0.5) return root(base);
    return ::pow(base, exponent);
}

#endif

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
