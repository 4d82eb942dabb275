// broadcast where shapes that do not fit are reported.
//
// Defines: broadcast_checked, broadcast_to_checked
#ifndef PYK_BROADCAST_CHECK_H
#define PYK_BROADCAST_CHECK_H

#include "pyk/broadcast.h"
#include "pyk/fail.h"

namespace pyk {

template <class T, int N, class From, class U, int M, class To>
PYK_DEVICE bool can_broadcast(const array<T, N, From>& a, const array<U, M, To>& target) {
    for (int own = 0; own < N; ++own)
        if (a.shape[own] != 1 && a.shape[own] != target.shape[own + M - N]) return false;
    return true;
}

#ifdef __CUDACC__

template <class T, int N, class From, class U, int M, class To>
PYK_DEVICE array<T, M, A> broadcast_checked(int line, const array<T, N, From>& a, const array<U, M, To>& target) {
    if (!can_broadcast(a, target)) fail(line, "ValueError: operands could not be broadcast together");
    return broadcast(a, target);
}
template <class T, int N, class From, class... Extents>
PYK_DEVICE auto broadcast_to_checked(int line, const array<T, N, From>& a, Extents... extents) {
    return broadcast_checked(line, a, array<const char, int(sizeof...(Extents))>{nullptr, {extents...}});
}

#else

template <class T, int N, class From, class U, int M, class To>
inline array<T, M, A> broadcast_checked(const thread& t, int line, const array<T, N, From>& a,
                                        const array<U, M, To>& target) {
    if (!can_broadcast(a, target)) fail(t, line, "ValueError: operands could not be broadcast together");
    return broadcast(a, target);
}
template <class T, int N, class From, class... Extents>
inline auto broadcast_to_checked(const thread& t, int line, const array<T, N, From>& a, Extents... extents) {
    return broadcast_checked(t, line, a, array<const char, int(sizeof...(Extents))>{nullptr, {extents...}});
}

#endif

}  // namespace pyk

#endif  // PYK_BROADCAST_CHECK_H
