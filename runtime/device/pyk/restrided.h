// `np.lib.stride_tricks.as_strided(a, shape, strides)`: any elements of the array's memory.
//
// Defines: restrided
#ifndef PYK_RESTRIDED_H
#define PYK_RESTRIDED_H

#include "pyk/array.h"
#include "pyk/cell.h"
#include "pyk/strided.h"

namespace pyk {

/// `numbers`: the extents, then as many strides in bytes.
template <class T, int M, class Layout, class... I>
PYK_HOST_DEVICE array<T, int(sizeof...(I) / 2), A> restrided(const array<T, M, Layout>& a, I... numbers) {
    constexpr int N = int(sizeof...(I) / 2);
    const long long all[] = {static_cast<long long>(numbers)...};
    array<T, N, A> view;
    view.data = a.data;
    for (int axis = 0; axis < N; ++axis) {
        view.shape[axis] = all[axis];
        view.strides[axis] = all[N + axis];
    }
    return view;
}

template <class T, int M, class Layout>
PYK_HOST_DEVICE array0<T> restrided(const array<T, M, Layout>& a) {
    array0<T> view;
    view.data = a.data;
    return view;
}

}  // namespace pyk

#endif  // PYK_RESTRIDED_H
