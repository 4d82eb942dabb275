// filter_chain.pyk → CUDA C++ by pykc 0.1.
// blur_rows(float32[:, ::1], float32[:, ::1])
// blur_columns(float32[:, ::1], float32[:, ::1])
// edges(float32[:, ::1], float32, uint8[:, ::1])

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

#ifndef PYK_MINMAX_H
#define PYK_MINMAX_H

namespace pyk {

template <class T>
PYK_DEVICE T lesser(T a, T b) {
    return b < a ? b : a;
}
template <class T>
PYK_DEVICE T greater(T a, T b) {
    return b > a ? b : a;
}

template <class T>
PYK_DEVICE T min(T a, T b) {
    return lesser(a, b);
}
template <class T>
PYK_DEVICE T max(T a, T b) {
    return greater(a, b);
}
PYK_DEVICE float min(float a, float b) { return ::fminf(a, b); }
PYK_DEVICE float max(float a, float b) { return ::fmaxf(a, b); }
PYK_DEVICE double min(double a, double b) { return ::fmin(a, b); }
PYK_DEVICE double max(double a, double b) { return ::fmax(a, b); }

template <class T, class... More>
PYK_DEVICE T min(T a, T b, T c, More... more) {
    T least = lesser(lesser(a, b), c);
    ((least = lesser(least, more)), ...);
    return least;
}
template <class T, class... More>
PYK_DEVICE T max(T a, T b, T c, More... more) {
    T greatest = greater(greater(a, b), c);
    ((greatest = greater(greatest, more)), ...);
    return greatest;
}

}  // namespace pyk

#endif  // PYK_MINMAX_H

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

namespace filter_chain {

__device__ float pixel(pyk::array<const float, 2> picture, long long y, long long x)
{
    const long long rows = picture.shape[0];  // filter_chain.pyk:7
    const long long columns = picture.shape[1];
    return picture(pyk::min(pyk::max(y, 0LL), rows - 1), pyk::min(pyk::max(x, 0LL), columns - 1));
}

__device__ float blurred(float a, float b, float c, float d, float e)
{
    return 0.0625f * (a + e) + 0.25f * (b + d) + 0.375f * c;  // filter_chain.pyk:13
}

extern "C" __global__ void pyk_blur_rows_a2f4c_a2f4c(pyk::array<const float, 2> p, pyk::array<float, 2> out)
{
    const long long x = pyk::grid_x();     // filter_chain.pyk:18
    const long long y = pyk::grid_y();
    if (x < p.shape[1] && y < p.shape[0])  // :19
        out(y, x) = blurred(pixel(p, y, x - 2), pixel(p, y, x - 1), p(y, x), pixel(p, y, x + 1), pixel(p, y, x + 2));
}

extern "C" __global__ void pyk_blur_columns_a2f4c_a2f4c(pyk::array<const float, 2> p, pyk::array<float, 2> out)
{
    const long long x = pyk::grid_x();     // filter_chain.pyk:25
    const long long y = pyk::grid_y();
    if (x < p.shape[1] && y < p.shape[0])  // :26
        out(y, x) = blurred(pixel(p, y - 2, x), pixel(p, y - 1, x), p(y, x), pixel(p, y + 1, x), pixel(p, y + 2, x));
}

extern "C" __global__ void pyk_edges_a2f4c_f4_a2u1c(pyk::array<const float, 2> p, float threshold,
        pyk::array<unsigned char, 2> out)
{
    const long long x = pyk::grid_x();       // filter_chain.pyk:32
    const long long y = pyk::grid_y();
    if (x < p.shape[1] && y < p.shape[0]) {  // :33
        const float across = pixel(p, y, x + 1) - pixel(p, y, x - 1);
        const float down = pixel(p, y + 1, x) - pixel(p, y - 1, x);
        out(y, x) = pyk::abs(across) + pyk::abs(down) > threshold ? 255 : 0;
    }
}

}  // namespace filter_chain
