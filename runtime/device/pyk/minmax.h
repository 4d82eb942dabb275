// Python's min and max as Numba has them: of two floats the one that is not NaN, else the first that none beats.
//
// Defines: min, max, lesser, greater
#ifndef PYK_MINMAX_H
#define PYK_MINMAX_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/config.h"

namespace pyk {

template <class T>
PYK_DEVICE T lesser(T a, T b) {
    return b < a ? b : a;
}
template <class T>
PYK_DEVICE T greater(T a, T b) {
    return b > a ? b : a;
}

template <class T>
PYK_DEVICE T min(T a, T b) {
    return lesser(a, b);
}
template <class T>
PYK_DEVICE T max(T a, T b) {
    return greater(a, b);
}
#ifdef __CUDACC__
PYK_DEVICE float min(float a, float b) { return ::fminf(a, b); }
PYK_DEVICE float max(float a, float b) { return ::fmaxf(a, b); }
PYK_DEVICE double min(double a, double b) { return ::fmin(a, b); }
PYK_DEVICE double max(double a, double b) { return ::fmax(a, b); }
#else
/// fmin and fmax written out: compilers make vectors of these, not of calls. The NaN is looked for first: behind the
/// comparison g++ would choose through a register of integers, which a loop that builds up an extreme waits for.
template <class T>
inline T float_min(T a, T b) {
    const T number = b != b ? a : b;
    return a < number ? a : number;
}
template <class T>
inline T float_max(T a, T b) {
    const T number = b != b ? a : b;
    return a > number ? a : number;
}
PYK_DEVICE float min(float a, float b) { return float_min(a, b); }
PYK_DEVICE float max(float a, float b) { return float_max(a, b); }
PYK_DEVICE double min(double a, double b) { return float_min(a, b); }
PYK_DEVICE double max(double a, double b) { return float_max(a, b); }
#endif

template <class T, class... More>
PYK_DEVICE T min(T a, T b, T c, More... more) {
    T least = lesser(lesser(a, b), c);
    ((least = lesser(least, more)), ...);
    return least;
}
template <class T, class... More>
PYK_DEVICE T max(T a, T b, T c, More... more) {
    T greatest = greater(greater(a, b), c);
    ((greatest = greater(greatest, more)), ...);
    return greatest;
}

}  // namespace pyk

#endif  // PYK_MINMAX_H
