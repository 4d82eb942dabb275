// matmul.pyk → CUDA C++ by pykc 0.1.
// matmul(float32[:, ::1], float32[:, ::1], float32[:, ::1]) noalias

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

constexpr int TILE = 32;

extern "C" __global__ void pyk_matmul_a2f4c_a2f4c_a2f4c(const float* __restrict__ A_data, long long A_shape0,
        long long A_shape1, const float* __restrict__ B_data, long long B_shape0, long long B_shape1, float* C_data,
        long long C_shape0, long long C_shape1)
{
    const pyk::array<const float, 2> A{A_data, {A_shape0, A_shape1}};
    const pyk::array<const float, 2> B{B_data, {B_shape0, B_shape1}};
    const pyk::array<float, 2> C{C_data, {C_shape0, C_shape1}};
    __shared__ float sA[32][32];                         // matmul.pyk:9
    __shared__ float sB[32][32];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const long long col = pyk::grid_x();
    const long long row = pyk::grid_y();
    float total = 0.0f;
    for (long long t = 0; t < A.shape[1] / TILE; ++t) {  // :15
        sA[ty][tx] = A(row, t * TILE + tx);
        sB[ty][tx] = B(t * TILE + ty, col);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)                   // :19
            total += sA[ty][k] * sB[k][tx];
        __syncthreads();
    }
    C(row, col) = total;
}

}  // namespace matmul
