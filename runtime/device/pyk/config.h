// How functions of the prelude are marked. The same text compiles with nvcc, with NVRTC and, for the CPU target, with
// g++ or clang++.
//
// Defines: PYK_DEVICE, PYK_HOST_DEVICE
#ifndef PYK_CONFIG_H
#define PYK_CONFIG_H

#ifdef __CUDACC__
#define PYK_DEVICE __device__ __forceinline__
#define PYK_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define PYK_DEVICE inline
#define PYK_HOST_DEVICE inline
#endif

#endif  // PYK_CONFIG_H
