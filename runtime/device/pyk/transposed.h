// `a.T`: the axes in reverse order, over the same elements.
//
// Defines: transposed
#ifndef PYK_TRANSPOSED_H
#define PYK_TRANSPOSED_H

#include "pyk/array.h"
#include "pyk/fortran.h"
#include "pyk/strided.h"

namespace pyk {

template <class To, class From>
PYK_HOST_DEVICE To reversed(const From& from) {
    To to;
    to.data = from.data;
    for (int axis = 0; axis < From::ndim; ++axis) to.shape[axis] = from.shape[From::ndim - 1 - axis];
    return to;
}

template <class T, int N>
PYK_HOST_DEVICE array<T, N, F> transposed(const array<T, N, C>& a) {
    return reversed<array<T, N, F>>(a);
}
template <class T, int N>
PYK_HOST_DEVICE array<T, N, C> transposed(const array<T, N, F>& a) {
    return reversed<array<T, N, C>>(a);
}
template <class T, int N>
PYK_HOST_DEVICE array<T, N, A> transposed(const array<T, N, A>& a) {
    array<T, N, A> t = reversed<array<T, N, A>>(a);
    for (int axis = 0; axis < N; ++axis) t.strides[axis] = a.strides[N - 1 - axis];
    return t;
}

}  // namespace pyk

#endif  // PYK_TRANSPOSED_H
