// math.frexp and math.modf, which give tuples.
//
// Defines: frexp, modf
#ifndef PYK_FREXP_H
#define PYK_FREXP_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/config.h"
#include "pyk/tuple.h"

namespace pyk {

/// A mantissa in [0.5, 1) and an exponent of 2.
PYK_DEVICE tuple<float, int> frexp(float x) {
    int exponent = 0;
    const float mantissa = ::frexpf(x, &exponent);
    return make_tuple(mantissa, exponent);
}
PYK_DEVICE tuple<double, int> frexp(double x) {
    int exponent = 0;
    const double mantissa = ::frexp(x, &exponent);
    return make_tuple(mantissa, exponent);
}

/// The fractional and the integral part, both with the number's sign.
PYK_DEVICE tuple<float, float> modf(float x) {
    float whole = 0;
    const float fraction = ::modff(x, &whole);
    return make_tuple(fraction, whole);
}
PYK_DEVICE tuple<double, double> modf(double x) {
    double whole = 0;
    const double fraction = ::modf(x, &whole);
    return make_tuple(fraction, whole);
}

}  // namespace pyk

#endif  // PYK_FREXP_H
