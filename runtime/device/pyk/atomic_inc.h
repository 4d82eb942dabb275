// Atomic counters that wrap at a bound: they give the element's old value. Relaxed, for the whole device.
//
// Defines: atomic_inc, atomic_dec
#ifndef PYK_ATOMIC_INC_H
#define PYK_ATOMIC_INC_H

#include "pyk/atomic_bits.h"
#include "pyk/atomic_seen.h"
#include "pyk/config.h"

namespace pyk {

/// old >= bound ? 0 : old + 1
template <class T>
PYK_DEVICE T atomic_inc(T& place, T bound) {
    T old = atomic_seen(place);
    for (;;) {
        const T seen = atomic_cas(place, old, old >= bound ? T(0) : old + 1);
        if (seen == old) return old;
        old = seen;
    }
}
/// old == 0 or old > bound ? bound : old - 1
template <class T>
PYK_DEVICE T atomic_dec(T& place, T bound) {
    T old = atomic_seen(place);
    for (;;) {
        const T seen = atomic_cas(place, old, old == 0 || old > bound ? bound : old - 1);
        if (seen == old) return old;
        old = seen;
    }
}

#ifdef __CUDACC__
PYK_DEVICE unsigned int atomic_inc(unsigned int& place, unsigned int bound) { return atomicInc(&place, bound); }
PYK_DEVICE unsigned int atomic_dec(unsigned int& place, unsigned int bound) { return atomicDec(&place, bound); }
#endif

}  // namespace pyk

#endif  // PYK_ATOMIC_INC_H
