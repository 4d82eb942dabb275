// Shared memory that the launch sizes.
//
// Defines: dynamic_shared
#ifndef PYK_SHARED_H
#define PYK_SHARED_H

#include "pyk/array.h"

#ifdef __CUDACC__

namespace pyk {

/// All of the block's dynamic shared memory; every such array starts at the same place.
template <class T>
PYK_DEVICE array<T, 1> dynamic_shared() {
    extern __shared__ __align__(16) unsigned char pyk_dynamic_shared[];
    unsigned int bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return {reinterpret_cast<T*>(pyk_dynamic_shared), {static_cast<long long>(bytes / sizeof(T))}};
}

}  // namespace pyk

#else

#include "pyk/cpu.h"

namespace pyk {

template <class T>
inline array<T, 1> dynamic_shared(const thread& t) {
    const long long size = sizeof(T);
    *t.block->takes_dynamic_shared = true;
    return {reinterpret_cast<T*>(t.block->dynamic_shared), {t.block->dynamic_shared_bytes / size}};
}

}  // namespace pyk

#endif

#endif  // PYK_SHARED_H
