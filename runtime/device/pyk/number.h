// What Python's numbers and `math` have beyond C++'s functions.
//
// Defines: abs, selp, degrees, radians, inf, nan
#ifndef PYK_NUMBER_H
#define PYK_NUMBER_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/config.h"

namespace pyk {

/// Of the same type: the least integer stays itself.
template <class T>
PYK_DEVICE T abs(T x) {
#ifdef __CUDACC__
    return x < T(1) ? static_cast<T>(0 - static_cast<unsigned long long>(x)) : x;
#else
    return x < T(1) ? static_cast<T>(T(0) - x) : x;  // -fwrapv; g++ knows this one, and has SIMD for it
#endif
}
PYK_DEVICE float abs(float x) { return ::fabsf(x); }
PYK_DEVICE double abs(double x) { return ::fabs(x); }

PYK_DEVICE float degrees(float x) { return x * 57.295779513082320876f; }
PYK_DEVICE double degrees(double x) { return x * 57.295779513082320876; }
PYK_DEVICE float radians(float x) { return x * 0.017453292519943295769f; }
PYK_DEVICE double radians(double x) { return x * 0.017453292519943295769; }

/// `then` or `otherwise`, both of which were evaluated.
template <class T>
PYK_DEVICE T selp(bool condition, T then, T otherwise) {
    return condition ? then : otherwise;
}

#ifdef __CUDACC__
template <class T = double>
PYK_DEVICE T inf() {
    return static_cast<T>(__longlong_as_double(0x7ff0000000000000));
}
template <class T = double>
PYK_DEVICE T nan() {
    return static_cast<T>(__longlong_as_double(0x7ff8000000000000));
}
#else
template <class T = double>
inline T inf() {
    return static_cast<T>(__builtin_huge_val());
}
template <class T = double>
inline T nan() {
    return static_cast<T>(__builtin_nan(""));
}
#endif

}  // namespace pyk

#endif  // PYK_NUMBER_H
