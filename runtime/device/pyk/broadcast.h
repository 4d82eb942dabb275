// Arrays stretched to the shape of another one, as NumPy does it.
//
// Defines: broadcast, broadcast_to
#ifndef PYK_BROADCAST_H
#define PYK_BROADCAST_H

#include "pyk/array.h"
#include "pyk/exit.h"
#include "pyk/strided.h"

namespace pyk {

/// A view of `a` with the shape of `target`: axes that `a` lacks in front, and those of one element, repeat. A shape
/// that does not fit ends the thread, as in Numba.
template <class T, int N, class From, class U, int M, class To>
PYK_DEVICE array<T, M, A> broadcast(const array<T, N, From>& a, const array<U, M, To>& target) {
    array<T, M, A> view;
    view.data = a.data;
    for (int axis = 0; axis < M; ++axis) {
        const int own = axis - (M - N);
        const bool repeats = own < 0 || (a.shape[own] == 1 && target.shape[axis] != 1);
        if (!repeats && a.shape[own] != target.shape[axis])
            exit_thread("ValueError: operands could not be broadcast together");
        view.shape[axis] = target.shape[axis];
        view.strides[axis] = repeats ? 0 : a.stride(own);
    }
    return view;
}

/// To these extents.
template <class T, int N, class From, class... Extents>
PYK_DEVICE array<T, int(sizeof...(Extents)), A> broadcast_to(const array<T, N, From>& a, Extents... extents) {
    const array<const char, int(sizeof...(Extents))> target{nullptr, {extents...}};
    return broadcast(a, target);
}

}  // namespace pyk

#endif  // PYK_BROADCAST_H
