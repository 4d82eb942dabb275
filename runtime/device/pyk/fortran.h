// Arrays in Fortran order: the first axis is contiguous.
//
// Defines: F
#ifndef PYK_FORTRAN_H
#define PYK_FORTRAN_H

#include "pyk/array.h"

namespace pyk {

struct F {};

template <class T, int N>
struct array<T, N, F> {
    T* data;
    long long shape[N];

    static constexpr int ndim = N;

    template <class... I>
    PYK_HOST_DEVICE T& operator()(I... index) const {
        static_assert(sizeof...(I) == N, "one index per axis");
        long long at = 0;
        long long step = 1;
        int axis = 0;
        ((at += static_cast<long long>(index) * step, step *= shape[axis++]), ...);
        return data[at];
    }

    /// Bytes from one element to the next along an axis.
    PYK_HOST_DEVICE long long stride(int axis) const {
        long long bytes = sizeof(T);
        for (int k = 0; k < axis; ++k) bytes *= shape[k];
        return bytes;
    }

    template <class U, class Layout>
    PYK_HOST_DEVICE operator array<U, N, Layout>() const {
        return as<array<U, N, Layout>>(*this);
    }
};

template <class U, class T, int N>
PYK_HOST_DEVICE void copy_strides(array<U, N, F>&, const array<T, N, F>&) {}

}  // namespace pyk

#endif  // PYK_FORTRAN_H
