#include "passes/arithmetic.h"

#include <gtest/gtest.h>

#include <limits>

namespace pyk::test {
namespace {

using ir::ConstantValue;

const int64_t kLeast = std::numeric_limits<int64_t>::min();

std::optional<ConstantValue> ints(BinaryOp op, int64_t a, int64_t b) { return evaluate(op, a, b, Scalar::int64); }

TEST(Arithmetic, FloorDivisionAndRemainder) {
    for (auto [a, b, quotient, remainder] :
         {std::tuple{7, 2, 3, 1}, {-7, 2, -4, 1}, {7, -2, -4, -1}, {-7, -2, 3, -1}, {5, 0, 0, 0}}) {
        EXPECT_EQ(ints(BinaryOp::FloorDiv, a, b), ConstantValue(int64_t{quotient})) << a << " " << b;
        EXPECT_EQ(ints(BinaryOp::Mod, a, b), ConstantValue(int64_t{remainder})) << a << " " << b;
    }
    EXPECT_EQ(ints(BinaryOp::FloorDiv, kLeast, -1), ConstantValue(int64_t{0}));
    EXPECT_EQ(ints(BinaryOp::Mod, kLeast, -1), ConstantValue(int64_t{0}));
    const int64_t least32 = std::numeric_limits<int32_t>::min();
    EXPECT_EQ(evaluate(BinaryOp::FloorDiv, least32, int64_t{-1}, Scalar::int32), ConstantValue(int64_t{0}));
    EXPECT_EQ(ints(BinaryOp::FloorDiv, least32, -1), ConstantValue(-least32));
}

TEST(Arithmetic, Wraps) {
    EXPECT_EQ(ints(BinaryOp::Sub, kLeast, 1), ConstantValue(std::numeric_limits<int64_t>::max()));
    EXPECT_EQ(ints(BinaryOp::Pow, 3, 50), ConstantValue(int64_t{6048575297968530377}));
    EXPECT_EQ(evaluate(BinaryOp::Add, uint64_t{250}, uint64_t{10}, Scalar::uint8), ConstantValue(uint64_t{4}));
}

TEST(Arithmetic, ShiftsBySignAndWidth) {
    EXPECT_EQ(ints(BinaryOp::Shr, -16, 2), ConstantValue(int64_t{-4}));
    EXPECT_EQ(evaluate(BinaryOp::Shr, ~uint64_t{0}, uint64_t{63}, Scalar::uint64), ConstantValue(uint64_t{1}));
    EXPECT_EQ(ints(BinaryOp::Shl, 1, 64), std::nullopt);
    EXPECT_EQ(ints(BinaryOp::Shl, 1, -1), std::nullopt);
}

TEST(Arithmetic, UnaryInItsOwnWidth) {
    EXPECT_EQ(evaluate(UnaryOp::Invert, uint64_t{1}, Scalar::uint8), ConstantValue(uint64_t{254}));
    EXPECT_EQ(evaluate(UnaryOp::Neg, int64_t{-128}, Scalar::int8), ConstantValue(int64_t{-128}));
    EXPECT_EQ(evaluate(UnaryOp::Not, true, Scalar::boolean), ConstantValue(false));
    EXPECT_EQ(evaluate(UnaryOp::Neg, 0.0, Scalar::float64), ConstantValue(-0.0));
}

}  // namespace
}  // namespace pyk::test
