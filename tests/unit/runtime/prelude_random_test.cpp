// The random numbers of numba.cuda.random, recorded from its own source (data/make_cases.py).
#include <gtest/gtest.h>

#include "pyk/array.h"
#include "pyk/random.h"

namespace {

struct Recorded {
    long long seed;
    int subsequence, index;
    unsigned long long s0, s1, next;
    double uniform64;
    double uniform32, normal32, normal64;
};
constexpr Recorded kRecorded[] = {
#include "data/random.inc"
};

pyk::xoroshiro128p_state state_of(const Recorded& r) {
    pyk::xoroshiro128p_state state;
    const pyk::array<pyk::xoroshiro128p_state, 1> states{&state, {1}};
    pyk::init_xoroshiro128p_state(states, 0, static_cast<unsigned long long>(r.seed));
    for (int jumps = r.subsequence + r.index; jumps > 0; --jumps) pyk::xoroshiro128p_jump(states, 0);
    return state;
}

TEST(Random, StatesAndDrawsAreNumbas) {
    for (const Recorded& r : kRecorded) {
        pyk::xoroshiro128p_state state = state_of(r);
        const pyk::array<pyk::xoroshiro128p_state, 1> states{&state, {1}};
        EXPECT_EQ(state.s0, r.s0);
        EXPECT_EQ(state.s1, r.s1);
        EXPECT_EQ(pyk::xoroshiro128p_next(states, 0), r.next);
        EXPECT_EQ(pyk::xoroshiro128p_uniform_float64(states, 0), r.uniform64);
        EXPECT_EQ(pyk::xoroshiro128p_uniform_float32(states, 0), static_cast<float>(r.uniform32));
        // Numba's Python computes these in more than float32.
        EXPECT_NEAR(pyk::xoroshiro128p_normal_float32(states, 0), r.normal32, 2e-6);
        EXPECT_NEAR(pyk::xoroshiro128p_normal_float64(states, 0), r.normal64, 2e-6);
    }
}

}  // namespace
