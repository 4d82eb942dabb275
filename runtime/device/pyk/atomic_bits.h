// Atomic operations on the bits of an element: they give its old value. Relaxed, for the whole device. Floats are
// exchanged and compared as bits: 0.0 is not -0.0, and a NaN is itself.
//
// Defines: atomic_and_, atomic_or_, atomic_xor, atomic_exch, atomic_cas
#ifndef PYK_ATOMIC_BITS_H
#define PYK_ATOMIC_BITS_H

#include "pyk/same_bits.h"

namespace pyk {

/// The value as atomics exchange and compare it: of a float, its bits.
template <class T>
PYK_DEVICE T atomic_value(T value) {
    return value;
}
PYK_DEVICE unsigned int atomic_value(float value) { return same_bits<unsigned int>(value); }
PYK_DEVICE unsigned long long atomic_value(double value) { return same_bits<unsigned long long>(value); }

#ifdef __CUDACC__
/// CUDA's atomics know `unsigned long long` but not every one `long long`: the bits are the same.
PYK_DEVICE int* atomic_place(int& place) { return &place; }
PYK_DEVICE unsigned int* atomic_place(unsigned int& place) { return &place; }
PYK_DEVICE unsigned long long* atomic_place(unsigned long long& place) { return &place; }
PYK_DEVICE unsigned long long* atomic_place(long long& place) { return (unsigned long long*)&place; }
PYK_DEVICE unsigned int* atomic_place(float& place) { return (unsigned int*)&place; }
PYK_DEVICE unsigned long long* atomic_place(double& place) { return (unsigned long long*)&place; }

template <class T>
PYK_DEVICE T atomic_and_(T& place, T value) {
    return static_cast<T>(atomicAnd(atomic_place(place), value));
}
template <class T>
PYK_DEVICE T atomic_or_(T& place, T value) {
    return static_cast<T>(atomicOr(atomic_place(place), value));
}
template <class T>
PYK_DEVICE T atomic_xor(T& place, T value) {
    return static_cast<T>(atomicXor(atomic_place(place), value));
}
template <class T>
PYK_DEVICE T atomic_exch(T& place, T value) {
    return same_bits<T>(atomicExch(atomic_place(place), atomic_value(value)));
}
/// The element becomes `value` if it was `expected`.
template <class T>
PYK_DEVICE T atomic_cas(T& place, T expected, T value) {
    return same_bits<T>(atomicCAS(atomic_place(place), atomic_value(expected), atomic_value(value)));
}
#else
template <class T>
inline T atomic_and_(T& place, T value) {
    return __atomic_fetch_and(&place, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomic_or_(T& place, T value) {
    return __atomic_fetch_or(&place, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomic_xor(T& place, T value) {
    return __atomic_fetch_xor(&place, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomic_exch(T& place, T value) {
    T old;
    __atomic_exchange(&place, &value, &old, __ATOMIC_RELAXED);
    return old;
}
template <class T>
inline T atomic_cas(T& place, T expected, T value) {
    __atomic_compare_exchange(&place, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
#endif

}  // namespace pyk

#endif  // PYK_ATOMIC_BITS_H
