// `a[:, None]`: one axis more, of one element.
//
// Defines: new_axis
#ifndef PYK_NEW_AXIS_H
#define PYK_NEW_AXIS_H

#include "pyk/array.h"
#include "pyk/strided.h"

namespace pyk {

template <class T, int N, class Layout>
PYK_HOST_DEVICE array<T, N + 1, A> new_axis(const array<T, N, Layout>& a, int at) {
    array<T, N + 1, A> view;
    view.data = a.data;
    for (int axis = 0; axis <= N; ++axis) {
        view.shape[axis] = axis == at ? 1 : a.shape[axis < at ? axis : axis - 1];
        view.strides[axis] = axis == at ? 0 : a.stride(axis < at ? axis : axis - 1);
    }
    return view;
}

}  // namespace pyk

#endif  // PYK_NEW_AXIS_H
