// monte_carlo_pi.pyk → CUDA C++ by pykc 0.1.
// count_inside(xoroshiro128p[::1], int64, int64[::1])

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

#ifndef PYK_RANDOM_H
#define PYK_RANDOM_H

namespace pyk {

struct xoroshiro128p_state {
    unsigned long long s0, s1;
};

template <class States>
PYK_HOST_DEVICE void init_xoroshiro128p_state(const States& states, long long index, unsigned long long seed) {
    unsigned long long z = seed + 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z = z ^ (z >> 31);
    states(index) = xoroshiro128p_state{z, z};
}

PYK_HOST_DEVICE unsigned long long rotl(unsigned long long x, unsigned k) { return (x << (k & 63)) | (x >> (-k & 63)); }

template <class States>
PYK_HOST_DEVICE unsigned long long xoroshiro128p_next(const States& states, long long index) {
    xoroshiro128p_state& state = states(index);
    const unsigned long long s0 = state.s0;
    const unsigned long long s1 = state.s1 ^ s0;
    const unsigned long long result = s0 + state.s1;
    state.s0 = rotl(s0, 55) ^ s1 ^ (s1 << 14);
    state.s1 = rotl(s1, 36);
    return result;
}

template <class States>
PYK_HOST_DEVICE void xoroshiro128p_jump(const States& states, long long index) {
    const unsigned long long jump[2] = {0xbeac0467eba5facb, 0xd86b048b86aa9922};
    xoroshiro128p_state& state = states(index);
    xoroshiro128p_state sum = {0, 0};
    for (int bit = 0; bit < 128; ++bit) {
        if (jump[bit / 64] >> bit % 64 & 1) {
            sum.s0 ^= state.s0;
            sum.s1 ^= state.s1;
        }
        xoroshiro128p_next(states, index);
    }
    state = sum;
}

PYK_DEVICE double uint64_to_unit_float64(unsigned long long x) {
    return static_cast<double>(x >> 11) * (1.0 / 9007199254740992.0);
}
PYK_DEVICE float uint64_to_unit_float32(unsigned long long x) { return static_cast<float>(uint64_to_unit_float64(x)); }

template <class States>
PYK_DEVICE double xoroshiro128p_uniform_float64(const States& states, long long index) {
    return uint64_to_unit_float64(xoroshiro128p_next(states, index));
}
template <class States>
PYK_DEVICE float xoroshiro128p_uniform_float32(const States& states, long long index) {
    return uint64_to_unit_float32(xoroshiro128p_next(states, index));
}

template <class States>
PYK_DEVICE float xoroshiro128p_normal_float32(const States& states, long long index) {
    const float u1 = xoroshiro128p_uniform_float32(states, index);
    const float u2 = xoroshiro128p_uniform_float32(states, index);
    return ::sqrtf(-2.0f * ::logf(u1)) * ::cosf(6.2831853071795864769f * u2);
}
template <class States>
PYK_DEVICE double xoroshiro128p_normal_float64(const States& states, long long index) {
    const float u1 = xoroshiro128p_uniform_float32(states, index);
    const float u2 = xoroshiro128p_uniform_float32(states, index);
    return ::sqrt(-2.0 * static_cast<double>(::logf(u1))) * ::cos(6.2831853071795864769 * static_cast<double>(u2));
}

}  // namespace pyk

#endif  // PYK_RANDOM_H

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

namespace monte_carlo_pi {

// points per thread; inside: one count for all.
extern "C" __global__ void pyk_count_inside_a1rngc_i8_a1i8c(pyk::array<pyk::xoroshiro128p_state, 1> rng_states,
        long long points, pyk::array<long long, 1> inside)
{
    const long long thread_id = pyk::grid_x();     // monte_carlo_pi.pyk:10
    if (thread_id >= rng_states.shape[0]) return;  // :11
    long long mine = 0;
    for (long long _ = 0; _ < points; ++_) {       // :14
        const float x = pyk::xoroshiro128p_uniform_float32(rng_states, thread_id);
        const float y = pyk::xoroshiro128p_uniform_float32(rng_states, thread_id);
        if (x * x + y * y <= 1.0f)                 // :17
            mine += 1;
    }
    pyk::atomic_add(inside(0), mine);
}

}  // namespace monte_carlo_pi
