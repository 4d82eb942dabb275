// life.pyk → CUDA C++ by pykc 0.1.
// generation(uint8[:, ::1], uint8[:, ::1])

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

#ifndef PYK_FLOOR_H
#define PYK_FLOOR_H

namespace pyk {

template <class U, class T>
PYK_DEVICE T floor_quotient(T a, T b) {
    constexpr int sign = 8 * int(sizeof(T)) - 1;
    const T flip = b >> sign;  // -1: b is negative, and both change their signs
    const T over = static_cast<T>(static_cast<U>(a ^ flip) - static_cast<U>(flip));
    const T down = (over & ~(a & flip)) >> sign;  // -1: the quotient is negative; the least number keeps its sign
    const U by = b == 0 ? 1 : b < 0 ? U(0) - static_cast<U>(b) : static_cast<U>(b);
    return static_cast<T>(static_cast<U>(over ^ down) / by) ^ down;
}

template <class U, class T>
PYK_DEVICE T signed_floor_div(T a, T b) {
    const T number = b == 0 ? 0 : a, quotient = floor_quotient<U>(number, b);
    return (quotient & ~(number ^ b)) < 0 ? 0 : quotient;  // of equal signs, but negative: it is too great
}
template <class U, class T>
PYK_DEVICE T signed_mod(T a, T b) {
    const T number = b == 0 ? 0 : a;
    return static_cast<T>(static_cast<U>(number) - static_cast<U>(floor_quotient<U>(number, b)) * static_cast<U>(b));
}
template <class U>
PYK_DEVICE U unsigned_floor_div(U a, U b) {
    return (b == 0 ? 0 : a) / (b == 0 ? 1 : b);
}
template <class U>
PYK_DEVICE U unsigned_mod(U a, U b) {
    return (b == 0 ? 0 : a) % (b == 0 ? 1 : b);
}

PYK_DEVICE long long floor_div(long long a, long long b) { return signed_floor_div<unsigned long long>(a, b); }
PYK_DEVICE long long mod(long long a, long long b) { return signed_mod<unsigned long long>(a, b); }
PYK_DEVICE int floor_div(int a, int b) { return signed_floor_div<unsigned int>(a, b); }
PYK_DEVICE int mod(int a, int b) { return signed_mod<unsigned int>(a, b); }

PYK_DEVICE unsigned long long floor_div(unsigned long long a, unsigned long long b) { return unsigned_floor_div(a, b); }
PYK_DEVICE unsigned long long mod(unsigned long long a, unsigned long long b) { return unsigned_mod(a, b); }
PYK_DEVICE unsigned int floor_div(unsigned int a, unsigned int b) { return unsigned_floor_div(a, b); }
PYK_DEVICE unsigned int mod(unsigned int a, unsigned int b) { return unsigned_mod(a, b); }

PYK_DEVICE float with_sign(float x, float of) { return ::copysignf(x, of); }
PYK_DEVICE double with_sign(double x, double of) { return ::copysign(x, of); }
#if defined(__FMA__) && !defined(__CUDACC__)
inline float fused(float a, float b, float c) { return ::fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return ::fma(a, b, c); }
inline float magnitude(float x) { return ::fabsf(x); }
inline double magnitude(double x) { return ::fabs(x); }
inline float cut(float x) { return ::truncf(x); }
inline double cut(double x) { return ::trunc(x); }

template <class T>
inline T mod_by_quotient(T a, T b, T most, T (*otherwise)(T, T)) {
    const T size = magnitude(a), by = magnitude(b), quotient = size / by;
    if (!(quotient < most)) return otherwise(a, b);  // also what is not a number
    const T rest = fused(-cut(quotient), by, size);
    const T settled = rest < 0 ? rest + by : rest;
    return with_sign(size < by ? size : settled, a);
}
inline float trunc_mod(float a, float b) { return mod_by_quotient(a, b, 4194304.0f, &::fmodf); }
inline double trunc_mod(double a, double b) { return mod_by_quotient<double>(a, b, 2251799813685248.0, &::fmod); }
#else
PYK_DEVICE float trunc_mod(float a, float b) { return ::fmodf(a, b); }
PYK_DEVICE double trunc_mod(double a, double b) { return ::fmod(a, b); }
#endif
PYK_DEVICE float round_down(float x) { return ::floorf(x); }
PYK_DEVICE double round_down(double x) { return ::floor(x); }

template <class T>
PYK_DEVICE T float_floor_div(T a, T b) {
    if (b == 0) return a / b;
    const T remainder = trunc_mod(a, b);
    const T exact = (a - remainder) / b;
    const T quotient = with_sign(remainder, b) == remainder ? exact : exact - 1;
    if (!(quotient < 0 || quotient > 0)) return quotient * quotient * a / b;  // a zero with the sign of a / b
    const T below = round_down(quotient);
    return quotient - below > T(0.5) ? below + 1 : below;
}
template <class T>
PYK_DEVICE T float_mod(T a, T b) {
    const T remainder = trunc_mod(a, b);  // by zero it is no number
    const T along = with_sign(remainder, b);
    return along == remainder ? along : remainder + b;
}

PYK_DEVICE float floor_div(float a, float b) { return float_floor_div(a, b); }
PYK_DEVICE double floor_div(double a, double b) { return float_floor_div(a, b); }
PYK_DEVICE float mod(float a, float b) { return float_mod(a, b); }
PYK_DEVICE double mod(double a, double b) { return float_mod(a, b); }

}  // namespace pyk

#endif  // PYK_FLOOR_H

#ifndef PYK_THREAD_H
#define PYK_THREAD_H

namespace pyk {

PYK_DEVICE long long grid_x() { return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; }
PYK_DEVICE long long grid_y() { return static_cast<long long>(blockIdx.y) * blockDim.y + threadIdx.y; }
PYK_DEVICE long long grid_z() { return static_cast<long long>(blockIdx.z) * blockDim.z + threadIdx.z; }
PYK_DEVICE long long gridsize_x() { return static_cast<long long>(gridDim.x) * blockDim.x; }
PYK_DEVICE long long gridsize_y() { return static_cast<long long>(gridDim.y) * blockDim.y; }
PYK_DEVICE long long gridsize_z() { return static_cast<long long>(gridDim.z) * blockDim.z; }

PYK_DEVICE int laneid() {
    int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

}  // namespace pyk

#endif  // PYK_THREAD_H

namespace life {

extern "C" __global__ void pyk_generation_a2u1c_a2u1c(pyk::array<const unsigned char, 2> cells,
        pyk::array<unsigned char, 2> out)
{
    const long long x = pyk::grid_x();                             // life.pyk:7
    const long long y = pyk::grid_y();
    const long long rows = cells.shape[0];
    const long long columns = cells.shape[1];
    if (y >= rows || x >= columns) return;                         // :9
    long long neighbours = 0;
    for (long long dy = -1; dy < 2; ++dy) {                        // :12
        for (long long dx = -1; dx < 2; ++dx) {                    // :13
            if (dx != 0 || dy != 0)                                // :14
                neighbours += cells(pyk::mod(y + dy, rows), pyk::mod(x + dx, columns));
        }
    }
    if (neighbours == 3 || (neighbours == 2 && cells(y, x) == 1))  // :16
        out(y, x) = 1;
    else
        out(y, x) = 0;
}

}  // namespace life
