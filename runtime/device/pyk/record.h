// Records (NumPy structured dtypes): values that lie at any address, and one field of each record of an array.
//
// Defines: packed, fields
#ifndef PYK_RECORD_H
#define PYK_RECORD_H

#ifndef __CUDACC__
#include <string.h>
#endif

#include "pyk/array.h"
#include "pyk/strided.h"

namespace pyk {

/// A T at any address: `p()` is its value.
template <class T>
struct packed {
    unsigned char bytes[sizeof(T)];

    PYK_HOST_DEVICE T operator()() const {
        T value;
        memcpy(&value, bytes, sizeof(T));
        return value;
    }
    PYK_HOST_DEVICE packed& operator=(T value) {
        memcpy(bytes, &value, sizeof(T));
        return *this;
    }
};

template <class From, class To>
struct as_const_as {
    using type = To;
};
template <class From, class To>
struct as_const_as<const From, To> {
    using type = const To;
};

/// What a field adds to the axes of its array.
template <class M>
struct member {
    using element = M;
    static constexpr int ndim = 0;
    PYK_HOST_DEVICE static void fill(long long*, long long*) {}
};
template <class M, decltype(sizeof(0)) Extent>
struct member<M[Extent]> {
    using element = typename member<M>::element;
    static constexpr int ndim = 1 + member<M>::ndim;
    PYK_HOST_DEVICE static void fill(long long* shape, long long* strides) {
        shape[0] = Extent;
        strides[0] = sizeof(M);
        member<M>::fill(shape + 1, strides + 1);
    }
};

/// `a.field`: the field of each record, and behind the array's axes those of the field.
template <class M, class R, class T, int N, class Layout>
PYK_HOST_DEVICE auto fields(const array<T, N, Layout>& a, M R::*field) {
    using element = typename as_const_as<T, typename member<M>::element>::type;
    array<element, N + member<M>::ndim, A> f;
    f.data = reinterpret_cast<element*>(&(a.data->*field));
    for (int axis = 0; axis < N; ++axis) {
        f.shape[axis] = a.shape[axis];
        f.strides[axis] = a.stride(axis);
    }
    member<M>::fill(f.shape + N, f.strides + N);
    return f;
}

}  // namespace pyk

#endif  // PYK_RECORD_H
