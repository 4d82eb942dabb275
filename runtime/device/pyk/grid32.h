// Where a thread is in its grid, in 32 bits.
//
// Defines: grid32_x, grid32_y, grid32_z, gridsize32_x, gridsize32_y, gridsize32_z
#ifndef PYK_GRID32_H
#define PYK_GRID32_H

#include "pyk/config.h"

#ifdef __CUDACC__

namespace pyk {

PYK_DEVICE unsigned int grid32_x() { return blockIdx.x * blockDim.x + threadIdx.x; }
PYK_DEVICE unsigned int grid32_y() { return blockIdx.y * blockDim.y + threadIdx.y; }
PYK_DEVICE unsigned int grid32_z() { return blockIdx.z * blockDim.z + threadIdx.z; }
PYK_DEVICE unsigned int gridsize32_x() { return gridDim.x * blockDim.x; }
PYK_DEVICE unsigned int gridsize32_y() { return gridDim.y * blockDim.y; }
PYK_DEVICE unsigned int gridsize32_z() { return gridDim.z * blockDim.z; }

}  // namespace pyk

#endif

#endif  // PYK_GRID32_H
