// The xoroshiro128+ generators of numba.cuda.random, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pyk {

/// One generator (Blackman and Vigna). The memory of an array of them is what kernels get.
struct Xoroshiro128p {
    uint64_t s0 = 0, s1 = 0;

    /// Numba's initialisation: both halves are the first output of splitmix64.
    explicit Xoroshiro128p(uint64_t seed);

    uint64_t next();
    void jump();       ///< ahead by 2**64 steps
    double uniform();  ///< in [0, 1)
};

/// `numba.cuda.random.create_xoroshiro128p_states(count, seed)`: each 2**64 steps ahead of the one before it.
std::vector<Xoroshiro128p> create_states(std::size_t count, uint64_t seed);

}  // namespace pyk
