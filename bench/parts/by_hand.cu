// What one writes by hand: rows by a warp or, long ones, by a block; a thread for each element of a small product.
#include <math.h>

#define LAUNCH(name, ...) extern "C" void name(__VA_ARGS__)

template <class F>
__device__ float over_warp(float value, F f) {
    for (int step = 16; step; step /= 2) value = f(value, __shfl_xor_sync(0xffffffff, value, step));
    return value;
}

/// Of all threads that have a row.
template <int Threads, class F>
__device__ float over_row(float value, F f) {
    value = over_warp(value, f);
    if (Threads == 32) return value;
    __shared__ float of_warps[32];
    __syncthreads();
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = of_warps[threadIdx.x % (Threads / 32)];
    for (int step = Threads / 64; step; step /= 2) value = f(value, __shfl_xor_sync(0xffffffff, value, step));
    return value;
}

__device__ float largest(float a, float b) { return fmaxf(a, b); }
__device__ float sum(float a, float b) { return a + b; }

template <int Threads>
__global__ void softmax_k(int rows, int columns, const float* __restrict__ x, float* __restrict__ out) {
    const long long row = blockIdx.x * (long long)(blockDim.x / Threads) + threadIdx.x / Threads;
    if (row >= rows) return;
    const int lane = threadIdx.x % Threads;
    const float* from = x + row * columns;
    float* to = out + row * columns;
    float most = from[0], total = 0;
    for (int i = lane; i < columns; i += Threads) most = fmaxf(most, from[i]);
    most = over_row<Threads>(most, largest);
    for (int i = lane; i < columns; i += Threads) total += expf(from[i] - most);
    total = over_row<Threads>(total, sum);
    for (int i = lane; i < columns; i += Threads) to[i] = expf(from[i] - most) / total;
}

template <int Threads>
__global__ void norm_k(int rows, int columns, const float* __restrict__ x, float* __restrict__ out) {
    const long long row = blockIdx.x * (long long)(blockDim.x / Threads) + threadIdx.x / Threads;
    if (row >= rows) return;
    const int lane = threadIdx.x % Threads;
    float total = 0;
    for (int i = lane; i < columns; i += Threads) total += x[row * columns + i] * x[row * columns + i];
    total = over_row<Threads>(total, sum);
    if (lane == 0) out[row] = sqrtf(total);
}

template <int N>
__global__ void matmul_k(int count, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out) {
    constexpr int of_block = 256 / (N * N);
    __shared__ float sa[of_block][N * N], sb[of_block][N * N];
    const int part = threadIdx.x / (N * N), at = threadIdx.x % (N * N);
    const long long which = (long long)blockIdx.x * of_block + part;
    if (which < count) {
        sa[part][at] = a[which * N * N + at];
        sb[part][at] = b[which * N * N + at];
    }
    __syncthreads();
    if (which >= count) return;
    float total = 0;
    for (int k = 0; k < N; ++k) total += sa[part][at / N * N + k] * sb[part][k * N + at % N];
    out[which * N * N + at] = total;
}

#define BY_ROWS(kernel)                                                  \
    if (columns <= 1024)                                                 \
        kernel<32><<<(rows + 7) / 8, 256>>>(rows, columns, x, out);      \
    else                                                                 \
        kernel<512><<<rows, 512>>>(rows, columns, x, out);

LAUNCH(by_hand_softmax, int rows, int columns, const float* x, float* out) { BY_ROWS(softmax_k) }
LAUNCH(by_hand_norm, int rows, int columns, const float* x, float* out) { BY_ROWS(norm_k) }
LAUNCH(by_hand_matmul_4, int count, const float* a, const float* b, float* out) { matmul_k<4><<<(count + 15) / 16, 256>>>(count, a, b, out); }
LAUNCH(by_hand_matmul_8, int count, const float* a, const float* b, float* out) { matmul_k<8><<<(count + 3) / 4, 256>>>(count, a, b, out); }
