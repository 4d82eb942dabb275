// histogram.pyk → CUDA C++ by pykc 0.1.
// histogram(uint8[::1], int32[::1])

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

#ifndef PYK_ATOMIC_ADD_H
#define PYK_ATOMIC_ADD_H

namespace pyk {

template <class T>
PYK_DEVICE T atomic_add(T& place, T value) {
    return atomicAdd(&place, value);
}
PYK_DEVICE long long atomic_add(long long& place, long long value) {
    return static_cast<long long>(atomicAdd((unsigned long long*)&place, static_cast<unsigned long long>(value)));
}

template <class T>
PYK_DEVICE T atomic_sub(T& place, T value) {
    return atomic_add(place, static_cast<T>(-value));
}

}  // namespace pyk

#endif  // PYK_ATOMIC_ADD_H

#ifndef PYK_COUNTED_H
#define PYK_COUNTED_H

namespace pyk {

template <class T>
struct unsigned_of;
template <>
struct unsigned_of<int> {
    using type = unsigned int;
};
template <>
struct unsigned_of<long long> {
    using type = unsigned long long;
};
template <>
struct unsigned_of<unsigned long long> {
    using type = unsigned long long;
};

template <class T>
struct counted_range {
    using Count = typename unsigned_of<T>::type;

    struct iterator {
        T value;
        Count step, left;

        PYK_DEVICE T operator*() const { return value; }
        PYK_DEVICE void operator++() {
            value = static_cast<T>(static_cast<Count>(value) + step);
            --left;
        }
        PYK_DEVICE bool operator!=(const iterator&) const { return left != 0; }
    };

    T start;
    Count step, count;

    PYK_DEVICE iterator begin() const { return {start, step, count}; }
    PYK_DEVICE iterator end() const { return {start, step, 0}; }
};

template <class T>
PYK_DEVICE counted_range<T> range(T start, T stop, T step) {
    using Count = typename counted_range<T>::Count;
    const Count by = static_cast<Count>(step);
    const Count count = start < stop ? (static_cast<Count>(stop) - static_cast<Count>(start) - 1) / by + 1 : 0;
    return {start, by, count};
}

}  // namespace pyk

#endif  // PYK_COUNTED_H

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

namespace histogram {

constexpr int BINS = 256;

extern "C" __global__ void pyk_histogram_a1u1c_a1i4c(pyk::array<const unsigned char, 1> data, pyk::array<int, 1> counts)
{
    __shared__ int block_counts[256];                                                      // histogram.pyk:9
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)                                   // :10
        block_counts[b] = 0;
    __syncthreads();

    for (const long long i : pyk::range(pyk::grid_x(), data.shape[0], pyk::gridsize_x()))  // :14
        pyk::atomic_add(block_counts[data(i)], 1);
    __syncthreads();

    for (int b = threadIdx.x; b < BINS; b += blockDim.x)                                   // :18
        pyk::atomic_add(counts(b), block_counts[b]);
}

}  // namespace histogram
