// What g++ is not to change: choices that stay branches or become none, loads that stay loads of one element.
//
// Defines: opaque, branched, chosen, in_turn
#ifndef PYK_BRANCH_H
#define PYK_BRANCH_H

#include "pyk/config.h"

namespace pyk {

/// The integer, of which g++ does not know where it comes from.
template <class I>
PYK_DEVICE I opaque(I value) {
#ifndef __CUDACC__
    asm("" : "+r"(value));
#endif
    return value;
}

/// The value, which is computed where it is written only: g++ would choose it without a branch, by a conditional move.
template <class I>
PYK_DEVICE I branched(I value) {
    return opaque(value);
}

/// The number, which there is to be before anything is done with it: g++ would do that in either branch of the choice.
template <class F>
PYK_DEVICE F chosen(F value) {
#if defined(__x86_64__) && !defined(__CUDACC__)
    asm("" : "+x"(value));
#endif
    return value;
}

/// The index, by which no two elements are loaded at once.
template <class I>
PYK_DEVICE I in_turn(I index) {
    return opaque(index);
}

}  // namespace pyk

#endif  // PYK_BRANCH_H
