// Arrays as kernels see them: a pointer and a shape. Indices are 64 bits wide and not negative.
// Passed by value as kernel parameters: the layout in memory is that of the packed argument buffer.
//
// Defines: array, C, value_at, wrap, size
#ifndef PYK_ARRAY_H
#define PYK_ARRAY_H

#include "pyk/config.h"

namespace pyk {

struct C {};  ///< C order: the last axis is contiguous

template <class T, int N, class Layout = C>
struct array;

/// The same elements as another type of array: const, or of layout A.
template <class To, class From>
PYK_HOST_DEVICE To as(const From& from) {
    To to;
    to.data = from.data;
    for (int axis = 0; axis < From::ndim; ++axis) to.shape[axis] = from.shape[axis];
    copy_strides(to, from);
    return to;
}

#ifndef __CUDACC__
/// An element as it is used. A bool that is only read is a byte to the CPU: g++ makes no SIMD of loops that load bool
/// and compute in wider types.
template <class T>
T& value_at(T* at) {
    return *at;
}
inline bool value_at(const bool* at) { return *reinterpret_cast<const unsigned char*>(at) != 0; }
#endif

template <class T, int N>
struct array<T, N, C> {
    T* data;
    long long shape[N];

    static constexpr int ndim = N;

    template <class... I>
    PYK_HOST_DEVICE decltype(auto) operator()(I... index) const {
        static_assert(sizeof...(I) == N, "one index per axis");
        long long at = 0;
        int axis = 0;
        ((at = at * shape[axis++] + static_cast<long long>(index)), ...);
#ifdef __CUDACC__
        return data[at];
#else
        return value_at(data + at);
#endif
    }

    /// Bytes from one element to the next along an axis.
    PYK_HOST_DEVICE long long stride(int axis) const {
        long long bytes = sizeof(T);
        for (int k = N - 1; k > axis; --k) bytes *= shape[k];
        return bytes;
    }

    template <class U, class Layout>
    PYK_HOST_DEVICE operator array<U, N, Layout>() const {
        return as<array<U, N, Layout>>(*this);
    }
};

template <class U, class T, int N>
PYK_HOST_DEVICE void copy_strides(array<U, N, C>&, const array<T, N, C>&) {}

/// Python's index: a negative one counts from the end.
template <class I>
PYK_HOST_DEVICE long long wrap(I index, long long extent) {
    const long long i = static_cast<long long>(index);
    return I(-1) < I(0) && i < 0 ? i + extent : i;
}

/// The number of elements.
template <class T, int N, class Layout>
PYK_HOST_DEVICE long long size(const array<T, N, Layout>& a) {
    long long product = 1;
    for (int axis = 0; axis < N; ++axis) product *= a.shape[axis];
    return product;
}

}  // namespace pyk

#endif  // PYK_ARRAY_H
