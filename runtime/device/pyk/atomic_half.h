// Atomics on float16 and bfloat16: they give the element's old value. Relaxed. CUDA has the sum; for the others the
// aligned word around the element is replaced.
//
// Defines: atomic_add_half, atomic_sub_half, atomic_exch_half, atomic_cas_half, atomic_max_half, atomic_min_half,
// atomic_nanmax_half, atomic_nanmin_half
#ifndef PYK_ATOMIC_HALF_H
#define PYK_ATOMIC_HALF_H

#include "pyk/atomic_small.h"
#include "pyk/half.h"

namespace pyk {

/// The element becomes `next(old)`, where that is another value.
template <class T, class Next>
PYK_DEVICE T atomic_update_half(T& place, Next next) {
    T old;
    old.bits = atomic_update_small(place.bits, [next](unsigned short bits) {
        T seen;
        seen.bits = bits;
        return next(seen).bits;
    });
    return old;
}

template <class T>
PYK_DEVICE T atomic_add_half(T& place, T value) {
    return atomic_update_half(place, [value](T old) { return old + value; });
}
#ifdef __CUDACC__
PYK_DEVICE float16 atomic_add_half(float16& place, float16 value) {
    float16 old;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old.bits) : "l"(&place), "h"(value.bits) : "memory");
    return old;
}
#if __CUDA_ARCH__ >= 900
PYK_DEVICE bfloat16 atomic_add_half(bfloat16& place, bfloat16 value) {
    bfloat16 old;
    asm volatile("atom.add.noftz.bf16 %0, [%1], %2;" : "=h"(old.bits) : "l"(&place), "h"(value.bits) : "memory");
    return old;
}
#endif
#endif
template <class T>
PYK_DEVICE T atomic_sub_half(T& place, T value) {
    return atomic_add_half(place, -value);
}

template <class T>
PYK_DEVICE T atomic_max_half(T& place, T value) {
    return atomic_update_half(place, [value](T old) { return old < value ? value : old; });
}
template <class T>
PYK_DEVICE T atomic_min_half(T& place, T value) {
    return atomic_update_half(place, [value](T old) { return value < old ? value : old; });
}
template <class T>
PYK_DEVICE T atomic_nanmax_half(T& place, T value) {
    return atomic_update_half(place, [value](T old) { return old < value || !(old == old) ? value : old; });
}
template <class T>
PYK_DEVICE T atomic_nanmin_half(T& place, T value) {
    return atomic_update_half(place, [value](T old) { return value < old || !(old == old) ? value : old; });
}

template <class T>
PYK_DEVICE T atomic_exch_half(T& place, T value) {
    return atomic_update_half(place, [value](T) { return value; });
}
/// Compares bits: 0.0 is not -0.0, and a NaN is itself.
template <class T>
PYK_DEVICE T atomic_cas_half(T& place, T expected, T value) {
    return atomic_update_half(place, [=](T old) { return old.bits == expected.bits ? value : old; });
}

}  // namespace pyk

#endif  // PYK_ATOMIC_HALF_H
