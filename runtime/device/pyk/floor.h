// Python's // and %: rounded towards minus infinity, so that the remainder has the divisor's sign. As in Numba nothing
// traps: for integers x // 0 and x % 0 are 0, and so are those of the least integer and -1.
//
// Defines: floor_div, mod, positive_div, positive_mod
#ifndef PYK_FLOOR_H
#define PYK_FLOOR_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/config.h"

namespace pyk {

/// floor(a / b) by one unsigned division and without a branch, so that a quotient and its remainder share the division.
/// Where the quotient is negative it is ~((n - 1) / |b|), of n / |b| without its sign. Precondition: b is not zero, or
/// a is.
template <class U, class T>
PYK_DEVICE T floor_quotient(T a, T b) {
    constexpr int sign = 8 * int(sizeof(T)) - 1;
    const T flip = b >> sign;  // -1: b is negative, and both change their signs
    const T over = static_cast<T>(static_cast<U>(a ^ flip) - static_cast<U>(flip));
    const T down = (over & ~(a & flip)) >> sign;  // -1: the quotient is negative; the least number keeps its sign
    const U by = b == 0 ? 1 : b < 0 ? U(0) - static_cast<U>(b) : static_cast<U>(b);
    return static_cast<T>(static_cast<U>(over ^ down) / by) ^ down;
}

template <class U, class T>
PYK_DEVICE T signed_floor_div(T a, T b) {
    const T number = b == 0 ? 0 : a, quotient = floor_quotient<U>(number, b);
    return (quotient & ~(number ^ b)) < 0 ? 0 : quotient;  // of equal signs, but negative: it is too great
}
template <class U, class T>
PYK_DEVICE T signed_mod(T a, T b) {
    const T number = b == 0 ? 0 : a;
    return static_cast<T>(static_cast<U>(number) - static_cast<U>(floor_quotient<U>(number, b)) * static_cast<U>(b));
}
template <class U>
PYK_DEVICE U unsigned_floor_div(U a, U b) {
    return (b == 0 ? 0 : a) / (b == 0 ? 1 : b);
}
template <class U>
PYK_DEVICE U unsigned_mod(U a, U b) {
    return (b == 0 ? 0 : a) % (b == 0 ? 1 : b);
}

#ifdef __CUDACC__
PYK_DEVICE long long floor_div(long long a, long long b) { return signed_floor_div<unsigned long long>(a, b); }
PYK_DEVICE long long mod(long long a, long long b) { return signed_mod<unsigned long long>(a, b); }
#else
/// Numbers that fit 32 bits, as most do, are divided in two thirds of the time.
inline unsigned long long quotient_of(unsigned long long a, unsigned long long b) {
    return ((a | b) >> 32) == 0 ? static_cast<unsigned>(a) / static_cast<unsigned>(b) : a / b;
}
inline unsigned long long remainder_of(unsigned long long a, unsigned long long b) {
    return ((a | b) >> 32) == 0 ? static_cast<unsigned>(a) % static_cast<unsigned>(b) : a % b;
}
/// Calls, since compilers take one that depends on nothing but its arguments out of a loop that leaves these alone, and
/// no branch. Of a negative number it is ~a that is divided, as its sign is hard to predict.
__attribute__((const, noinline, unused)) static long long called_floor_div(long long a, long long b) {
    if (b <= 0) return signed_floor_div<unsigned long long>(a, b);
    const long long sign = a >> 63;
    return static_cast<long long>(
               quotient_of(static_cast<unsigned long long>(a ^ sign), static_cast<unsigned long long>(b))) ^
           sign;
}
__attribute__((const, noinline, unused)) static long long called_mod(long long a, long long b) {
    if (b <= 0) return signed_mod<unsigned long long>(a, b);
    const long long sign = a >> 63;
    const auto rest = remainder_of(static_cast<unsigned long long>(a ^ sign), static_cast<unsigned long long>(b));
    return (static_cast<long long>(rest) ^ sign) + (b & sign);
}
/// Of numbers that are not negative, by one that is positive.
__attribute__((const, noinline, unused)) static long long positive_div(long long a, long long b) {
    return static_cast<long long>(quotient_of(static_cast<unsigned long long>(a), static_cast<unsigned long long>(b)));
}
__attribute__((const, noinline, unused)) static long long positive_mod(long long a, long long b) {
    return static_cast<long long>(remainder_of(static_cast<unsigned long long>(a), static_cast<unsigned long long>(b)));
}
inline long long floor_div(long long a, long long b) {
    return __builtin_constant_p(b) ? signed_floor_div<unsigned long long>(a, b) : called_floor_div(a, b);
}
inline long long mod(long long a, long long b) {
    return __builtin_constant_p(b) ? signed_mod<unsigned long long>(a, b) : called_mod(a, b);
}
#endif
PYK_DEVICE int floor_div(int a, int b) { return signed_floor_div<unsigned int>(a, b); }
PYK_DEVICE int mod(int a, int b) { return signed_mod<unsigned int>(a, b); }

PYK_DEVICE unsigned long long floor_div(unsigned long long a, unsigned long long b) { return unsigned_floor_div(a, b); }
PYK_DEVICE unsigned long long mod(unsigned long long a, unsigned long long b) { return unsigned_mod(a, b); }
PYK_DEVICE unsigned int floor_div(unsigned int a, unsigned int b) { return unsigned_floor_div(a, b); }
PYK_DEVICE unsigned int mod(unsigned int a, unsigned int b) { return unsigned_mod(a, b); }

PYK_DEVICE float with_sign(float x, float of) { return ::copysignf(x, of); }
PYK_DEVICE double with_sign(double x, double of) { return ::copysign(x, of); }
#if defined(__FMA__) && !defined(__CUDACC__)
inline float fused(float a, float b, float c) { return ::fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return ::fma(a, b, c); }
inline float magnitude(float x) { return ::fabsf(x); }
inline double magnitude(double x) { return ::fabs(x); }
inline float cut(float x) { return ::truncf(x); }
inline double cut(double x) { return ::trunc(x); }

/// fmod by a division, where the rounded quotient is at most one too great: what it leaves is exact.
template <class T>
inline T mod_by_quotient(T a, T b, T most, T (*otherwise)(T, T)) {
    const T size = magnitude(a), by = magnitude(b), quotient = size / by;
    if (!(quotient < most)) return otherwise(a, b);  // also what is not a number
    const T rest = fused(-cut(quotient), by, size);
    const T settled = rest < 0 ? rest + by : rest;
    return with_sign(size < by ? size : settled, a);
}
inline float trunc_mod(float a, float b) { return mod_by_quotient(a, b, 4194304.0f, &::fmodf); }
inline double trunc_mod(double a, double b) { return mod_by_quotient<double>(a, b, 2251799813685248.0, &::fmod); }
#else
PYK_DEVICE float trunc_mod(float a, float b) { return ::fmodf(a, b); }
PYK_DEVICE double trunc_mod(double a, double b) { return ::fmod(a, b); }
#endif
PYK_DEVICE float round_down(float x) { return ::floorf(x); }
PYK_DEVICE double round_down(double x) { return ::floor(x); }

/// CPython's float_divmod.
template <class T>
PYK_DEVICE T float_floor_div(T a, T b) {
    if (b == 0) return a / b;
    const T remainder = trunc_mod(a, b);
    const T exact = (a - remainder) / b;
    const T quotient = with_sign(remainder, b) == remainder ? exact : exact - 1;
    if (!(quotient < 0 || quotient > 0)) return quotient * quotient * a / b;  // a zero with the sign of a / b
    const T below = round_down(quotient);
    return quotient - below > T(0.5) ? below + 1 : below;
}
template <class T>
PYK_DEVICE T float_mod(T a, T b) {
    const T remainder = trunc_mod(a, b);  // by zero it is no number
    const T along = with_sign(remainder, b);
    return along == remainder ? along : remainder + b;
}

PYK_DEVICE float floor_div(float a, float b) { return float_floor_div(a, b); }
PYK_DEVICE double floor_div(double a, double b) { return float_floor_div(a, b); }
PYK_DEVICE float mod(float a, float b) { return float_mod(a, b); }
PYK_DEVICE double mod(double a, double b) { return float_mod(a, b); }

}  // namespace pyk

#endif  // PYK_FLOOR_H
