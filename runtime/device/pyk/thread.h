// Where a thread is in its grid, in 64 bits, and fences.
//
// Defines: grid_x, grid_y, grid_z, gridsize_x, gridsize_y, gridsize_z, laneid, threadfence
#ifndef PYK_THREAD_H
#define PYK_THREAD_H

#include "pyk/config.h"

#ifdef __CUDACC__

namespace pyk {

PYK_DEVICE long long grid_x() { return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; }
// Along y and z a grid has less than 2^27 threads; nvcc sees that an unsigned number is not negative.
PYK_DEVICE long long grid_y() { return blockIdx.y * blockDim.y + threadIdx.y; }
PYK_DEVICE long long grid_z() { return blockIdx.z * blockDim.z + threadIdx.z; }
PYK_DEVICE long long gridsize_x() { return static_cast<long long>(gridDim.x) * blockDim.x; }
PYK_DEVICE long long gridsize_y() { return gridDim.y * blockDim.y; }
PYK_DEVICE long long gridsize_z() { return gridDim.z * blockDim.z; }

PYK_DEVICE int laneid() {
    int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

}  // namespace pyk

#else

#include "pyk/cpu.h"

namespace pyk {

inline long long grid_x(const thread& t) { return static_cast<long long>(t.blockIdx.x) * t.blockDim.x + t.threadIdx.x; }
inline long long grid_y(const thread& t) { return static_cast<long long>(t.blockIdx.y) * t.blockDim.y + t.threadIdx.y; }
inline long long grid_z(const thread& t) { return static_cast<long long>(t.blockIdx.z) * t.blockDim.z + t.threadIdx.z; }
inline long long gridsize_x(const thread& t) { return static_cast<long long>(t.gridDim.x) * t.blockDim.x; }
inline long long gridsize_y(const thread& t) { return static_cast<long long>(t.gridDim.y) * t.blockDim.y; }
inline long long gridsize_z(const thread& t) { return static_cast<long long>(t.gridDim.z) * t.blockDim.z; }

inline int laneid(const thread& t) { return t.index() % 32; }

inline void threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

}  // namespace pyk

#endif

#endif  // PYK_THREAD_H
