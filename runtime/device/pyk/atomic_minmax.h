// Atomic extremes: they give the element's old value. Relaxed, for the whole device.
//
// Defines: atomic_max, atomic_min, atomic_nanmax, atomic_nanmin
#ifndef PYK_ATOMIC_MINMAX_H
#define PYK_ATOMIC_MINMAX_H

#include "pyk/atomic_seen.h"
#include "pyk/config.h"

namespace pyk {

#ifdef __CUDACC__
/// Whether the element had the bits of `old` and is `value` now; else `old` becomes what it is.
PYK_DEVICE bool atomic_replace(float& place, float& old, float value) {
    const int expected = __float_as_int(old);
    const int seen = atomicCAS((int*)&place, expected, __float_as_int(value));
    old = __int_as_float(seen);
    return seen == expected;
}
PYK_DEVICE bool atomic_replace(double& place, double& old, double value) {
    const unsigned long long expected = static_cast<unsigned long long>(__double_as_longlong(old));
    const unsigned long long seen =
        atomicCAS((unsigned long long*)&place, expected, static_cast<unsigned long long>(__double_as_longlong(value)));
    old = __longlong_as_double(static_cast<long long>(seen));
    return seen == expected;
}
#else
template <class T>
inline bool atomic_replace(T& place, T& old, T value) {
    return __atomic_compare_exchange(&place, &old, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
#endif

/// Floats: no store when the element or the value is NaN; with `over_nan` a number replaces NaN.
template <class T>
PYK_DEVICE T atomic_raise(T& place, T value, bool over_nan) {
    T old = atomic_seen(place);
    while ((old < value || (over_nan && old != old && value == value)) && !atomic_replace(place, old, value)) {
    }
    return old;
}
template <class T>
PYK_DEVICE T atomic_lower(T& place, T value, bool over_nan) {
    T old = atomic_seen(place);
    while ((old > value || (over_nan && old != old && value == value)) && !atomic_replace(place, old, value)) {
    }
    return old;
}

template <class T>
PYK_DEVICE T atomic_max(T& place, T value) {
#ifdef __CUDACC__
    return atomicMax(&place, value);
#else
    return atomic_raise(place, value, false);
#endif
}
template <class T>
PYK_DEVICE T atomic_min(T& place, T value) {
#ifdef __CUDACC__
    return atomicMin(&place, value);
#else
    return atomic_lower(place, value, false);
#endif
}
PYK_DEVICE float atomic_max(float& place, float value) { return atomic_raise(place, value, false); }
PYK_DEVICE double atomic_max(double& place, double value) { return atomic_raise(place, value, false); }
PYK_DEVICE float atomic_min(float& place, float value) { return atomic_lower(place, value, false); }
PYK_DEVICE double atomic_min(double& place, double value) { return atomic_lower(place, value, false); }

/// NaN counts as no value; for integers the same as max and min.
template <class T>
PYK_DEVICE T atomic_nanmax(T& place, T value) {
    return atomic_max(place, value);
}
template <class T>
PYK_DEVICE T atomic_nanmin(T& place, T value) {
    return atomic_min(place, value);
}
PYK_DEVICE float atomic_nanmax(float& place, float value) { return atomic_raise(place, value, true); }
PYK_DEVICE double atomic_nanmax(double& place, double value) { return atomic_raise(place, value, true); }
PYK_DEVICE float atomic_nanmin(float& place, float value) { return atomic_lower(place, value, true); }
PYK_DEVICE double atomic_nanmin(double& place, double value) { return atomic_lower(place, value, true); }

}  // namespace pyk

#endif  // PYK_ATOMIC_MINMAX_H
