// << and >> for amounts that may be as great as the width: all bits are shifted out then, as the hardware does.
//
// Defines: shl, shr
#ifndef PYK_SHIFT_H
#define PYK_SHIFT_H

#include "pyk/config.h"

namespace pyk {

PYK_DEVICE unsigned long long shl(unsigned long long x, unsigned long long amount) {
    return amount < 64 ? x << amount : 0;
}
PYK_DEVICE unsigned long long shr(unsigned long long x, unsigned long long amount) {
    return amount < 64 ? x >> amount : 0;
}

PYK_DEVICE long long shl(long long x, unsigned long long amount) {
    return static_cast<long long>(shl(static_cast<unsigned long long>(x), amount));
}
PYK_DEVICE long long shr(long long x, unsigned long long amount) { return x >> (amount < 64 ? amount : 63); }

PYK_DEVICE unsigned int shl(unsigned int x, unsigned long long amount) { return amount < 32 ? x << amount : 0; }
PYK_DEVICE unsigned int shr(unsigned int x, unsigned long long amount) { return amount < 32 ? x >> amount : 0; }
PYK_DEVICE int shl(int x, unsigned long long amount) {
    return static_cast<int>(shl(static_cast<unsigned int>(x), amount));
}
PYK_DEVICE int shr(int x, unsigned long long amount) { return x >> (amount < 32 ? amount : 31); }

}  // namespace pyk

#endif  // PYK_SHIFT_H
