// A barrier of all threads of the grid. The launch must be a cooperative one.
//
// Defines: sync_grid
#ifndef PYK_GRID_SYNC_H
#define PYK_GRID_SYNC_H

#include "pyk/config.h"

#ifdef __CUDACC__

namespace pyk {

/// The counter that the driver gives every cooperative launch, as CUDA's own cooperative groups find it: the second
/// word of the workspace at envreg1:envreg2.
PYK_DEVICE unsigned int* grid_counter() {
    unsigned int high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    return reinterpret_cast<unsigned int*>(static_cast<unsigned long long>(high) << 32 | low) + 1;
}

/// Every block adds 1, the first one what is missing to the highest bit: that bit turns when all are here. Gives 0, as
/// Numba's does.
PYK_DEVICE int sync_grid() {
    __syncthreads();
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        const unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
        const bool is_first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
        unsigned int* counter = grid_counter();
        __threadfence();
        const unsigned int before = atomicAdd(counter, is_first ? 0x80000000u - (blocks - 1) : 1u);
        while (((before ^ *static_cast<volatile unsigned int*>(counter)) & 0x80000000u) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
    return 0;
}

}  // namespace pyk

#else

#include "pyk/cpu.h"

namespace pyk {

inline int sync_grid(const thread& t) {
    t.sync_grid();
    return 0;
}

}  // namespace pyk

#endif

#endif  // PYK_GRID_SYNC_H
