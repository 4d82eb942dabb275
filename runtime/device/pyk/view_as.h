// `a.view(dtype)`: the same bytes as elements of another type.
//
// Defines: view_as
#ifndef PYK_VIEW_AS_H
#define PYK_VIEW_AS_H

#include "pyk/array.h"
#include "pyk/exit.h"
#include "pyk/fortran.h"
#include "pyk/strided.h"

namespace pyk {

/// `From` with the constness of the elements that it stands for.
template <class T, class From>
struct same_const {
    using type = T;
};
template <class T, class From>
struct same_const<T, const From> {
    using type = const T;
};

template <int N>
PYK_HOST_DEVICE constexpr int contiguous_axis(C) {
    return N - 1;
}
template <int N>
PYK_HOST_DEVICE constexpr int contiguous_axis(F) {
    return 0;
}
template <int N>
PYK_HOST_DEVICE constexpr int contiguous_axis(A) {
    return N - 1;
}

/// The contiguous axis gets longer or shorter where the sizes differ. Bytes that do not divide end the thread, as in
/// Numba.
template <class T, class From, int N, class Layout>
PYK_DEVICE auto view_as(const array<From, N, Layout>& a) {
    array<typename same_const<T, From>::type, N, Layout> view;
    view.data = reinterpret_cast<decltype(view.data)>(a.data);
    for (int axis = 0; axis < N; ++axis) view.shape[axis] = a.shape[axis];
    copy_strides(view, a);
    const long long bytes = a.shape[contiguous_axis<N>(Layout())] * static_cast<long long>(sizeof(From));
    if (bytes % static_cast<long long>(sizeof(T)) != 0)
        exit_thread("ValueError: view: the last axis has no whole number of such elements");
    view.shape[contiguous_axis<N>(Layout())] = bytes / static_cast<long long>(sizeof(T));
    return view;
}

}  // namespace pyk

#endif  // PYK_VIEW_AS_H
