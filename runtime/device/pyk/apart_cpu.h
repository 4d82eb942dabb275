// What an expression of whole arrays reads, where its elements go straight to the array that they are stored to.
//
// Defines: apart
#ifndef PYK_APART_CPU_H
#define PYK_APART_CPU_H

#include <type_traits>

#include "pyk/array.h"
#include "pyk/kept_cpu.h"
#include "pyk/overlaps_cpu.h"
#include "pyk/strided.h"

namespace pyk {

template <class T, int N>
void set_strides(array<T, N, A>& a) {
    long long bytes = sizeof(T);
    for (int axis = N - 1; axis >= 0; bytes *= a.shape[axis--]) a.strides[axis] = bytes;
}
template <class T, int N, class Layout>
void set_strides(array<T, N, Layout>&) {}

/// The array itself, or a copy where storing to one element of `target` may change another one of it.
template <class T, int N, class Layout, class U, int M, class To>
kept<array<T, N, Layout>> apart(const thread& t, int line, const array<T, N, Layout>& a,
                                const array<U, M, To>& target) {
    if (!overlaps(a, target)) return kept<array<T, N, Layout>>(a);
    using Element = std::remove_const_t<T>;
    const kept<array<Element, 1>> memory = new_array<Element>(t, line, size(a));
    array<Element, N, Layout> copy;
    copy.data = memory.data;
    for (int axis = 0; axis < N; ++axis) copy.shape[axis] = a.shape[axis];
    set_strides(copy);
    long long at[N] = {};
    for (long long left = size(a); left > 0; --left) {
        long long from = 0, to = 0;
        for (int axis = 0; axis < N; ++axis) {
            from += at[axis] * a.stride(axis);
            to += at[axis] * copy.stride(axis);
        }
        *moved_by(copy.data, to) = *moved_by(a.data, from);
        for (int axis = N - 1; axis >= 0 && ++at[axis] == a.shape[axis]; --axis) at[axis] = 0;
    }
    return kept<array<T, N, Layout>>(copy, memory.block);
}

}  // namespace pyk

#endif  // PYK_APART_CPU_H
