// Arrays in C order of at most 2^30 elements: extents and places have 32 bits.
//
// Defines: array32
#ifndef PYK_ARRAY32_H
#define PYK_ARRAY32_H

#include "pyk/array.h"

namespace pyk {

/// Everything that takes an array takes it.
template <class T, int N>
struct array32 : array<T, N> {
    int shape[N];

    PYK_DEVICE array32(T* elements, const long long (&extents)[N]) : array<T, N>{elements, {}} {
        for (int axis = 0; axis < N; ++axis) {
            array<T, N>::shape[axis] = extents[axis];
            shape[axis] = static_cast<int>(extents[axis]);
        }
    }

    template <class... I>
    PYK_DEVICE T& operator()(I... index) const {
        static_assert(sizeof...(I) == N, "one index per axis");
        int at = 0;
        int axis = 0;
        ((at = at * shape[axis++] + static_cast<int>(index)), ...);
        return array<T, N>::data[at];
    }
};

}  // namespace pyk

#endif  // PYK_ARRAY32_H
