// Atomics with a memory order and a scope: relaxed ones between fences.
//
// Defines: relaxed, acquire, release, acq_rel, seq_cst, block_scope, device_scope, system_scope, atomic_add_ordered,
// atomic_sub_ordered, atomic_and__ordered, atomic_or__ordered, atomic_xor_ordered, atomic_exch_ordered,
// atomic_cas_ordered, atomic_max_ordered, atomic_min_ordered, atomic_nanmax_ordered, atomic_nanmin_ordered,
// atomic_inc_ordered, atomic_dec_ordered
#ifndef PYK_ATOMIC_ORDER_H
#define PYK_ATOMIC_ORDER_H

#include "pyk/atomic_add.h"
#include "pyk/atomic_bits.h"
#include "pyk/atomic_inc.h"
#include "pyk/atomic_minmax.h"
#include "pyk/atomic_small.h"
#include "pyk/same_bits.h"

namespace pyk {

enum memory_order { relaxed = 0, acquire = 2, release = 3, acq_rel = 4, seq_cst = 5 };
enum memory_scope { block_scope = 1, device_scope = 3, system_scope = 4 };

PYK_DEVICE bool releases(memory_order order) { return order >= release; }
PYK_DEVICE bool acquires(memory_order order) { return order == acquire || order >= acq_rel; }

#ifdef __CUDACC__
PYK_DEVICE void fence(memory_scope scope) {
    if (scope == block_scope)
        __threadfence_block();
    else if (scope == device_scope)
        __threadfence();
    else
        __threadfence_system();
}
PYK_DEVICE int replace_word(int* word, int expected, int wanted) { return atomicCAS_system(word, expected, wanted); }
PYK_DEVICE unsigned long long replace_word(unsigned long long* word, unsigned long long expected,
                                           unsigned long long wanted) {
    return atomicCAS_system(word, expected, wanted);
}

template <int Bytes>
struct word_of {
    using type = int;
};
template <>
struct word_of<8> {
    using type = unsigned long long;
};

/// The element becomes `next(old)`, seen by the whole system.
template <class T, class Next>
PYK_DEVICE T atomic_update_system(T& place, Next next) {
    using word = typename word_of<sizeof(T)>::type;
    word* address = reinterpret_cast<word*>(&place);
    word seen = *const_cast<volatile word*>(address);
    for (;;) {
        const T old = same_bits<T>(seen);
        const word before = replace_word(address, seen, same_bits<word>(static_cast<T>(next(old))));
        if (before == seen) return old;
        seen = before;
    }
}
#else
inline void fence(memory_scope) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif

/// `Small` and `Plain` are the relaxed atomics, `next` what a system-wide one stores.
template <class T, class Next, class Small, class Plain>
PYK_DEVICE T atomic_between_fences([[maybe_unused]] T& place, memory_order order, memory_scope scope, Next next,
                                   Small small, Plain plain) {
    if (order != relaxed && releases(order)) fence(scope);
    T old;
#ifdef __CUDACC__
    if constexpr (sizeof(T) < 4)
        old = scope == system_scope ? atomic_update_small<true>(place, next) : small();
    else
        old = scope == system_scope ? atomic_update_system(place, next) : plain();
#else
    (void)next;
    if constexpr (sizeof(T) < 4)
        old = small();
    else
        old = plain();
#endif
    if (acquires(order)) fence(scope);
    return old;
}

#define PYK_ATOMIC_ORDERED(name, small, next)                                                         \
    template <class T>                                                                                \
    PYK_DEVICE T atomic_##name##_ordered(T& place, T value, memory_order order, memory_scope scope) { \
        return atomic_between_fences(                                                                 \
            place, order, scope, [value]([[maybe_unused]] T old) { return static_cast<T>(next); },    \
            [&](auto... none) { return atomic_##small(place, value, none...); },                      \
            [&](auto... none) { return atomic_##name(place, value, none...); });                      \
    }
PYK_ATOMIC_ORDERED(add, add_small, old + value)
PYK_ATOMIC_ORDERED(sub, sub_small, old - value)
PYK_ATOMIC_ORDERED(and_, and__small, old& value)
PYK_ATOMIC_ORDERED(or_, or__small, old | value)
PYK_ATOMIC_ORDERED(xor, xor_small, old ^ value)
PYK_ATOMIC_ORDERED(exch, exch_small, value)
PYK_ATOMIC_ORDERED(max, max_small, old < value ? value : old)
PYK_ATOMIC_ORDERED(min, min_small, value < old ? value : old)
PYK_ATOMIC_ORDERED(nanmax, nanmax_small, old < value || old != old ? value : old)
PYK_ATOMIC_ORDERED(nanmin, nanmin_small, value < old || old != old ? value : old)
PYK_ATOMIC_ORDERED(inc, inc, old >= value ? 0 : old + 1)
PYK_ATOMIC_ORDERED(dec, dec, old == 0 || old > value ? value : old - 1)
#undef PYK_ATOMIC_ORDERED

template <class T>
PYK_DEVICE T atomic_cas_ordered(T& place, T expected, T value, memory_order order, memory_scope scope) {
    return atomic_between_fences(
        place, order, scope, [=](T old) { return atomic_value(old) == atomic_value(expected) ? value : old; },
        [&](auto... none) { return atomic_cas_small(place, expected, value, none...); },
        [&](auto... none) { return atomic_cas(place, expected, value, none...); });
}

}  // namespace pyk

#endif  // PYK_ATOMIC_ORDER_H
