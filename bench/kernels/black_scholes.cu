// black_scholes.pyk → CUDA C++ by pykc 0.1.
// black_scholes(float32[::1], float32[::1], float32[::1], float32, float32, float32[::1], float32[::1]) noalias

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

#ifndef PYK_NUMBER_H
#define PYK_NUMBER_H

namespace pyk {

template <class T>
PYK_DEVICE T abs(T x) {
    return x < T(1) ? static_cast<T>(0 - static_cast<unsigned long long>(x)) : x;
}
PYK_DEVICE float abs(float x) { return ::fabsf(x); }
PYK_DEVICE double abs(double x) { return ::fabs(x); }

PYK_DEVICE float degrees(float x) { return x * 57.295779513082320876f; }
PYK_DEVICE double degrees(double x) { return x * 57.295779513082320876; }
PYK_DEVICE float radians(float x) { return x * 0.017453292519943295769f; }
PYK_DEVICE double radians(double x) { return x * 0.017453292519943295769; }

template <class T>
PYK_DEVICE T selp(bool condition, T then, T otherwise) {
    return condition ? then : otherwise;
}

template <class T = double>
PYK_DEVICE T inf() {
    return static_cast<T>(__longlong_as_double(0x7ff0000000000000));
}
template <class T = double>
PYK_DEVICE T nan() {
    return static_cast<T>(__longlong_as_double(0x7ff8000000000000));
}

}  // namespace pyk

#endif  // PYK_NUMBER_H

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

namespace black_scholes {

constexpr float HALF = 0.5f;
constexpr float ONE = 1.0f;
constexpr float RSQRT2PI = 0.3989423f;
constexpr float A1 = 0.31938154f;
constexpr float A2 = -0.35656378f;
constexpr float A3 = 1.7814779f;
constexpr float A4 = -1.8212559f;
constexpr float A5 = 1.3302745f;

__device__ float cnd(float d)
{
    const float k = ONE / (ONE + 0.2316419f * pyk::abs(d));  // black_scholes.pyk:19
    const float r = RSQRT2PI * expf(-HALF * d * d) * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))));
    return d > 0.0f ? ONE - r : r;
}

extern "C" __global__ void pyk_black_scholes_a1f4c_a1f4c_a1f4c_f4_f4_a1f4c_a1f4c(const float* __restrict__ S_data,
        long long S_shape0, const float* __restrict__ X_data, long long X_shape0, const float* __restrict__ T_data,
        long long T_shape0, float R, float V, float* __restrict__ call_data, long long call_shape0,
        float* __restrict__ put_data, long long put_shape0)
{
    const pyk::array<const float, 1> S{S_data, {S_shape0}};
    const pyk::array<const float, 1> X{X_data, {X_shape0}};
    const pyk::array<const float, 1> T{T_data, {T_shape0}};
    const pyk::array<float, 1> call{call_data, {call_shape0}};
    const pyk::array<float, 1> put{put_data, {put_shape0}};
    const long long i = pyk::grid_x();  // black_scholes.pyk:26
    if (i >= S.shape[0]) return;        // :27
    const float s = S(i);
    const float x = X(i);
    const float t = T(i);
    const float sq = sqrtf(t);
    const float d1 = (logf(s / x) + (R + HALF * V * V) * t) / (V * sq);
    const float d2 = d1 - V * sq;
    const float c1 = cnd(d1);
    const float c2 = cnd(d2);
    const float e = expf(-R * t);
    call(i) = s * c1 - x * e * c2;
    put(i) = x * e * (ONE - c2) - s * (ONE - c1);
}

}  // namespace black_scholes
