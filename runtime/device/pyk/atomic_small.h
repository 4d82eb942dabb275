// Atomics on elements of 8 and 16 bits: they give the element's old value. Relaxed. CUDA has none of them: the aligned
// word around the element is replaced.
//
// Defines: atomic_add_small, atomic_sub_small, atomic_and__small, atomic_or__small, atomic_xor_small,
// atomic_exch_small, atomic_cas_small, atomic_max_small, atomic_min_small, atomic_nanmax_small, atomic_nanmin_small
#ifndef PYK_ATOMIC_SMALL_H
#define PYK_ATOMIC_SMALL_H

#include "pyk/config.h"

namespace pyk {

/// The element becomes `next(old)`.
template <bool OfSystem = false, class T, class Next>
PYK_DEVICE T atomic_update_small(T& place, Next next) {
#ifdef __CUDACC__
    const unsigned long long address = reinterpret_cast<unsigned long long>(&place);
    unsigned int* word = reinterpret_cast<unsigned int*>(address & ~3ull);
    const int shift = static_cast<int>(address & 3) * 8;
    const unsigned int own = ((1u << 8 * sizeof(T)) - 1) << shift;
    unsigned int seen = *const_cast<volatile unsigned int*>(word);
    for (;;) {
        const T old = static_cast<T>((seen & own) >> shift);
        const unsigned int wanted = (seen & ~own) | (static_cast<unsigned int>(next(old)) << shift & own);
        const unsigned int before = OfSystem ? atomicCAS_system(word, seen, wanted) : atomicCAS(word, seen, wanted);
        if (before == seen) return old;
        seen = before;
    }
#else
    T old = __atomic_load_n(&place, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&place, &old, next(old), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
#endif
}

#define PYK_ATOMIC_SMALL(name, next)                                                                         \
    template <class T>                                                                                       \
    PYK_DEVICE T atomic_##name##_small(T& place, T value) {                                                  \
        return atomic_update_small(place, [value]([[maybe_unused]] T old) { return static_cast<T>(next); }); \
    }
PYK_ATOMIC_SMALL(add, old + value)
PYK_ATOMIC_SMALL(sub, old - value)
PYK_ATOMIC_SMALL(and_, old& value)
PYK_ATOMIC_SMALL(or_, old | value)
PYK_ATOMIC_SMALL(xor, old ^ value)
PYK_ATOMIC_SMALL(exch, value)
PYK_ATOMIC_SMALL(max, old < value ? value : old)
PYK_ATOMIC_SMALL(min, value < old ? value : old)
PYK_ATOMIC_SMALL(nanmax, old < value ? value : old)
PYK_ATOMIC_SMALL(nanmin, value < old ? value : old)
#undef PYK_ATOMIC_SMALL

template <class T>
PYK_DEVICE T atomic_cas_small(T& place, T expected, T value) {
    return atomic_update_small(place, [=](T old) { return old == expected ? value : old; });
}

}  // namespace pyk

#endif  // PYK_ATOMIC_SMALL_H
