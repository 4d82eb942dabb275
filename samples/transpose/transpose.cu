// transpose.pyk → CUDA C++ by pykc 0.1.
// transpose_naive(float32[:, ::1], float32[:, ::1])
// transpose_tiled(float32[:, ::1], float32[:, ::1])
// transpose_padded(float32[:, ::1], float32[:, ::1])

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

namespace transpose {

constexpr long long TILE = 32;
constexpr int ROWS = 8;  // threads of a block in y; each moves TILE / ROWS elements

extern "C" __global__ void pyk_transpose_naive_a2f4c_a2f4c(pyk::array<const float, 2> a, pyk::array<float, 2> out)
{
    const long long x = pyk::grid_x();     // transpose.pyk:11
    const long long y = pyk::grid_y();
    if (y < a.shape[0] && x < a.shape[1])  // :12
        out(x, y) = a(y, x);
}

extern "C" __global__ void pyk_transpose_tiled_a2f4c_a2f4c(pyk::array<const float, 2> a, pyk::array<float, 2> out)
{
    __shared__ float tile[32][32];                     // transpose.pyk:18
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;

    long long x = blockIdx.x * TILE + tx;
    long long y = blockIdx.y * TILE + ty;
    for (int j = 0; j < TILE; j += ROWS) {             // :24
        if (y + j < a.shape[0] && x < a.shape[1])      // :25
            tile[ty + j][tx] = a(y + j, x);
    }
    __syncthreads();

    x = blockIdx.y * TILE + tx;
    y = blockIdx.x * TILE + ty;
    for (int j = 0; j < TILE; j += ROWS) {             // :31
        if (y + j < out.shape[0] && x < out.shape[1])  // :32
            out(y + j, x) = tile[tx][ty + j];
    }
}

extern "C" __global__ void pyk_transpose_padded_a2f4c_a2f4c(pyk::array<const float, 2> a, pyk::array<float, 2> out)
{
    __shared__ float tile[32][33];                     // transpose.pyk:38
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;

    long long x = blockIdx.x * TILE + tx;
    long long y = blockIdx.y * TILE + ty;
    for (int j = 0; j < TILE; j += ROWS) {             // :44
        if (y + j < a.shape[0] && x < a.shape[1])      // :45
            tile[ty + j][tx] = a(y + j, x);
    }
    __syncthreads();

    x = blockIdx.y * TILE + tx;
    y = blockIdx.x * TILE + ty;
    for (int j = 0; j < TILE; j += ROWS) {             // :51
        if (y + j < out.shape[0] && x < out.shape[1])  // :52
            out(y + j, x) = tile[tx][ty + j];
    }
}

}  // namespace transpose
