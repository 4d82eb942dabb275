// transpose.pyk → CUDA C++ by pykc 0.1.
// transpose(float32[:, ::1], float32[:, ::1]) noalias

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

namespace transpose {

constexpr long long TILE = 32;
constexpr int ROWS = 8;

extern "C" __global__ void pyk_transpose_a2f4c_a2f4c(const float* __restrict__ a_data, long long a_shape0,
        long long a_shape1, float* out_data, long long out_shape0, long long out_shape1)
{
    const pyk::array<const float, 2> a{a_data, {a_shape0, a_shape1}};
    const pyk::array<float, 2> out{out_data, {out_shape0, out_shape1}};
    __shared__ float tile[32][33];          // transpose.pyk:11
    const long long n = a.shape[0];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    long long x = blockIdx.x * TILE + tx;
    long long y = blockIdx.y * TILE + ty;
    for (int j = 0; j < TILE; j += ROWS) {  // :17
        if (x < n && y + j < n)             // :18
            tile[ty + j][tx] = a(y + j, x);
    }
    __syncthreads();
    x = blockIdx.y * TILE + tx;
    y = blockIdx.x * TILE + ty;
    for (int j = 0; j < TILE; j += ROWS) {  // :23
        if (x < n && y + j < n)             // :24
            out(y + j, x) = tile[tx][ty + j];
    }
}

}  // namespace transpose
