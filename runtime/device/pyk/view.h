// Arrays made of plain C++ arrays, such as shared ones: `__shared__ float s[16][8]` → pyk::array<float, 2>.
//
// Defines: view
#ifndef PYK_VIEW_H
#define PYK_VIEW_H

#include "pyk/array.h"

namespace pyk {

/// What a plain array of type P is made of, and its shape.
template <class P>
struct plain {
    using element = P;
    static constexpr int ndim = 0;
    PYK_HOST_DEVICE static P* first(P& p) { return &p; }
    PYK_HOST_DEVICE static void fill(long long*) {}
};

template <class P, decltype(sizeof(0)) Extent>
struct plain<P[Extent]> {
    using element = typename plain<P>::element;
    static constexpr int ndim = 1 + plain<P>::ndim;
    PYK_HOST_DEVICE static element* first(P (&p)[Extent]) { return plain<P>::first(p[0]); }
    PYK_HOST_DEVICE static void fill(long long* shape) {
        shape[0] = Extent;
        plain<P>::fill(shape + 1);
    }
};

template <class P>
PYK_HOST_DEVICE array<typename plain<P>::element, plain<P>::ndim> view(P& p) {
    array<typename plain<P>::element, plain<P>::ndim> a;
    a.data = plain<P>::first(p);
    plain<P>::fill(a.shape);
    return a;
}

}  // namespace pyk

#endif  // PYK_VIEW_H
