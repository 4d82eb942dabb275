// Atomic sums of complex numbers: each of the two parts is added atomically, the pair is not.
//
// Defines: atomic_add_complex, atomic_sub_complex
#ifndef PYK_ATOMIC_COMPLEX_H
#define PYK_ATOMIC_COMPLEX_H

#include "pyk/atomic_add.h"
#include "pyk/complex.h"

namespace pyk {

template <class T>
PYK_DEVICE complex<T> atomic_add_complex(complex<T>& place, complex<T> value) {
    const T re = atomic_add(place.re, value.re);
    const T im = atomic_add(place.im, value.im);
    return {re, im};
}
template <class T>
PYK_DEVICE complex<T> atomic_sub_complex(complex<T>& place, complex<T> value) {
    return atomic_add_complex(place, -value);
}

}  // namespace pyk

#endif  // PYK_ATOMIC_COMPLEX_H
