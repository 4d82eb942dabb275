// Atomic sums of complex numbers with a memory order and a scope: each of the two parts is added so, the pair is not.
//
// Defines: atomic_add_ordered_complex, atomic_sub_ordered_complex
#ifndef PYK_ATOMIC_ORDER_COMPLEX_H
#define PYK_ATOMIC_ORDER_COMPLEX_H

#include "pyk/atomic_order.h"
#include "pyk/complex.h"

namespace pyk {

template <class T>
PYK_DEVICE complex<T> atomic_add_ordered_complex(complex<T>& place, complex<T> value, memory_order order,
                                                 memory_scope scope) {
    const T re = atomic_add_ordered(place.re, value.re, order, scope);
    const T im = atomic_add_ordered(place.im, value.im, order, scope);
    return {re, im};
}
template <class T>
PYK_DEVICE complex<T> atomic_sub_ordered_complex(complex<T>& place, complex<T> value, memory_order order,
                                                 memory_scope scope) {
    return atomic_add_ordered_complex(place, -value, order, scope);
}

}  // namespace pyk

#endif  // PYK_ATOMIC_ORDER_COMPLEX_H
