// matmul.pyk → CUDA C++ by pykc 0.1.
// matmul_naive(float32[:, ::1], float32[:, ::1], float32[:, ::1])
// matmul_tiled(float32[:, ::1], float32[:, ::1], float32[:, ::1])

#ifndef PYK_CONFIG_H
#define PYK_CONFIG_H

#define PYK_DEVICE __device__ __forceinline__
#define PYK_HOST_DEVICE __host__ __device__ __forceinline__

#endif  // PYK_CONFIG_H

#ifndef PYK_ARRAY_H
#define PYK_ARRAY_H

namespace pyk {

struct C {};  ///< C order: the last axis is contiguous

template <class T, int N, class Layout = C>
struct array;

template <class To, class From>
PYK_HOST_DEVICE To as(const From& from) {
    To to;
    to.data = from.data;
    for (int axis = 0; axis < From::ndim; ++axis) to.shape[axis] = from.shape[axis];
    copy_strides(to, from);
    return to;
}

template <class T, int N>
struct array<T, N, C> {
    T* data;
    long long shape[N];

    static constexpr int ndim = N;

    template <class... I>
    PYK_HOST_DEVICE decltype(auto) operator()(I... index) const {
        static_assert(sizeof...(I) == N, "one index per axis");
        long long at = 0;
        int axis = 0;
        ((at = at * shape[axis++] + static_cast<long long>(index)), ...);
        return data[at];
    }

    PYK_HOST_DEVICE long long stride(int axis) const {
        long long bytes = sizeof(T);
        for (int k = N - 1; k > axis; --k) bytes *= shape[k];
        return bytes;
    }

    template <class U, class Layout>
    PYK_HOST_DEVICE operator array<U, N, Layout>() const {
        return as<array<U, N, Layout>>(*this);
    }
};

template <class U, class T, int N>
PYK_HOST_DEVICE void copy_strides(array<U, N, C>&, const array<T, N, C>&) {}

template <class I>
PYK_HOST_DEVICE long long wrap(I index, long long extent) {
    const long long i = static_cast<long long>(index);
    return I(-1) < I(0) && i < 0 ? i + extent : i;
}

template <class T, int N, class Layout>
PYK_HOST_DEVICE long long size(const array<T, N, Layout>& a) {
    long long product = 1;
    for (int axis = 0; axis < N; ++axis) product *= a.shape[axis];
    return product;
}

}  // namespace pyk

#endif  // PYK_ARRAY_H

#ifndef PYK_THREAD_H
#define PYK_THREAD_H

namespace pyk {

PYK_DEVICE long long grid_x() { return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; }
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

#endif  // PYK_THREAD_H

namespace matmul {

constexpr long long TILE = 16;

extern "C" __global__ void pyk_matmul_naive_a2f4c_a2f4c_a2f4c(pyk::array<const float, 2> A,
        pyk::array<const float, 2> B, pyk::array<float, 2> C)
{
    const long long col = pyk::grid_x();            // matmul.pyk:9
    const long long row = pyk::grid_y();
    if (row < C.shape[0] && col < C.shape[1]) {     // :10
        float total = 0.0f;
        for (long long k = 0; k < A.shape[1]; ++k)  // :12
            total += A(row, k) * B(k, col);
        C(row, col) = total;
    }
}

extern "C" __global__ void pyk_matmul_tiled_a2f4c_a2f4c_a2f4c(pyk::array<const float, 2> A,
        pyk::array<const float, 2> B, pyk::array<float, 2> C)
{
    __shared__ float sA[16][16];                                    // matmul.pyk:19
    __shared__ float sB[16][16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const long long col = pyk::grid_x();
    const long long row = pyk::grid_y();

    float total = 0.0f;
    for (long long first = 0; first < A.shape[1]; first += TILE) {  // :26
        sA[ty][tx] = row < A.shape[0] && first + tx < A.shape[1] ? A(row, first + tx) : 0.0f;
        sB[ty][tx] = first + ty < B.shape[0] && col < B.shape[1] ? B(first + ty, col) : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)                              // :30
            total += sA[ty][k] * sB[k][tx];
        __syncthreads();
    }

    if (row < C.shape[0] && col < C.shape[1])                       // :34
        C(row, col) = total;
}

}  // namespace matmul
