// Arrays of any strides (layout A), which every other array converts to.
//
// Defines: A, strided
#ifndef PYK_STRIDED_H
#define PYK_STRIDED_H

#include "pyk/array.h"

namespace pyk {

struct A {};

template <class T>
PYK_HOST_DEVICE T* moved_by(T* data, long long bytes) {
    return reinterpret_cast<T*>(const_cast<char*>(reinterpret_cast<const char*>(data) + bytes));
}

template <class T, int N>
struct array<T, N, A> {
    T* data;
    long long shape[N];
    long long strides[N];  ///< in bytes

    static constexpr int ndim = N;

    template <class... I>
    PYK_HOST_DEVICE decltype(auto) operator()(I... index) const {
        static_assert(sizeof...(I) == N, "one index per axis");
        long long bytes = 0;
        int axis = 0;
        ((bytes += static_cast<long long>(index) * strides[axis++]), ...);
#ifdef __CUDACC__
        return *moved_by(data, bytes);
#else
        return value_at(moved_by(data, bytes));
#endif
    }

    PYK_HOST_DEVICE long long stride(int axis) const { return strides[axis]; }

    template <class U>
    PYK_HOST_DEVICE operator array<U, N, A>() const {
        return as<array<U, N, A>>(*this);
    }
};

template <class U, class T, int N, class Layout>
PYK_HOST_DEVICE void copy_strides(array<U, N, A>& to, const array<T, N, Layout>& from) {
    for (int axis = 0; axis < N; ++axis) to.strides[axis] = from.stride(axis);
}

template <class T, int N, class Layout>
PYK_HOST_DEVICE array<T, N, A> strided(const array<T, N, Layout>& a) {
    return as<array<T, N, A>>(a);
}

}  // namespace pyk

#endif  // PYK_STRIDED_H
