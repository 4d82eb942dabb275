// Choices that stay branches.
//
// Defines: branched
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

}  // namespace pyk

#endif  // PYK_BRANCH_H
