// The elements of an array function on a GPU, one for a thread: what a first call gets, as NVRTC has next to nothing to
// do for it. The loop that moves 16 bytes at once is elementwise.h.
//
// Defines: flat_element, flat_index, flat_input, flat_number, flat_output
#ifndef PYK_SINGLE_H
#define PYK_SINGLE_H

#include "pyk/flat_loop.h"

#ifdef __CUDACC__

namespace pyk {

/// The thread's element. Blocks have 256 threads.
PYK_DEVICE long long flat_index() { return static_cast<long long>(blockIdx.x) * 256 + threadIdx.x; }

/// The operand's element, or word of several, at `index`; a number is there as often as 16 bytes have room. It is there
/// first: ptxas makes better code of the function around it than of a choice between the two. What is larger is always
/// in an array.
template <class T>
PYK_DEVICE T flat_input(const flat_operand& operand, long long index) {
    if constexpr (sizeof(T) > sizeof operand.value) return reinterpret_cast<const T*>(operand.data)[index];
    T element = *reinterpret_cast<const T*>(operand.value);
    const T* const from = reinterpret_cast<const T*>(operand.data) + index;
    if (operand.data) element = *from;
    return element;
}

/// Of an operand that is an array.
template <class T>
PYK_DEVICE T flat_element(const flat_operand& operand, long long index) {
    return reinterpret_cast<const T*>(operand.data)[index];
}

/// Of one that is a number.
template <class T>
PYK_DEVICE T flat_number(const flat_operand& operand) {
    return *reinterpret_cast<const T*>(operand.value);
}

template <class T>
PYK_DEVICE T& flat_output(const flat_operand& operand, long long index) {
    return reinterpret_cast<T*>(operand.data)[index];
}

}  // namespace pyk

#endif

#endif  // PYK_SINGLE_H
