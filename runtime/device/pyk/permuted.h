// `a.transpose(axes)`: the axes in any order, over the same elements.
//
// Defines: permuted
#ifndef PYK_PERMUTED_H
#define PYK_PERMUTED_H

#include "pyk/array.h"
#include "pyk/strided.h"

namespace pyk {

template <class T, int N, class Layout, class... I>
PYK_HOST_DEVICE array<T, N, A> permuted(const array<T, N, Layout>& a, I... axis) {
    static_assert(sizeof...(I) == N, "one number per axis");
    array<T, N, A> view;
    view.data = a.data;
    int to = 0;
    ((view.shape[to] = a.shape[axis], view.strides[to++] = a.stride(axis)), ...);
    return view;
}

}  // namespace pyk

#endif  // PYK_PERMUTED_H
