// Several adjacent elements by one load or store of up to 16 bytes.
//
// Defines: load_vector, store_vector
#ifndef PYK_VECTOR_ACCESS_H
#define PYK_VECTOR_ACCESS_H

#ifndef __CUDACC__
#include <string.h>
#endif

#include "pyk/access_word.h"
#include "pyk/config.h"
#include "pyk/tuple.h"

namespace pyk {

template <class T, int... I>
PYK_DEVICE auto to_tuple(places<I...>, const T* values) {
    return make_tuple(values[I]...);
}
template <class T, int... I, class Tuple>
PYK_DEVICE void from_tuple(places<I...>, const Tuple& t, T* values) {
    ((values[I] = get<I>(t)), ...);
}

/// The address must be a multiple of the bytes moved.
template <int N, class T>
PYK_DEVICE auto load_vector(const T& place) {
    using word = typename access_word<N* int(sizeof(T))>::type;
    T values[N];
#ifdef __CUDACC__
    const word bits = *reinterpret_cast<const word*>(&place);
    memcpy(values, &bits, sizeof(word));
#else
    memcpy(values, &place, sizeof(word));
#endif
    return to_tuple(typename first_places<N>::type{}, values);
}

template <class T, class... V>
PYK_DEVICE void store_vector(T& place, const tuple<V...>& t) {
    constexpr int n = int(sizeof...(V));
    using word = typename access_word<n* int(sizeof(T))>::type;
    T values[n];
    from_tuple(typename first_places<n>::type{}, t, values);
#ifdef __CUDACC__
    word bits;
    memcpy(&bits, values, sizeof(word));
    *reinterpret_cast<word*>(&place) = bits;
#else
    memcpy(&place, values, sizeof(word));
#endif
}

}  // namespace pyk

#endif  // PYK_VECTOR_ACCESS_H
