// Basic slicing: views of an array by indices and Python slices, clipped as Python clips them.
//
// Defines: slice, span, none
#ifndef PYK_SLICE_H
#define PYK_SLICE_H

#include "pyk/array.h"
#include "pyk/exit.h"
#include "pyk/fortran.h"
#include "pyk/strided.h"

namespace pyk {

/// A part of a slice that was left out. (It is the least int64, which therefore cannot be a bound.)
enum : long long { none = -9223372036854775807LL - 1 };

/// `start:stop:step`. A step of zero ends the thread, as in Numba.
struct span {
    long long start = none;
    long long stop = none;
    long long step = 1;
};

/// A bound of a slice as an index in [least, most]; negative ones count from the end.
PYK_HOST_DEVICE long long clip(long long bound, long long extent, long long least, long long most) {
    if (bound < 0) bound += extent;
    return bound < least ? least : bound > most ? most : bound;
}

/// The first index that a span takes of an axis, and how many.
PYK_DEVICE void resolve(const span& s, long long extent, long long& first, long long& count) {
    if (s.step == 0) exit_thread("ValueError: slice step cannot be zero");
    const bool forward = s.step > 0;
    const long long least = forward ? 0 : -1;
    const long long most = forward ? extent : extent - 1;
    first = s.start != none ? clip(s.start, extent, least, most) : forward ? least : most;
    const long long stop = s.stop != none ? clip(s.stop, extent, least, most) : forward ? most : least;
    if (forward)
        count = stop > first ? (stop - first - 1) / s.step + 1 : 0;
    else
        count = stop < first ? (stop - first + 1) / s.step + 1 : 0;
}

template <class S>
struct axes_kept {
    static constexpr int value = 0;
};
template <>
struct axes_kept<span> {
    static constexpr int value = 1;
};

template <class From, class To, class I>
PYK_DEVICE void take(const From& from, To& to, int& axis, int&, I index) {
    to.data = moved_by(to.data, static_cast<long long>(index) * from.stride(axis++));
}
template <class From, class To>
PYK_DEVICE void take(const From& from, To& to, int& axis, int& kept, span s) {
    long long first;
    resolve(s, from.shape[axis], first, to.shape[kept]);
    to.data = moved_by(to.data, first * from.stride(axis));
    to.strides[kept++] = s.step * from.stride(axis++);
}

template <class T, int N>
PYK_HOST_DEVICE void copy_strides(array<T, N, C>&, const array<T, N, A>&) {}
template <class T, int N>
PYK_HOST_DEVICE void copy_strides(array<T, N, F>&, const array<T, N, A>&) {}

/// `a[subscript…]`: each a span, or an index that is not negative; axes beyond the subscripts are taken whole. The
/// layout of the result is A, or what the caller knows it to be.
template <class Layout = A, class T, int N, class From, class... S>
PYK_DEVICE auto slice(const array<T, N, From>& a, S... subscript) {
    constexpr int dropped = sizeof...(S) - (0 + ... + axes_kept<S>::value);
    array<T, N - dropped, A> view;
    view.data = a.data;
    int axis = 0;
    int kept = 0;
    (take(a, view, axis, kept, subscript), ...);
    for (; axis < N; ++axis, ++kept) {
        view.shape[kept] = a.shape[axis];
        view.strides[kept] = a.stride(axis);
    }
    return as<array<T, N - dropped, Layout>>(view);
}

}  // namespace pyk

#endif  // PYK_SLICE_H
