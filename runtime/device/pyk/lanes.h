// Neighbouring elements in registers, moved by up to 16 bytes at once.
//
// Defines: lanes, load_lanes, store_lanes
#ifndef PYK_LANES_H
#define PYK_LANES_H

#include "pyk/access_word.h"

#ifdef __CUDACC__

namespace pyk {

/// Elements of one operand in registers.
template <class T, int Count>
struct lanes {
    T at[Count];
};

template <int Width, class T>
PYK_DEVICE void load_lanes(T* to, const char* from) {
    if constexpr (Width == 1) {
        *to = *reinterpret_cast<const T*>(from);
    } else {
        using word = typename access_word<Width* int(sizeof(T))>::type;
        const word bits = *reinterpret_cast<const word*>(from);
        memcpy(to, &bits, sizeof bits);
    }
}
template <int Width, class T>
PYK_DEVICE void store_lanes(char* to, const T* from) {
    if constexpr (Width == 1) {
        *reinterpret_cast<T*>(to) = *from;
    } else {
        using word = typename access_word<Width* int(sizeof(T))>::type;
        word bits;
        memcpy(&bits, from, sizeof bits);
        *reinterpret_cast<word*>(to) = bits;
    }
}

}  // namespace pyk

#endif  // __CUDACC__

#endif  // PYK_LANES_H
