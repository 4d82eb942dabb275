#include "xoroshiro.h"

namespace pyk::run_cases {
namespace {

struct State {
    uint64_t s0, s1;
};

uint64_t rotated(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

State stepped(State s) {
    s.s1 ^= s.s0;
    return {rotated(s.s0, 55) ^ s.s1 ^ (s.s1 << 14), rotated(s.s1, 36)};
}

// 2^64 steps.
State jumped(State s) {
    State sum{0, 0};
    for (const uint64_t word : {0xBEAC0467EBA5FACBull, 0xD86B048B86AA9922ull})
        for (int bit = 0; bit < 64; ++bit) {
            if (word >> bit & 1) sum = {sum.s0 ^ s.s0, sum.s1 ^ s.s1};
            s = stepped(s);
        }
    return sum;
}

uint64_t splitmix64(uint64_t seed) {
    uint64_t z = seed + 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

}  // namespace

std::string xoroshiro_states(size_t count, uint64_t seed, uint64_t subsequence_start) {
    const uint64_t z = splitmix64(seed);
    State state{z, z};
    for (uint64_t i = 0; i < subsequence_start; ++i) state = jumped(state);
    std::string bytes;
    for (size_t i = 0; i < count; ++i, state = jumped(state))
        bytes.append(reinterpret_cast<const char*>(&state), sizeof state);
    return bytes;
}

}  // namespace pyk::run_cases
