#include "advice/access_pattern.h"

#include <gtest/gtest.h>

namespace pyk {
namespace {

using Form = AccessPattern::Form;

const WarpValue kThread = WarpValue::lane_in_block();

WarpValue number(int64_t value) { return WarpValue::exactly(value); }

AccessPattern of_floats(const WarpValue& index) { return access_pattern(index * number(4), 4); }

TEST(AccessPattern, OfIndices) {
    EXPECT_EQ(of_floats(kThread), (AccessPattern{Form::strided, 4, 4}));
    EXPECT_TRUE(of_floats(kThread).is_coalesced());
    EXPECT_TRUE(of_floats(number(0) - kThread).is_coalesced());
    EXPECT_EQ(of_floats(kThread * number(3)), (AccessPattern{Form::strided, 4, 12}));
    EXPECT_FALSE(of_floats(kThread * number(3)).is_coalesced());
    EXPECT_EQ(of_floats(WarpValue::uniform()).form, Form::uniform);
    EXPECT_EQ(of_floats(kThread * WarpValue::uniform()).form, Form::scaled);
    EXPECT_EQ(of_floats(WarpValue::quotient(kThread, number(4))), (AccessPattern{Form::grouped, 4, 0, 4}));
    EXPECT_EQ(of_floats(WarpValue::remainder(kThread, number(4))), (AccessPattern{Form::repeated, 4, 0, 4}));
    EXPECT_EQ(of_floats(WarpValue::bitwise_xor(kThread, number(5))).form, Form::permuted);
    EXPECT_EQ(of_floats(WarpValue::unknown()).form, Form::unknown);
    EXPECT_EQ(of_floats(WarpValue::unknown(true)).form, Form::gathered);
}

TEST(AccessPattern, OfFieldsOfRecords) {
    const AccessPattern field = access_pattern(kThread * number(16) + number(8), 4);
    EXPECT_EQ(field, (AccessPattern{Form::strided, 4, 16}));
    EXPECT_FALSE(field.is_coalesced());
}

TEST(AccessPattern, OfBlocksThatAreNarrowerThanAWarp) {
    const WarpValue x = WarpValue::remainder(kThread, number(16)), y = WarpValue::quotient(kThread, number(16));
    const WarpValue width = WarpValue::uniform();
    EXPECT_EQ(of_floats(y * width + x), (AccessPattern{Form::pieces, 4, 0, 16, 2}));
    EXPECT_EQ(of_floats(x * width + y), (AccessPattern{Form::pieces, 4, 0, 2, 16}));
    EXPECT_EQ(of_floats(y * width), (AccessPattern{Form::pieces, 4, 0, 1, 2}));
    EXPECT_EQ(of_floats(y * number(16) + x).form, Form::strided);
    EXPECT_EQ(of_floats(y * number(64) + x), (AccessPattern{Form::pieces, 4, 0, 16, 2}));
}

int conflicts(int64_t stride, size_t bytes) {
    return bank_conflicts(WarpValue::lane() * number(stride * static_cast<int64_t>(bytes)), bytes);
}

TEST(BankConflicts, AreThoseOfThirtyTwoBanksOfFourBytes) {
    EXPECT_EQ(conflicts(0, 4), 1);  // one word goes to all
    EXPECT_EQ(conflicts(1, 4), 1);
    EXPECT_EQ(conflicts(-1, 4), 1);
    EXPECT_EQ(conflicts(2, 4), 2);
    EXPECT_EQ(conflicts(32, 4), 32);
    EXPECT_EQ(conflicts(33, 4), 1);  // the padded tile
    EXPECT_EQ(conflicts(1, 1), 1);
    EXPECT_EQ(conflicts(1, 8), 1);
    EXPECT_EQ(conflicts(16, 8), 16);
    EXPECT_EQ(conflicts(32, 1), 8);
}

TEST(BankConflicts, OfBlocksThatAreNarrowerThanAWarp) {
    const WarpValue x = WarpValue::remainder(WarpValue::lane(), number(16));
    const WarpValue y = WarpValue::quotient(WarpValue::lane(), number(16));
    EXPECT_EQ(bank_conflicts((x * number(16) + y) * number(4), 4), 8);  // tile[x, y] of 16 by 16
    EXPECT_EQ(bank_conflicts((y * number(16) + x) * number(4), 4), 1);
    EXPECT_EQ(bank_conflicts((x * number(17) + y) * number(4), 4), 2);
    EXPECT_EQ(bank_conflicts(x * WarpValue::uniform(), 4), 0);  // not known
}

}  // namespace
}  // namespace pyk
