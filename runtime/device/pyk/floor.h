// Python's // and %: rounded towards minus infinity, so that the remainder has the divisor's sign. As in Numba nothing
// traps: for integers x // 0 and x % 0 are 0, and so are those of the least integer and -1.
//
// Defines: floor_div, mod
#ifndef PYK_FLOOR_H
#define PYK_FLOOR_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/config.h"

namespace pyk {

/// Whether the hardware's division would be undefined.
PYK_DEVICE bool divides_badly(long long a, long long b) {
    return b == 0 || (b == -1 && a == -9223372036854775807LL - 1);
}
PYK_DEVICE bool divides_badly(int a, int b) { return b == 0 || (b == -1 && a == -2147483647 - 1); }

template <class T>
PYK_DEVICE T signed_floor_div(T a, T b) {
    if (divides_badly(a, b)) return 0;
    const T quotient = a / b;
    return a % b != 0 && (a ^ b) < 0 ? quotient - 1 : quotient;
}
template <class T>
PYK_DEVICE T signed_mod(T a, T b) {
    if (divides_badly(a, b)) return 0;
    const T remainder = a % b;
    return remainder != 0 && (remainder ^ b) < 0 ? remainder + b : remainder;
}

PYK_DEVICE long long floor_div(long long a, long long b) { return signed_floor_div(a, b); }
PYK_DEVICE long long mod(long long a, long long b) { return signed_mod(a, b); }
PYK_DEVICE int floor_div(int a, int b) { return signed_floor_div(a, b); }
PYK_DEVICE int mod(int a, int b) { return signed_mod(a, b); }

PYK_DEVICE unsigned long long floor_div(unsigned long long a, unsigned long long b) { return b == 0 ? 0 : a / b; }
PYK_DEVICE unsigned long long mod(unsigned long long a, unsigned long long b) { return b == 0 ? 0 : a % b; }
PYK_DEVICE unsigned int floor_div(unsigned int a, unsigned int b) { return b == 0 ? 0 : a / b; }
PYK_DEVICE unsigned int mod(unsigned int a, unsigned int b) { return b == 0 ? 0 : a % b; }

PYK_DEVICE float trunc_mod(float a, float b) { return ::fmodf(a, b); }
PYK_DEVICE double trunc_mod(double a, double b) { return ::fmod(a, b); }
PYK_DEVICE float round_down(float x) { return ::floorf(x); }
PYK_DEVICE double round_down(double x) { return ::floor(x); }

/// CPython's float_divmod.
template <class T>
PYK_DEVICE T float_floor_div(T a, T b) {
    if (b == 0) return a / b;
    const T remainder = trunc_mod(a, b);
    T quotient = (a - remainder) / b;
    if (remainder != 0 && (b < 0) != (remainder < 0)) quotient -= 1;
    if (!(quotient < 0 || quotient > 0)) return quotient * quotient * a / b;  // a zero with the sign of a / b
    const T below = round_down(quotient);
    return quotient - below > T(0.5) ? below + 1 : below;
}
template <class T>
PYK_DEVICE T float_mod(T a, T b) {
    const T remainder = trunc_mod(a, b);
    if (b == 0) return remainder;
    if (remainder == 0) return b < 0 ? T(-0.0) : T(0.0);
    return (b < 0) != (remainder < 0) ? remainder + b : remainder;
}

PYK_DEVICE float floor_div(float a, float b) { return float_floor_div(a, b); }
PYK_DEVICE double floor_div(double a, double b) { return float_floor_div(a, b); }
PYK_DEVICE float mod(float a, float b) { return float_mod(a, b); }
PYK_DEVICE double mod(double a, double b) { return float_mod(a, b); }

}  // namespace pyk

#endif  // PYK_FLOOR_H
