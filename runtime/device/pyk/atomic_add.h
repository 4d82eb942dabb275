// Atomic sums: they give the element's old value. Relaxed, for the whole device.
//
// Defines: atomic_add, atomic_sub
#ifndef PYK_ATOMIC_ADD_H
#define PYK_ATOMIC_ADD_H

#include "pyk/config.h"

namespace pyk {

#ifdef __CUDACC__
template <class T>
PYK_DEVICE T atomic_add(T& place, T value) {
    return atomicAdd(&place, value);
}
PYK_DEVICE long long atomic_add(long long& place, long long value) {
    return static_cast<long long>(atomicAdd((unsigned long long*)&place, static_cast<unsigned long long>(value)));
}
#else
template <class T>
inline T atomic_add(T& place, T value) {
    return __atomic_fetch_add(&place, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomic_add_float(T& place, T value) {
    T old;
    T sum;
    __atomic_load(&place, &old, __ATOMIC_RELAXED);
    do sum = old + value;
    while (!__atomic_compare_exchange(&place, &old, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}
inline float atomic_add(float& place, float value) { return atomic_add_float(place, value); }
inline double atomic_add(double& place, double value) { return atomic_add_float(place, value); }
#endif

template <class T>
PYK_DEVICE T atomic_sub(T& place, T value) {
    return atomic_add(place, static_cast<T>(-value));
}

}  // namespace pyk

#endif  // PYK_ATOMIC_ADD_H
