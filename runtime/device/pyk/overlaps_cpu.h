// Whether two arrays share memory.
//
// Defines: disjoint, overlaps
#ifndef PYK_OVERLAPS_CPU_H
#define PYK_OVERLAPS_CPU_H

#include "pyk/array.h"
#include "pyk/strided.h"

namespace pyk {

/// The first byte of an array's elements, and the one behind the last.
template <class T, int N, class Layout>
void reach_of(const array<T, N, Layout>& a, const char*& first, const char*& end) {
    first = end = reinterpret_cast<const char*>(a.data);
    for (int axis = 0; axis < N; ++axis) (a.stride(axis) < 0 ? first : end) += (a.shape[axis] - 1) * a.stride(axis);
    end += sizeof(T);
}

/// Whether what one array reaches over lies in front of the other; of an empty array either may come out.
template <class T, int N, class Layout, class U, int M, class Other>
bool disjoint(const array<T, N, Layout>& a, const array<U, M, Other>& b) {
    const char *first, *end, *other_first, *other_end;
    reach_of(a, first, end);
    reach_of(b, other_first, other_end);
    return end <= other_first || other_end <= first;
}

/// Whether an element of `b` may lie where one of `a` does that has another place in it.
template <class T, int N, class Layout, class U, int M, class Other>
bool overlaps(const array<T, N, Layout>& a, const array<U, M, Other>& b) {
    if (size(a) == 0 || size(b) == 0 || disjoint(a, b)) return false;
    bool is_same = N == M && sizeof(T) == sizeof(U) && static_cast<const void*>(a.data) == b.data;
    for (int axis = 0; is_same && axis < N; ++axis)
        is_same = a.shape[axis] == b.shape[axis] && (a.shape[axis] == 1 || a.stride(axis) == b.stride(axis));
    return !is_same;
}

}  // namespace pyk

#endif  // PYK_OVERLAPS_CPU_H
