// NumPy's functions of floats that `math` lacks, and those that integers pass through.
//
// Defines: np_ceil, np_floor, np_trunc, np_isnan, np_isinf, np_isfinite, np_signbit, np_spacing, np_logaddexp,
// np_logaddexp2, np_logical_and, np_logical_or, np_logical_xor, np_logical_not, np_identity
#ifndef PYK_NUMPY_FLOAT_H
#define PYK_NUMPY_FLOAT_H

#include "pyk/number.h"

namespace pyk {

template <class T>
PYK_DEVICE T np_identity(T x) {
    return x;
}

template <class T>
PYK_DEVICE T np_ceil(T x) {
    return x;
}
PYK_DEVICE float np_ceil(float x) { return ::ceilf(x); }
PYK_DEVICE double np_ceil(double x) { return ::ceil(x); }
template <class T>
PYK_DEVICE T np_floor(T x) {
    return x;
}
PYK_DEVICE float np_floor(float x) { return ::floorf(x); }
PYK_DEVICE double np_floor(double x) { return ::floor(x); }
template <class T>
PYK_DEVICE T np_trunc(T x) {
    return x;
}
PYK_DEVICE float np_trunc(float x) { return ::truncf(x); }
PYK_DEVICE double np_trunc(double x) { return ::trunc(x); }

template <class T>
PYK_DEVICE bool np_isnan(T) {
    return false;
}
PYK_DEVICE bool np_isnan(float x) { return x != x; }
PYK_DEVICE bool np_isnan(double x) { return x != x; }
template <class T>
PYK_DEVICE bool np_isinf(T) {
    return false;
}
PYK_DEVICE bool np_isinf(float x) { return ::fabsf(x) == static_cast<float>(inf()); }
PYK_DEVICE bool np_isinf(double x) { return ::fabs(x) == inf(); }
template <class T>
PYK_DEVICE bool np_isfinite(T x) {
    return !np_isnan(x) && !np_isinf(x);
}

PYK_DEVICE bool np_signbit(float x) { return ::copysignf(1.0f, x) < 0; }
PYK_DEVICE bool np_signbit(double x) { return ::copysign(1.0, x) < 0; }

/// The distance to the next number away from zero.
PYK_DEVICE float np_spacing(float x) { return ::nextafterf(x, ::copysignf(static_cast<float>(inf()), x)) - x; }
PYK_DEVICE double np_spacing(double x) { return ::nextafter(x, ::copysign(inf(), x)) - x; }

PYK_DEVICE float np_logaddexp(float a, float b) {
    if (a == b) return a + 0.693147180559945309417232121458176568f;
    const float d = a - b;
    return d > 0 ? a + ::log1pf(::expf(-d)) : d <= 0 ? b + ::log1pf(::expf(d)) : d;
}
PYK_DEVICE double np_logaddexp(double a, double b) {
    if (a == b) return a + 0.693147180559945309417232121458176568;
    const double d = a - b;
    return d > 0 ? a + ::log1p(::exp(-d)) : d <= 0 ? b + ::log1p(::exp(d)) : d;
}
PYK_DEVICE float np_logaddexp2(float a, float b) {
    if (a == b) return a + 1;
    const float log2e = 1.442695040888963407359924681001892137f;
    const float d = a - b;
    return d > 0 ? a + log2e * ::log1pf(::exp2f(-d)) : d <= 0 ? b + log2e * ::log1pf(::exp2f(d)) : d;
}
PYK_DEVICE double np_logaddexp2(double a, double b) {
    if (a == b) return a + 1;
    const double log2e = 1.442695040888963407359924681001892137;
    const double d = a - b;
    return d > 0 ? a + log2e * ::log1p(::exp2(-d)) : d <= 0 ? b + log2e * ::log1p(::exp2(d)) : d;
}

template <class T>
PYK_DEVICE bool np_logical_and(T a, T b) {
    return (a != 0) & (b != 0);  // loops over it become vector instructions
}
template <class T>
PYK_DEVICE bool np_logical_or(T a, T b) {
    return (a != 0) | (b != 0);
}
template <class T>
PYK_DEVICE bool np_logical_xor(T a, T b) {
    return (a != 0) != (b != 0);
}
template <class T>
PYK_DEVICE bool np_logical_not(T a) {
    return a == 0;
}

}  // namespace pyk

#endif  // PYK_NUMPY_FLOAT_H
