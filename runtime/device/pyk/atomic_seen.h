// An element that other threads change by atomics.
//
// Defines: atomic_seen
#ifndef PYK_ATOMIC_SEEN_H
#define PYK_ATOMIC_SEEN_H

#include "pyk/config.h"

namespace pyk {

/// What the element is now, as the first guess of an exchange.
template <class T>
PYK_DEVICE T atomic_seen(T& place) {
#ifdef __CUDACC__
    return *static_cast<volatile T*>(&place);
#else
    T seen;
    __atomic_load(&place, &seen, __ATOMIC_RELAXED);
    return seen;
#endif
}

}  // namespace pyk

#endif  // PYK_ATOMIC_SEEN_H
