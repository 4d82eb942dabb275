// Counting and reversing bits. Narrow integers are taken at their own width.
//
// Defines: popc, clz, ffs, brev
#ifndef PYK_BITS_H
#define PYK_BITS_H

#include "pyk/config.h"

namespace pyk {

/// The value's own bits, above them zeros.
template <class T>
PYK_DEVICE unsigned long long own_bits(T x) {
    return static_cast<unsigned long long>(x) & (~0ull >> (64 - 8 * sizeof(T)));
}

#ifdef __CUDACC__
PYK_DEVICE int count_ones(unsigned long long bits) { return __popcll(static_cast<long long>(bits)); }
PYK_DEVICE int leading_zeros(unsigned long long bits) { return __clzll(static_cast<long long>(bits)); }
PYK_DEVICE int first_one(unsigned long long bits) { return __ffsll(static_cast<long long>(bits)); }
PYK_DEVICE unsigned int brev(unsigned int x) { return __brev(x); }
PYK_DEVICE unsigned long long brev(unsigned long long x) { return __brevll(x); }
#else
inline int count_ones(unsigned long long bits) { return __builtin_popcountll(bits); }
inline int leading_zeros(unsigned long long bits) { return bits == 0 ? 64 : __builtin_clzll(bits); }
inline int first_one(unsigned long long bits) { return __builtin_ffsll(static_cast<long long>(bits)); }
inline unsigned long long brev(unsigned long long x) {
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
}
inline unsigned int brev(unsigned int x) {
    return static_cast<unsigned int>(brev(static_cast<unsigned long long>(x)) >> 32);
}
#endif

/// One bits.
template <class T>
PYK_DEVICE T popc(T x) {
    return static_cast<T>(count_ones(own_bits(x)));
}
/// Zero bits above the highest one.
template <class T>
PYK_DEVICE T clz(T x) {
    return static_cast<T>(leading_zeros(own_bits(x)) - (64 - 8 * static_cast<int>(sizeof(T))));
}
/// The place of the lowest one, counted from 1; 0 when there is none.
template <class T>
PYK_DEVICE unsigned int ffs(T x) {
    return static_cast<unsigned int>(first_one(own_bits(x)));
}

}  // namespace pyk

#endif  // PYK_BITS_H
