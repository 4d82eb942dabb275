// NumPy's functions of complex numbers that cmath lacks, by Numba's formulas. Order is lexicographic.
//
// Defines: cexp2, cexpm1, cfloat_power, cfmax, cfmin, cgreater, cgreater_equal, cless, cless_equal, clog1p, clog2,
// clogical_and, clogical_not, clogical_or, clogical_xor, cmaximum, cminimum, creciprocal, crint, csign, csquare
#ifndef PYK_NUMPY_COMPLEX_H
#define PYK_NUMPY_COMPLEX_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/cmath.h"
#include "pyk/complex.h"
#include "pyk/config.h"

namespace pyk {

template <class T>
PYK_DEVICE complex<T> cexp2(complex<T> z) {
    const T ln2 = T(0.6931471805599453);
    return cexp(complex<T>(z.re * ln2, z.im * ln2));
}
template <class T>
PYK_DEVICE complex<T> cexpm1(complex<T> z) {
    const T r = ::exp(z.re);
    return {r * ::cos(z.im) - 1, r * ::sin(z.im)};
}
template <class T>
PYK_DEVICE complex<T> clog2(complex<T> z) {
    const complex<T> l = clog(z);
    const T log2_e = T(1.4426950408889634);
    return {l.re * log2_e, l.im * log2_e};
}
template <class T>
PYK_DEVICE complex<T> clog1p(complex<T> z) {
    return {::log(::hypot(z.re + 1, z.im)), ::atan2(z.im, z.re + 1)};
}
template <class T>
PYK_DEVICE complex<T> csquare(complex<T> z) {
    return z * z;
}
/// The direction: z / |z|, and 0 of 0.
template <class T>
PYK_DEVICE complex<T> csign(complex<T> z) {
    const T length = abs(z);
    return length == 0 ? complex<T>(T(0)) : z / complex<T>(length);
}
template <class T>
PYK_DEVICE complex<T> creciprocal(complex<T> z) {
    if (::fabs(z.im) <= ::fabs(z.re)) {
        const T ratio = z.im / z.re, inverse = 1 / (z.re + z.im * ratio);
        return {inverse, -ratio * inverse};
    }
    const T ratio = z.re / z.im, inverse = 1 / (z.im + z.re * ratio);
    return {ratio * inverse, -inverse};
}
template <class T>
PYK_DEVICE complex<T> crint(complex<T> z) {
    return {::rint(z.re), ::rint(z.im)};
}
PYK_DEVICE complex128 cfloat_power(complex128 base, complex128 exponent) { return pow(base, exponent); }

template <class T>
PYK_DEVICE bool cless(complex<T> a, complex<T> b) {
    return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im < b.im);
}
template <class T>
PYK_DEVICE bool cless_equal(complex<T> a, complex<T> b) {
    return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im <= b.im);
}
template <class T>
PYK_DEVICE bool cgreater(complex<T> a, complex<T> b) {
    return cless(b, a);
}
template <class T>
PYK_DEVICE bool cgreater_equal(complex<T> a, complex<T> b) {
    return cless_equal(b, a);
}

/// A NaN wins, the first of two.
template <class T>
PYK_DEVICE complex<T> cmaximum(complex<T> a, complex<T> b) {
    return cisnan(a) || (!cisnan(b) && cgreater_equal(a, b)) ? a : b;
}
template <class T>
PYK_DEVICE complex<T> cminimum(complex<T> a, complex<T> b) {
    return cisnan(a) || (!cisnan(b) && cless_equal(a, b)) ? a : b;
}
/// A NaN loses.
template <class T>
PYK_DEVICE complex<T> cfmax(complex<T> a, complex<T> b) {
    return cisnan(b) || (!cisnan(a) && cgreater_equal(a, b)) ? a : b;
}
template <class T>
PYK_DEVICE complex<T> cfmin(complex<T> a, complex<T> b) {
    return cisnan(b) || (!cisnan(a) && cless_equal(a, b)) ? a : b;
}

template <class T>
PYK_DEVICE bool clogical_and(complex<T> a, complex<T> b) {
    return static_cast<bool>(a) && static_cast<bool>(b);
}
template <class T>
PYK_DEVICE bool clogical_or(complex<T> a, complex<T> b) {
    return static_cast<bool>(a) || static_cast<bool>(b);
}
template <class T>
PYK_DEVICE bool clogical_xor(complex<T> a, complex<T> b) {
    return static_cast<bool>(a) != static_cast<bool>(b);
}
template <class T>
PYK_DEVICE bool clogical_not(complex<T> z) {
    return !z;
}

}  // namespace pyk

#endif  // PYK_NUMPY_COMPLEX_H
