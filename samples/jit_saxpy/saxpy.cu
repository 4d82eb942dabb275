// saxpy.pyk → CUDA C++ by pykc 0.1.
// saxpy(float32, float32[::1], float32[::1], float32[::1]) noalias

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

namespace saxpy {

extern "C" __global__ void pyk_saxpy_f4_a1f4c_a1f4c_a1f4c(float a, const float* __restrict__ x_data, long long x_shape0,
        const float* __restrict__ y_data, long long y_shape0, float* __restrict__ out_data, long long out_shape0)
{
    const pyk::array<const float, 1> x{x_data, {x_shape0}};
    const pyk::array<const float, 1> y{y_data, {y_shape0}};
    const pyk::array<float, 1> out{out_data, {out_shape0}};
    const long long i = pyk::grid_x();  // saxpy.pyk:7
    if (i < out.shape[0])               // :8
        out(i) = a * x(i) + y(i);
}

}  // namespace saxpy
