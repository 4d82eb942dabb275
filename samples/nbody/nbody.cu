// nbody.pyk → CUDA C++ by pykc 0.1.
// accelerations(float32[:, ::1], float32[:, ::1])

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

constexpr long long TILE = 128;
constexpr float SOFTENING = 0.0001f;

// Mass over distance cubed.
__device__ __forceinline__ float pull(float dx, float dy, float dz, float mass)
{
    const float r2 = dx * dx + dy * dy + dz * dz + SOFTENING;  // nbody.pyk:14
    const float inverse = 1.0f / sqrtf(r2);
    return mass * inverse * inverse * inverse;
}

// bodies: x, y, z, mass per row. out: ax, ay, az per row.
extern "C" __global__ void pyk_accelerations_a2f4c_a2f4c(pyk::array<const float, 2> bodies, pyk::array<float, 2> out)
{
    __shared__ float tile[128][4];                         // nbody.pyk:22
    const long long i = pyk::grid_x();
    const int t = threadIdx.x;
    const long long n = bodies.shape[0];

    const float x = i < n ? bodies(i, 0) : 0.0f;
    const float y = i < n ? bodies(i, 1) : 0.0f;
    const float z = i < n ? bodies(i, 2) : 0.0f;
    float ax = 0.0f;
    float ay = 0.0f;
    float az = 0.0f;
    for (long long first = 0; first < n; first += TILE) {  // :31
        if (first + t < n) {                               // :32
            for (int k = 0; k < 4; ++k)                    // :33
                tile[t][k] = bodies(first + t, k);
        }
        __syncthreads();
        const int j_stop = pyk::min(TILE, n - first);
        for (int j = 0; j < j_stop; ++j) {
            const float dx = tile[j][0] - x;
            const float dy = tile[j][1] - y;
            const float dz = tile[j][2] - z;
            const float weight = pull(dx, dy, dz, tile[j][3]);
            ax += dx * weight;
            ay += dy * weight;
            az += dz * weight;
        }
        __syncthreads();
    }

    if (i < n) {                                           // :46
        out(i, 0) = ax;
        out(i, 1) = ay;
        out(i, 2) = az;
    }
}

}  // namespace nbody
