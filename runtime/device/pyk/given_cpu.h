// An array that a function of the CPU gives to the host that called it. Host and emitted code share these layouts.
//
// Defines: memory_block, given_array, let_go, is_whole
#ifndef PYK_GIVEN_CPU_H
#define PYK_GIVEN_CPU_H

namespace pyk {

/// In front of the elements of a new array.
struct alignas(64) memory_block {
    long long holders, bytes;
    void (*release)(void* block);
    long long unused[5];  ///< where the block lies on a cache line, the elements do
};

/// Who is the only holder stays that: nobody else can make another one.
inline void let_go(memory_block* block) {
    if (block && (__atomic_load_n(&block->holders, __ATOMIC_ACQUIRE) == 1 ||
                  __atomic_sub_fetch(&block->holders, 1, __ATOMIC_ACQ_REL) == 0))
        block->release(block);
}

struct given_array {
    static constexpr int max_ndim = 32;

    void* data;
    memory_block* block;  ///< one share of it, to be released; null: the memory is the caller's
    long long ndim, shape[max_ndim], strides[max_ndim];
};

/// Whether it is all of a new array, in C order, and nothing else holds that: then the memory itself can be the host's.
inline bool is_whole(const given_array& given, long long element_bytes) {
    if (!given.block || given.block->holders != 1 || given.data != given.block + 1) return false;
    long long bytes = element_bytes;
    for (long long axis = given.ndim - 1; axis >= 0; --axis) {
        if (given.shape[axis] != 1 && given.strides[axis] != bytes) return false;
        bytes *= given.shape[axis];
    }
    return bytes == given.block->bytes;
}

}  // namespace pyk

#endif  // PYK_GIVEN_CPU_H
