// stencil.pyk → CUDA C++ by pykc 0.1.
// stencil(int32, float64[::1], float64[::1], float64, float64) noalias

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

#ifndef PYK_GRID32_H
#define PYK_GRID32_H

namespace pyk {

PYK_DEVICE unsigned int grid32_x() { return blockIdx.x * blockDim.x + threadIdx.x; }
PYK_DEVICE unsigned int grid32_y() { return blockIdx.y * blockDim.y + threadIdx.y; }
PYK_DEVICE unsigned int grid32_z() { return blockIdx.z * blockDim.z + threadIdx.z; }
PYK_DEVICE unsigned int gridsize32_x() { return gridDim.x * blockDim.x; }
PYK_DEVICE unsigned int gridsize32_y() { return gridDim.y * blockDim.y; }
PYK_DEVICE unsigned int gridsize32_z() { return gridDim.z * blockDim.z; }

}  // namespace pyk

#endif  // PYK_GRID32_H

namespace stencil {

extern "C" __global__ void pyk_stencil_i4_a1f8c_a1f8c_f8_f8(int n, const double* __restrict__ u_data,
        long long u_shape0, double* __restrict__ f_data, long long f_shape0, double c0, double c1)
{
    const pyk::array<const double, 1> u{u_data, {u_shape0}};
    const pyk::array<double, 1> f{f_data, {f_shape0}};
    const unsigned int x = pyk::grid32_x();                             // stencil.pyk:7
    const unsigned int y = pyk::grid32_y();
    const unsigned int z = pyk::grid32_z();
    const unsigned int i = x;
    const unsigned int j = y;
    const unsigned int k = z;
    const unsigned int row = n;
    const unsigned int last = n - 1LL;
    const unsigned long long one = 1;
    if (0 < i && i < last && 0 < j && j < last && 0 < k && k < last) {  // :10
        const unsigned long long p = ((unsigned long long)k * row + j) * row + i;
        const unsigned long long plane = (unsigned long long)row * row;
        f(p) = c0 * u(p) + c1 * (u(p - one) + u(p + one) + u(p - row) + u(p + row) + u(p - plane) + u(p + plane));
    }
}

}  // namespace stencil
