// Arrays without axes: one element; and all elements along one axis.
//
// Defines: array0, cell_of, axis_of
#ifndef PYK_CELL_H
#define PYK_CELL_H

#include "pyk/array.h"
#include "pyk/exit.h"

namespace pyk {

template <class T>
struct array<T, 0, C> {
    T* data;

    static constexpr int ndim = 0;

    PYK_HOST_DEVICE T& operator()() const { return *data; }
    template <class U>
    PYK_HOST_DEVICE operator array<U, 0, C>() const {
        return {data};
    }
};
template <class T>
using array0 = array<T, 0>;

template <class T>
PYK_HOST_DEVICE long long size(const array<T, 0>&) {
    return 1;
}

/// `a.reshape(())`: an array of more or fewer elements ends the thread.
template <class T, int N>
PYK_DEVICE array0<T> cell_of(const array<T, N>& a) {
    if (size(a) != 1) exit_thread("ValueError: an array of one element is needed here");
    return {a.data};
}

/// `a.ravel()`, `a.flat` of an array in C order.
template <class T, int N, class Layout>
PYK_DEVICE array<T, 1, Layout> axis_of(const array<T, N, Layout>& a) {
    array<T, 1, Layout> view;
    view.data = a.data;
    view.shape[0] = size(a);
    return view;
}

}  // namespace pyk

#endif  // PYK_CELL_H
