// Several adjacent elements by one load or store of up to 16 bytes.
//
// Defines: load_vector, store_vector
#ifndef PYK_VECTOR_ACCESS_H
#define PYK_VECTOR_ACCESS_H

#ifndef __CUDACC__
#include <string.h>
#endif

#include "pyk/config.h"
#include "pyk/tuple.h"

namespace pyk {

/// What one instruction moves.
template <int Bytes>
struct access_word;
#ifdef __CUDACC__
template <>
struct access_word<16> {
    using type = uint4;
};
template <>
struct access_word<8> {
    using type = uint2;
};
#else
struct words {
    unsigned long long word[2];
};
template <>
struct access_word<16> {
    using type = words;
};
template <>
struct access_word<8> {
    using type = unsigned long long;
};
#endif
template <>
struct access_word<4> {
    using type = unsigned int;
};
template <>
struct access_word<2> {
    using type = unsigned short;
};
template <>
struct access_word<1> {
    using type = unsigned char;
};

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
