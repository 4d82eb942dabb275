// An array that a function of the CPU gives to the host that called it. Host and emitted code share these layouts.
//
// Defines: memory_block, given_array, let_go
#ifndef PYK_GIVEN_CPU_H
#define PYK_GIVEN_CPU_H

#include <stdlib.h>

namespace pyk {

/// In front of the elements of a new array.
struct alignas(64) memory_block {
    long long holders;
};

inline void let_go(memory_block* block) {
    if (block && __atomic_sub_fetch(&block->holders, 1, __ATOMIC_ACQ_REL) == 0) free(block);
}

struct given_array {
    void* data;
    memory_block* block;  ///< one share of it, to be released; null: the memory is the caller's
    long long ndim, shape[8], strides[8];
};

}  // namespace pyk

#endif  // PYK_GIVEN_CPU_H
