#include "demo/samples.h"

namespace {

using State = pyk::XoroshiroState;

constexpr int kThreads = 4096;
constexpr int64_t kPoints = 200;

uint64_t rotated(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

uint64_t next(State& s) {
    const uint64_t result = s.s0 + s.s1, mixed = s.s1 ^ s.s0;
    s = {rotated(s.s0, 55) ^ mixed ^ (mixed << 14), rotated(mixed, 36)};
    return result;
}

float uniform(State& s) { return static_cast<float>(static_cast<double>(next(s) >> 11) * 0x1p-53); }

// 2^64 steps.
State jumped(State s) {
    State sum{0, 0};
    for (const uint64_t word : {0xBEAC0467EBA5FACBull, 0xD86B048B86AA9922ull})
        for (int bit = 0; bit < 64; ++bit) {
            if (word >> bit & 1) sum = {sum.s0 ^ s.s0, sum.s1 ^ s.s1};
            next(s);
        }
    return sum;
}

// As numba.cuda.random.create_xoroshiro128p_states does it: seeded by splitmix64, each state 2^64 steps after the last.
std::vector<State> create_states(size_t count, uint64_t seed) {
    uint64_t z = seed + 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    std::vector<State> states{{z, z}};
    while (states.size() < count) states.push_back(jumped(states.back()));
    return states;
}

int64_t count_inside(std::vector<State> states) {
    int64_t inside = 0;
    for (State& state : states)
        for (int64_t point = 0; point < kPoints; ++point) {
            const float x = uniform(state), y = uniform(state);
            inside += x * x + y * y <= 1.0f;
        }
    return inside;
}

}  // namespace

void demo::run_monte_carlo_pi(Session& session) {
    const auto states = create_states(kThreads, 42);
    const auto inside = session.zeros<int64_t>({1});
    session.launch("count_inside", {kThreads / 128}, {128}, session.array(states), kPoints, inside);

    // The same points in the same order; a fused multiply-add may move one across the arc.
    const int64_t got = session.read(inside)[0], want = count_inside(states);
    if (std::abs(got - want) > 2) session.fail(std::to_string(got) + " points inside, not " + std::to_string(want));
    if (!near(4.0 * static_cast<double>(got) / (kThreads * kPoints), 3.14159265, 2e-3)) session.fail("that is not pi");
}
