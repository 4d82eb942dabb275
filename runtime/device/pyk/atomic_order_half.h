// Atomics on float16 and bfloat16 with a memory order and a scope: relaxed ones between fences.
//
// Defines: atomic_add_ordered_half, atomic_sub_ordered_half, atomic_exch_ordered_half, atomic_cas_ordered_half,
// atomic_max_ordered_half, atomic_min_ordered_half, atomic_nanmax_ordered_half, atomic_nanmin_ordered_half
#ifndef PYK_ATOMIC_ORDER_HALF_H
#define PYK_ATOMIC_ORDER_HALF_H

#include "pyk/atomic_half.h"
#include "pyk/atomic_order.h"

namespace pyk {

/// `relaxed_one` is the relaxed atomic, `next` what a system-wide one stores.
template <class T, class Next, class Relaxed>
PYK_DEVICE T atomic_half_between_fences(T& place, memory_order order, memory_scope scope, Next next,
                                        Relaxed relaxed_one) {
    T old;
    const auto small = [&](auto...) { return relaxed_one().bits; };
    old.bits = atomic_between_fences(
        place.bits, order, scope,
        [next](unsigned short bits) {
            T seen;
            seen.bits = bits;
            return next(seen).bits;
        },
        small, small);
    return old;
}

#define PYK_ATOMIC_ORDERED_HALF(name, next)                                                                \
    template <class T>                                                                                     \
    PYK_DEVICE T atomic_##name##_ordered_half(T& place, T value, memory_order order, memory_scope scope) { \
        return atomic_half_between_fences(                                                                 \
            place, order, scope, [value]([[maybe_unused]] T old) { return next; },                         \
            [&] { return atomic_##name##_half(place, value); });                                           \
    }
PYK_ATOMIC_ORDERED_HALF(add, old + value)
PYK_ATOMIC_ORDERED_HALF(sub, old - value)
PYK_ATOMIC_ORDERED_HALF(exch, value)
PYK_ATOMIC_ORDERED_HALF(max, old < value ? value : old)
PYK_ATOMIC_ORDERED_HALF(min, value < old ? value : old)
PYK_ATOMIC_ORDERED_HALF(nanmax, old < value || !(old == old) ? value : old)
PYK_ATOMIC_ORDERED_HALF(nanmin, value < old || !(old == old) ? value : old)
#undef PYK_ATOMIC_ORDERED_HALF

template <class T>
PYK_DEVICE T atomic_cas_ordered_half(T& place, T expected, T value, memory_order order, memory_scope scope) {
    return atomic_half_between_fences(
        place, order, scope, [=](T old) { return old.bits == expected.bits ? value : old; },
        [&] { return atomic_cas_half(place, expected, value); });
}

}  // namespace pyk

#endif  // PYK_ATOMIC_ORDER_HALF_H
