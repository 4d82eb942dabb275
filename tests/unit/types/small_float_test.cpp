#include "types/small_float.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace pyk {
namespace {

// The compiler's own half has IEEE's values.
#ifdef __FLT16_MAX__
TEST(SmallFloat, HasEveryValueOfHalf) {
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<uint16_t>(bits);
        _Float16 want;
        std::memcpy(&want, &half, sizeof want);
        const double got = small_float_value(half, Scalar::float16);
        if (std::isnan(got)) {
            EXPECT_NE(want, want) << bits;
            continue;
        }
        ASSERT_EQ(got, static_cast<double>(want)) << bits;
        ASSERT_EQ(small_float_bits(got, Scalar::float16), half) << bits;
    }
}

TEST(SmallFloat, RoundsAsHalf) {
    for (int i = 0; i < 200'000; ++i) {
        const double value = std::ldexp(1.0 + i * 0x1p-17 * 0.999, i % 44 - 26);
        ASSERT_EQ(rounded(value, Scalar::float16), static_cast<double>(static_cast<_Float16>(value))) << value;
    }
}
#endif

TEST(SmallFloat, RoundsBrainFloats) {
    EXPECT_EQ(rounded(257, Scalar::bfloat16), 256);
    EXPECT_EQ(rounded(259, Scalar::bfloat16), 260);
    EXPECT_EQ(rounded(3.4e38, Scalar::bfloat16), HUGE_VAL);
    EXPECT_EQ(small_float_bits(-1.5, Scalar::bfloat16), 0xbfc0);
    EXPECT_EQ(small_float_value(0x3f80, Scalar::bfloat16), 1);
    EXPECT_EQ(small_float_bits(1e-40, Scalar::bfloat16), 1);
}

TEST(SmallFloat, LeavesWiderFloats) {
    EXPECT_EQ(rounded(0.1, Scalar::float64), 0.1);
    EXPECT_EQ(rounded(0.1, Scalar::float32), static_cast<double>(0.1f));
}

}  // namespace
}  // namespace pyk
