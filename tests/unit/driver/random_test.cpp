#include "driver/cli/random.h"

#include <gtest/gtest.h>

namespace pyk {
namespace {

// numba.cuda.random.init_xoroshiro128p_states_cpu(states, seed=1, 0) of numba-cuda 0.30
TEST(Xoroshiro128p, StatesAreNumbas) {
    const auto states = create_states(4, 1);
    const uint64_t expected[4][2] = {{0x910a2dec89025cc1u, 0x910a2dec89025cc1u},
                                     {0x73c19a5348fc9098u, 0x6c96c932f21d71eeu},
                                     {0x0b3d0cd6ddfa7a4cu, 0xd3c2c33e9b8e707au},
                                     {0x3b80c389fcd31ee7u, 0xb43c70624d182bbbu}};
    for (size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(states[i].s0, expected[i][0]) << i;
        EXPECT_EQ(states[i].s1, expected[i][1]) << i;
    }
    EXPECT_TRUE(create_states(0, 1).empty());
}

TEST(Xoroshiro128p, UniformStaysBelowOne) {
    Xoroshiro128p generator(7);
    for (int i = 0; i < 10000; ++i) {
        const double value = generator.uniform();
        EXPECT_GE(value, 0.0);
        EXPECT_LT(value, 1.0);
    }
}

}  // namespace
}  // namespace pyk
