// What g++ is not to change: choices that stay branches, loads that stay loads of one element.
//
// Defines: branched, in_turn
#ifndef PYK_BRANCH_H
#define PYK_BRANCH_H

#include "pyk/config.h"

namespace pyk {

/// The value, which is computed where it is written only: g++ would choose it without a branch, by a conditional move.
template <class T>
PYK_DEVICE T branched(T value) {
#ifndef __CUDACC__
    asm("" : "+r"(value));
#endif
    return value;
}

/// The index, by which no two elements are loaded at once.
template <class I>
PYK_DEVICE I in_turn(I index) {
#ifndef __CUDACC__
    asm("" : "+r"(index));
#endif
    return index;
}

}  // namespace pyk

#endif  // PYK_BRANCH_H
