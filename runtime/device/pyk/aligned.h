// Pointers to elements that lie at multiples of their size, though C++ asks for less: a complex number is moved at
// once.
//
// Defines: aligned
#ifndef PYK_ALIGNED_H
#define PYK_ALIGNED_H

#include "pyk/config.h"

namespace pyk {

template <class T>
PYK_DEVICE T* aligned(T* elements) {
    return static_cast<T*>(__builtin_assume_aligned(elements, sizeof(T)));
}

}  // namespace pyk

#endif  // PYK_ALIGNED_H
