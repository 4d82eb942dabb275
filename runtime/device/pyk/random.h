// numba.cuda.random, bit for bit: xoroshiro128+ seeded by splitmix64 (both by Blackman and Vigna, public domain).
// `states` is a 1-D array of pyk::xoroshiro128p_state, `index` an index that is not negative.
//
// Defines: xoroshiro128p_state, init_xoroshiro128p_state, xoroshiro128p_next, xoroshiro128p_jump,
// xoroshiro128p_uniform_float32, xoroshiro128p_uniform_float64, xoroshiro128p_normal_float32,
// xoroshiro128p_normal_float64, rotl, uint64_to_unit_float32, uint64_to_unit_float64
#ifndef PYK_RANDOM_H
#define PYK_RANDOM_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/config.h"

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

/// 64 random bits.
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

/// Advances by 2**64 steps.
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

/// In [0, 1).
PYK_DEVICE double uint64_to_unit_float64(unsigned long long x) {
    return static_cast<double>(x >> 11) * (1.0 / 9007199254740992.0);
}
/// In [0, 1]: 1 by rounding, once in 2**25.
PYK_DEVICE float uint64_to_unit_float32(unsigned long long x) { return static_cast<float>(uint64_to_unit_float64(x)); }

template <class States>
PYK_DEVICE double xoroshiro128p_uniform_float64(const States& states, long long index) {
    return uint64_to_unit_float64(xoroshiro128p_next(states, index));
}
template <class States>
PYK_DEVICE float xoroshiro128p_uniform_float32(const States& states, long long index) {
    return uint64_to_unit_float32(xoroshiro128p_next(states, index));
}

/// Of mean 0 and deviation 1, by Box and Muller's transform of two draws.
template <class States>
PYK_DEVICE float xoroshiro128p_normal_float32(const States& states, long long index) {
    const float u1 = xoroshiro128p_uniform_float32(states, index);
    const float u2 = xoroshiro128p_uniform_float32(states, index);
    return ::sqrtf(-2.0f * ::logf(u1)) * ::cosf(6.2831853071795864769f * u2);
}
/// Draws float32 numbers, as Numba does.
template <class States>
PYK_DEVICE double xoroshiro128p_normal_float64(const States& states, long long index) {
    const float u1 = xoroshiro128p_uniform_float32(states, index);
    const float u2 = xoroshiro128p_uniform_float32(states, index);
    return ::sqrt(-2.0 * static_cast<double>(::logf(u1))) * ::cos(6.2831853071795864769 * static_cast<double>(u2));
}

}  // namespace pyk

#endif  // PYK_RANDOM_H
