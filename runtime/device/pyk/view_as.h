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

/// The axis along which elements lie side by side, of any strides the last; -1: none.
template <class T, int N>
PYK_HOST_DEVICE constexpr int contiguous_axis(const array<T, N, C>&) {
    return N - 1;
}
template <class T, int N>
PYK_HOST_DEVICE constexpr int contiguous_axis(const array<T, N, F>&) {
    return 0;
}
template <class T, int N>
PYK_HOST_DEVICE constexpr int contiguous_axis(const array<T, N, A>& a) {
    return a.strides[N - 1] == static_cast<long long>(sizeof(T)) ? N - 1 : -1;
}

template <class T, int N, class Layout>
PYK_HOST_DEVICE void set_stride(array<T, N, Layout>&, int) {}
template <class T, int N>
PYK_HOST_DEVICE void set_stride(array<T, N, A>& a, int axis) {
    a.strides[axis] = sizeof(T);
}

/// The contiguous axis gets longer or shorter where the sizes differ. Where there is none, or its bytes do not divide,
/// the thread ends, as in Numba.
template <class T, class From, int N, class Layout>
PYK_DEVICE auto view_as(const array<From, N, Layout>& a) {
    array<typename same_const<T, From>::type, N, Layout> view;
    view.data = reinterpret_cast<decltype(view.data)>(a.data);
    for (int axis = 0; axis < N; ++axis) view.shape[axis] = a.shape[axis];
    copy_strides(view, a);
    if (sizeof(T) == sizeof(From)) return view;
    const int axis = contiguous_axis(a);
    if (axis < 0) exit_thread("ValueError: view: the last axis is not contiguous");
    const long long bytes = a.shape[axis] * static_cast<long long>(sizeof(From));
    if (bytes % static_cast<long long>(sizeof(T)) != 0)
        exit_thread("ValueError: view: the contiguous axis has no whole number of such elements");
    view.shape[axis] = bytes / static_cast<long long>(sizeof(T));
    set_stride(view, axis);
    return view;
}

}  // namespace pyk

#endif  // PYK_VIEW_AS_H
