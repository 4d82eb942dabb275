// Python's round.
//
// Defines: round
#ifndef PYK_ROUND_H
#define PYK_ROUND_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/config.h"
#include "pyk/pow.h"

namespace pyk {

/// The nearest integer, of two the even one.
PYK_DEVICE long long round(double x) { return ::llrint(x); }
PYK_DEVICE long long round(float x) { return ::llrint(static_cast<double>(x)); }

/// Rounded to decimal digits by scaling, which is how Numba and CPython without correct rounding do it. What has no
/// more digits to drop stays as it is.
PYK_DEVICE double round(double x, long long digits) {
    if (digits > 330 || !(::fabs(x) < 1.7976931348623157e308)) return x;
    if (digits < -308) return 0.0;
    const double scale = pow(10.0, digits < 0 ? -digits : digits > 22 ? digits - 22 : digits);
    const double more = digits > 22 ? 1e22 : 1.0;
    const double scaled = digits < 0 ? x / scale : x * scale * more;
    if (!(::fabs(scaled) < 4503599627370496.0)) return x;
    const double rounded = static_cast<double>(::llrint(scaled));  // through an integer, as Numba: never -0.0
    return digits < 0 ? rounded * scale : rounded / more / scale;
}
PYK_DEVICE float round(float x, long long digits) { return static_cast<float>(round(static_cast<double>(x), digits)); }

}  // namespace pyk

#endif  // PYK_ROUND_H
