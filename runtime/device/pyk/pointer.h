// Arrays at an address.
//
// Defines: carray, farray, pointed
#ifndef PYK_POINTER_H
#define PYK_POINTER_H

#include "pyk/array.h"
#include "pyk/fortran.h"

namespace pyk {

template <class T, class P, class... I>
PYK_DEVICE array<T, sizeof...(I)> carray(P* pointer, I... extents) {
    return {static_cast<T*>(pointer), {static_cast<long long>(extents)...}};
}
template <class T, class P, class... I>
PYK_DEVICE array<T, sizeof...(I), F> farray(P* pointer, I... extents) {
    return {static_cast<T*>(pointer), {static_cast<long long>(extents)...}};
}

/// Without an end.
template <class T>
PYK_DEVICE array<T, 1> pointed(T* pointer) {
    return {pointer, {0x7fffffffffffffff}};
}

}  // namespace pyk

#endif  // PYK_POINTER_H
