#include "driver/cli/random.h"

#include <bit>

namespace pyk {

Xoroshiro128p::Xoroshiro128p(uint64_t seed) {
    uint64_t z = seed + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    s0 = s1 = z ^ (z >> 31);
}

uint64_t Xoroshiro128p::next() {
    const uint64_t result = s0 + s1;
    const uint64_t mixed = s1 ^ s0;
    s0 = std::rotl(s0, 55) ^ mixed ^ (mixed << 14);
    s1 = std::rotl(mixed, 36);
    return result;
}

void Xoroshiro128p::jump() {
    constexpr uint64_t polynomial[] = {0xBEAC0467EBA5FACBu, 0xD86B048B86AA9922u};
    uint64_t jumped0 = 0, jumped1 = 0;
    for (const uint64_t word : polynomial)
        for (int bit = 0; bit < 64; ++bit) {
            if (word >> bit & 1) {
                jumped0 ^= s0;
                jumped1 ^= s1;
            }
            next();
        }
    s0 = jumped0;
    s1 = jumped1;
}

double Xoroshiro128p::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

std::vector<Xoroshiro128p> create_states(std::size_t count, uint64_t seed) {
    std::vector<Xoroshiro128p> states(count, Xoroshiro128p(seed));
    for (std::size_t i = 1; i < count; ++i) {
        states[i] = states[i - 1];
        states[i].jump();
    }
    return states;
}

}  // namespace pyk
