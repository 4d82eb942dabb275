// Sub-arrays by leading indices: `a[i]` of a matrix is its row.
//
// Defines: row
#ifndef PYK_ROW_H
#define PYK_ROW_H

#include "pyk/array.h"
#include "pyk/strided.h"

namespace pyk {

/// `a[index…]` with fewer indices than axes, none negative. Layout C stays C.
template <class T, int N, class... I>
PYK_HOST_DEVICE array<T, N - int(sizeof...(I)), C> row(const array<T, N, C>& a, I... index) {
    constexpr int dropped = sizeof...(I);
    array<T, N - dropped, C> r;
    long long at = 0;
    int axis = 0;
    ((at = at * a.shape[axis++] + static_cast<long long>(index)), ...);
    for (; axis < N; ++axis) {
        at *= a.shape[axis];
        r.shape[axis - dropped] = a.shape[axis];
    }
    r.data = a.data + at;
    return r;
}

/// Any other layout gives layout A.
template <class T, int N, class Layout, class... I>
PYK_HOST_DEVICE array<T, N - int(sizeof...(I)), A> row(const array<T, N, Layout>& a, I... index) {
    constexpr int dropped = sizeof...(I);
    array<T, N - dropped, A> r;
    long long bytes = 0;
    int axis = 0;
    ((bytes += static_cast<long long>(index) * a.stride(axis++)), ...);
    for (; axis < N; ++axis) {
        r.shape[axis - dropped] = a.shape[axis];
        r.strides[axis - dropped] = a.stride(axis);
    }
    r.data = moved_by(a.data, bytes);
    return r;
}

}  // namespace pyk

#endif  // PYK_ROW_H
