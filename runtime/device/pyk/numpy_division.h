// NumPy's division, remainders and power: nothing traps. An integer divided by zero is 0, and so is its remainder.
//
// Defines: np_floor_divide, np_remainder, np_fmod, np_divmod, np_power, np_reciprocal
#ifndef PYK_NUMPY_DIVISION_H
#define PYK_NUMPY_DIVISION_H

#include "pyk/floor.h"
#include "pyk/pow.h"
#include "pyk/tuple.h"

namespace pyk {

/// The 64-bit type that holds every value of an integer type.
template <class T, bool is_signed = (T(-1) < T(1))>
struct widest {
    using type = long long;
};
template <class T>
struct widest<T, false> {
    using type = unsigned long long;
};

/// The least integer divided by -1, which does not fit, gives 0.
template <class T>
PYK_DEVICE T np_floor_divide(T a, T b) {
    using W = typename widest<T>::type;
    const W quotient = floor_div(static_cast<W>(a), static_cast<W>(b));
    const T result = static_cast<T>(quotient);
    return static_cast<W>(result) == quotient ? result : T(0);
}
PYK_DEVICE float np_floor_divide(float a, float b) { return ::floorf(a / b); }
PYK_DEVICE double np_floor_divide(double a, double b) { return ::floor(a / b); }

template <class T>
PYK_DEVICE T np_remainder(T a, T b) {
    using W = typename widest<T>::type;
    return static_cast<T>(mod(static_cast<W>(a), static_cast<W>(b)));
}
template <class T>
PYK_DEVICE T np_real_remainder(T a, T b) {
    const T rest = trunc_mod(a, b);
    return rest + (rest != 0 && (b < 0) != (rest < 0) ? b : T(0));
}
PYK_DEVICE float np_remainder(float a, float b) { return np_real_remainder(a, b); }
PYK_DEVICE double np_remainder(double a, double b) { return np_real_remainder(a, b); }

/// The remainder with the sign of the first.
template <class T>
PYK_DEVICE T np_fmod(T a, T b) {
    using W = typename widest<T>::type;
    if (b == 0 || (T(-1) < T(1) && b == static_cast<T>(-1))) return 0;
    return static_cast<T>(static_cast<W>(a) % static_cast<W>(b));
}
PYK_DEVICE float np_fmod(float a, float b) { return trunc_mod(a, b); }
PYK_DEVICE double np_fmod(double a, double b) { return trunc_mod(a, b); }

template <class T>
PYK_DEVICE tuple<T, T> np_divmod(T a, T b) {
    return make_tuple(np_floor_divide(a, b), np_remainder(a, b));
}

/// Zero to a negative power is the least integer, or the greatest half of an unsigned type.
template <class T>
PYK_DEVICE T np_power(T base, T exponent) {
    using W = typename widest<T>::type;
    if (base == 0 && exponent < T(1) && exponent != 0) return static_cast<T>(1ull << (8 * sizeof(T) - 1));
    return static_cast<T>(pow(static_cast<W>(base), static_cast<W>(exponent)));
}
PYK_DEVICE float np_power(float base, float exponent) { return ::powf(base, exponent); }
PYK_DEVICE double np_power(double base, double exponent) { return ::pow(base, exponent); }

/// Of an integer: 1 and -1 stay, 0 has none, all others give 0.
template <class T>
PYK_DEVICE T np_reciprocal(T x) {
    return static_cast<T>(1.0 / static_cast<double>(x));
}
PYK_DEVICE float np_reciprocal(float x) { return 1 / x; }
PYK_DEVICE double np_reciprocal(double x) { return 1 / x; }

}  // namespace pyk

#endif  // PYK_NUMPY_DIVISION_H
