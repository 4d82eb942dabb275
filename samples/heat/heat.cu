// heat.pyk → CUDA C++ by pykc 0.1.
// heat_step(float32[:, ::1], float32[:, ::1], float32)

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

namespace heat {

extern "C" __global__ void pyk_heat_step_a2f4c_a2f4c_f4(pyk::array<const float, 2> u, pyk::array<float, 2> u_next,
        float rate)
{
    const long long x = pyk::grid_x();                        // heat.pyk:7
    const long long y = pyk::grid_y();
    const long long rows = u.shape[0];
    const long long columns = u.shape[1];
    if (y >= rows || x >= columns) return;                    // :9
    if (0 < y && y < rows - 1 && 0 < x && x < columns - 1) {  // :11
        const float around = u(y - 1, x) + u(y + 1, x) + u(y, x - 1) + u(y, x + 1);
        u_next(y, x) = u(y, x) + rate * (around - 4.0f * u(y, x));
    } else {
        u_next(y, x) = u(y, x);
    }
}

}  // namespace heat
