// One line of a reduction or an accumulation.
//
// Defines: line_length, fold_line, with_identity, scan_line
#ifndef PYK_FOLD_LINE_H
#define PYK_FOLD_LINE_H

#include "pyk/config.h"
#include "pyk/elementwise_loop.h"

namespace pyk {

/// The elements that a line has of its axis.
PYK_DEVICE long long line_length(const fold_axis& axis, long long line) {
    if (axis.is_interleaved) return (axis.length - line + axis.lines - 1) / axis.lines;
    const long long block = (axis.length + axis.lines - 1) / axis.lines, left = axis.length - line * block;
    return left < block ? left : block;
}

/// From left to right. Precondition: there is an element.
template <class T, class F>
PYK_DEVICE T fold_line(const char* from, long long count, long long step, F& f) {
    T sum = *reinterpret_cast<const T*>(from);
    long long i = 1;
    // Several loads before the first of them is used.
    for (; i + 4 <= count; i += 4) {
        T next[4];
        for (int k = 0; k < 4; ++k) next[k] = *reinterpret_cast<const T*>(from + (i + k) * step);
        for (int k = 0; k < 4; ++k) sum = f(sum, next[k]);
    }
    for (; i < count; ++i) sum = f(sum, *reinterpret_cast<const T*>(from + i * step));
    return sum;
}

/// With the identity on the left, as NumPy's reductions begin with it: a sum of -0.0 is 0.0.
template <class T, class F>
PYK_DEVICE T with_identity(const fold_axis& axis, T sum, F& f) {
    if constexpr (sizeof(T) <= sizeof axis.identity)
        if (axis.has_identity) return f(*reinterpret_cast<const T*>(axis.identity), sum);
    return sum;
}

template <class T, class F>
PYK_DEVICE void scan_line(const char* from, char* to, long long count, long long step, long long out_step, F& f) {
    T sum = *reinterpret_cast<const T*>(from);
    *reinterpret_cast<T*>(to) = sum;
    for (long long i = 1; i < count; ++i) {
        sum = f(sum, *reinterpret_cast<const T*>(from + i * step));
        *reinterpret_cast<T*>(to + i * out_step) = sum;
    }
}

}  // namespace pyk

#endif  // PYK_FOLD_LINE_H
