// Several adjacent elements at once, reported where they are out of range or not aligned.
//
// Defines: load_vector_checked, store_vector_checked
#ifndef PYK_VECTOR_CHECK_H
#define PYK_VECTOR_CHECK_H

#include "pyk/check.h"
#include "pyk/fail.h"
#include "pyk/vector_access.h"

namespace pyk {

template <int N, class T>
PYK_DEVICE bool is_aligned(const T& place) {
    return reinterpret_cast<unsigned long long>(&place) % (N * sizeof(T)) == 0;
}

#ifdef __CUDACC__
template <int N, class T>
PYK_DEVICE void check_vector(const T& place, long long index, long long extent, int line) {
    const long long first = from_start(index, extent);
    if (first + N > extent) checked(first + N - 1, extent, {"vector", 0, line});
    if (!is_aligned<N>(place)) fail(line, "the elements of a vector load or store are not aligned to its size");
}
template <int N, class T>
PYK_DEVICE auto load_vector_checked(const T& place, long long index, long long extent, int line) {
    check_vector<N>(place, index, extent, line);
    return load_vector<N>(place);
}
template <class T, class... V>
PYK_DEVICE void store_vector_checked(T& place, const tuple<V...>& t, long long index, long long extent, int line) {
    check_vector<int(sizeof...(V))>(place, index, extent, line);
    store_vector(place, t);
}
#else
template <int N, class T>
inline void check_vector(const thread& t, const T& place, long long index, long long extent, int line) {
    const long long first = from_start(index, extent);
    if (first + N > extent) checked(t, first + N - 1, extent, {"vector", 0, line});
    if (!is_aligned<N>(place)) fail(t, line, "the elements of a vector load or store are not aligned to its size");
}
template <int N, class T>
inline auto load_vector_checked(const thread& t, const T& place, long long index, long long extent, int line) {
    check_vector<N>(t, place, index, extent, line);
    return load_vector<N>(place);
}
template <class T, class... V>
inline void store_vector_checked(const thread& t, T& place, const tuple<V...>& values, long long index,
                                 long long extent, int line) {
    check_vector<int(sizeof...(V))>(t, place, index, extent, line);
    store_vector(place, values);
}
#endif

}  // namespace pyk

#endif  // PYK_VECTOR_CHECK_H
