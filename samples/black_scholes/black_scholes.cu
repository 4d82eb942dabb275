// black_scholes.pyk → CUDA C++ by pykc 0.1.
// black_scholes(float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64, float64)

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

constexpr double RSQRT2PI = 0.3989422804014327;
constexpr double A1 = 0.31938153;
constexpr double A2 = -0.356563782;
constexpr double A3 = 1.781477937;
constexpr double A4 = -1.821255978;
constexpr double A5 = 1.330274429;

__device__ double cumulative_normal(double d)
{
    const double k = 1.0 / (1.0 + 0.2316419 * pyk::abs(d));  // black_scholes.pyk:16
    const double tail = RSQRT2PI * exp(-0.5 * d * d) * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))));
    return d > 0.0 ? 1.0 - tail : tail;
}

extern "C" __global__ void pyk_black_scholes_a1f8c_a1f8c_a1f8c_a1f8c_a1f8c_f8_f8(pyk::array<double, 1> call,
        pyk::array<double, 1> put, pyk::array<const double, 1> price, pyk::array<const double, 1> strike,
        pyk::array<const double, 1> years, double rate, double volatility)
{
    const long long i = pyk::grid_x();  // black_scholes.pyk:23
    if (i >= price.shape[0]) return;    // :24
    const double root = sqrt(years(i));
    const double d1 =
            (log(price(i) / strike(i)) + (rate + 0.5 * (volatility * volatility)) * years(i)) / (volatility * root);
    const double d2 = d1 - volatility * root;
    const double discounted = strike(i) * exp(-rate * years(i));
    call(i) = price(i) * cumulative_normal(d1) - discounted * cumulative_normal(d2);
    put(i) = discounted * cumulative_normal(-d2) - price(i) * cumulative_normal(-d1);
}

}  // namespace black_scholes
