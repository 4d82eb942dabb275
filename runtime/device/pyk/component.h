// `a.real` and `a.imag` of an array of complex elements.
//
// Defines: component
#ifndef PYK_COMPONENT_H
#define PYK_COMPONENT_H

#include "pyk/complex.h"
#include "pyk/fortran.h"
#include "pyk/strided.h"

namespace pyk {

/// The array's shape and strides over other elements.
template <class T, class Element, int N, class Layout>
PYK_DEVICE array<T, N, A> over(T* first, const array<Element, N, Layout>& a) {
    array<T, N, A> view;
    view.data = first;
    for (int axis = 0; axis < N; ++axis) view.shape[axis] = a.shape[axis];
    copy_strides(view, a);
    return view;
}

/// The real parts (0) or the imaginary parts (1), where they are.
template <class Complex, int N, class Layout>
PYK_DEVICE auto component(const array<Complex, N, Layout>& a, int part) {
    return over(&a.data->re + part, a);
}

}  // namespace pyk

#endif  // PYK_COMPONENT_H
