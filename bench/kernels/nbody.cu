// nbody.pyk → CUDA C++ by pykc 0.1.
// nbody(float32[::1], float32[::1], float32[::1], float32, float32[::1], float32[::1], float32[::1]) noalias

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

namespace nbody {

extern "C" __global__ void pyk_nbody_a1f4c_a1f4c_a1f4c_f4_a1f4c_a1f4c_a1f4c(const float* __restrict__ px_data,
        long long px_shape0, const float* __restrict__ py_data, long long py_shape0, const float* __restrict__ pz_data,
        long long pz_shape0, float eps2, float* __restrict__ ax_data, long long ax_shape0, float* __restrict__ ay_data,
        long long ay_shape0, float* __restrict__ az_data, long long az_shape0)
{
    const pyk::array<const float, 1> px{px_data, {px_shape0}};
    const pyk::array<const float, 1> py{py_data, {py_shape0}};
    const pyk::array<const float, 1> pz{pz_data, {pz_shape0}};
    const pyk::array<float, 1> ax{ax_data, {ax_shape0}};
    const pyk::array<float, 1> ay{ay_data, {ay_shape0}};
    const pyk::array<float, 1> az{az_data, {az_shape0}};
    const long long i = pyk::grid_x();             // nbody.pyk:9
    if (i >= px.shape[0]) return;                  // :10
    const float x = px(i);
    const float y = py(i);
    const float z = pz(i);
    float fx = 0.0f;
    float fy = 0.0f;
    float fz = 0.0f;
    for (long long j = 0; j < px.shape[0]; ++j) {  // :16
        const float dx = px(j) - x;
        const float dy = py(j) - y;
        const float dz = pz(j) - z;
        const float r2 = dx * dx + dy * dy + dz * dz + eps2;
        const float inv = 1.0f / sqrtf(r2);
        const float inv3 = inv * inv * inv;
        fx += dx * inv3;
        fy += dy * inv3;
        fz += dz * inv3;
    }
    ax(i) = fx;
    ay(i) = fy;
    az(i) = fz;
}

}  // namespace nbody
