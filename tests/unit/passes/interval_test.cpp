// Interval arithmetic against all values: whatever an operator gives for members must be a member of what it gives for
// intervals.
#include "passes/interval.h"

#include <gtest/gtest.h>

#include "ir/constant.h"
#include "passes/arithmetic.h"

namespace pyk::test {
namespace {

const BinaryOp kOperators[] = {BinaryOp::Add, BinaryOp::Sub,    BinaryOp::Mul,   BinaryOp::FloorDiv,
                               BinaryOp::Mod, BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor,
                               BinaryOp::Shl, BinaryOp::Shr,    BinaryOp::Pow};

Wide wide(const ir::ConstantValue& value) {
    if (const auto* number = std::get_if<uint64_t>(&value)) return *number;
    return std::get<int64_t>(value);
}

ir::ConstantValue constant(Wide value, Type type) { return ir::integer_constant(static_cast<uint64_t>(value), type); }

void check_members(BinaryOp op, const Interval& a, const Interval& b, Type type) {
    const Interval result = apply(op, a, b, type);
    for (Wide x = a.lo; x <= a.hi; ++x)
        for (Wide y = b.lo; y <= b.hi; ++y) {
            const auto value = evaluate(op, constant(x, type), constant(y, type), type);
            if (!value) continue;
            ASSERT_TRUE(result.contains(wide(*value)))
                << info(op).name << " " << static_cast<long>(x) << " " << static_cast<long>(y) << " in " << type.name();
        }
}

TEST(Interval, EveryOperatorHoldsItsValues) {
    for (BinaryOp op : kOperators)
        for (Wide alo = -6; alo <= 6; alo += 2)
            for (Wide blo = -5; blo <= 5; ++blo)
                for (Wide length : {0, 1, 4}) {
                    check_members(op, {alo, alo + length}, {blo, blo + 3}, Scalar::int64);
                    check_members(op, {alo + 6, alo + 6 + length}, {blo + 5, blo + 8}, Scalar::uint64);
                }
}

TEST(Interval, AtTheEndsOfTheTypes) {
    const Interval all = all_of(Scalar::int64), unsigned_all = all_of(Scalar::uint64);
    EXPECT_EQ(apply(BinaryOp::Add, {0, all.hi}, {1, 1}, Scalar::int64), (Interval{1, all.hi}));
    EXPECT_EQ(apply(BinaryOp::Sub, {0, unsigned_all.hi}, {1, 1}, Scalar::uint64).lo, 0);
    EXPECT_EQ(apply(BinaryOp::Sub, {0, unsigned_all.hi}, {1, 1}, Scalar::uint64).hi, unsigned_all.hi);
    EXPECT_EQ(apply(BinaryOp::Mul, unsigned_all, unsigned_all, Scalar::uint64).hi, unsigned_all.hi);
    EXPECT_TRUE(all.within(apply(BinaryOp::Mul, all, all, Scalar::int64)));
    EXPECT_TRUE(apply(BinaryOp::FloorDiv, all, {-1, -1}, Scalar::int64).contains(0));
    EXPECT_LT(apply(BinaryOp::Shl, {0, all.hi}, {1, 1}, Scalar::int64).lo, 0);
}

TEST(Interval, GrownValuesWrap) {
    const Interval all = all_of(Scalar::int64), grown = {0, all.hi, true}, bounded = {0, 255};
    EXPECT_EQ(apply(BinaryOp::Add, grown, bounded, Scalar::int64).lo, 0);
    EXPECT_EQ(apply(BinaryOp::Add, grown, grown, Scalar::int64).lo, all.lo);
    EXPECT_EQ(apply(BinaryOp::Mul, grown, {31, 31}, Scalar::int64).lo, all.lo);
    EXPECT_EQ(apply(BinaryOp::Mul, {0, all.hi}, {31, 31}, Scalar::int64).lo, all.lo);
}

// Counters and extents are what places are made of: `i * 31`, `y * width + x`, `(z * height + y) * width + x`. They are
// also hashed, by greater factors; and nothing has more than four axes that one computes with.
TEST(Interval, PlacesDoNotWrap) {
    const Interval all = all_of(Scalar::int64), counter = {0, all.hi - 1, false, {1, 1, 1}},
                   extent = {0, kMostElements, false, {1, 0, 1}};
    const auto times = [](const Interval& a, const Interval& b) { return apply(BinaryOp::Mul, a, b, Scalar::int64); };
    const auto plus = [](const Interval& a, const Interval& b) { return apply(BinaryOp::Add, a, b, Scalar::int64); };
    EXPECT_EQ(times(counter, {31, 31}).lo, 0);
    EXPECT_EQ(plus(times(counter, extent), counter).lo, 0);
    EXPECT_EQ(plus(times(plus(times(counter, extent), counter), extent), counter).lo, 0);
    EXPECT_TRUE(all.within(times(counter, {16777619, 16777619}))) << "FNV's";
    EXPECT_TRUE(all.within(times(extent, {2654435761, 2654435761}))) << "Knuth's";
    EXPECT_EQ(times(counter, counter).lo, 0);
    EXPECT_EQ(times(times(times(extent, extent), extent), extent).lo, 0);
    EXPECT_TRUE(all.within(times(times(times(times(extent, extent), extent), extent), extent)));
    // `(i * i * i) % 64` and `(i * 7919 * 104729 * 1299709) % 61` left the type, and the index the array.
    EXPECT_TRUE(all.within(times(times(counter, counter), counter)));
    EXPECT_TRUE(all.within(times(times(counter, {7919, 7919}), {104729, 104729})));
    EXPECT_EQ(times(times(counter, {1024, 1024}), {1024, 1024}).lo, 0);
    // So did a counter by two numbers of 32 bits that are loaded.
    const Interval loaded = {-0x80000000LL, 0x7fffffff};
    // Nor is what a loop adds up of products: `s += i * i`.
    const Interval sum = {0, all.hi, true};
    EXPECT_EQ(plus(sum, counter).lo, 0);
    EXPECT_EQ(plus(sum, times(extent, extent)).lo, 0);
    EXPECT_TRUE(all.within(plus(sum, times(counter, counter))));
    EXPECT_TRUE(all.within(plus({0, all.hi, true, {2, 2, 1}}, times(counter, counter))));
    EXPECT_TRUE(times(counter, loaded).is_place());
    EXPECT_TRUE(all.within(times(times(counter, loaded), loaded)));
    EXPECT_TRUE(all.within(
        times({Wide{1} << 40, Wide{1} << 41, false, {1, 1, 1}}, {Wide{1} << 40, Wide{1} << 41, false, {1, 1, 1}})))
        << "it leaves the type for certain";
    EXPECT_TRUE(all.within(plus(counter, {all.hi - 7, all.hi - 7})));
    EXPECT_EQ(plus(counter, {1, 1}).lo, 1);
}

// `(x & 0xffffffff) * 6364136223846793005 + 1442695040888963407` is negative for some x, where it wraps.
TEST(Interval, WhatCanWrapMay) {
    const Interval all = all_of(Scalar::int64), masked = {0, 0xffffffff};
    const Wide factor = 6364136223846793005, constant = 1442695040888963407;
    const Interval scrambled = apply(BinaryOp::Mul, masked, {factor, factor}, Scalar::int64);
    EXPECT_TRUE(all.within(scrambled));
    EXPECT_TRUE(all.within(apply(BinaryOp::Add, scrambled, {constant, constant}, Scalar::int64)));
    EXPECT_TRUE(all.within(apply(BinaryOp::Mul, masked, masked, Scalar::int64)));
    EXPECT_TRUE(all.within(apply(BinaryOp::Add, {0, 7}, {all.hi, all.hi}, Scalar::int64)));
    EXPECT_TRUE(all.within(apply(BinaryOp::Sub, {0, 7}, {all.lo, all.lo}, Scalar::int64)));
    // An index is no such value: a thread's times an extent, plus another; a volume's of 32-bit extents.
    const Interval thread = {0, Wide{1} << 41}, extent = {0, kMostElements, false, {1, 0, 1}},
                   narrow = {0, 0x7fffffff, false, {1, 0, 1}};
    const Interval row = apply(BinaryOp::Mul, thread, extent, Scalar::int64);
    EXPECT_EQ(apply(BinaryOp::Add, row, thread, Scalar::int64).lo, 0);
    const Interval plane = apply(BinaryOp::Mul, narrow, narrow, Scalar::int64);
    EXPECT_EQ(apply(BinaryOp::Mul, apply(BinaryOp::Add, plane, narrow, Scalar::int64), narrow, Scalar::int64).lo, 0);
}

TEST(Interval, Conversions) {
    const Interval big = {0, Wide{1} << 40};
    EXPECT_EQ(converted(big, Scalar::int64, Scalar::uint64), big);
    EXPECT_EQ(converted(big, Scalar::int64, Scalar::int32), all_of(Scalar::int32));
    EXPECT_EQ(converted({-1, 5}, Scalar::int64, Scalar::uint64), all_of(Scalar::uint64));
    EXPECT_EQ(converted(all_of(Scalar::uint64), Scalar::uint64, Scalar::int64), all_of(Scalar::int64));
    EXPECT_EQ(converted({3, 4}, Scalar::float64, Scalar::int64), all_of(Scalar::int64));
    EXPECT_EQ(converted({0, 1}, Scalar::boolean, Scalar::int64), (Interval{0, 1}));
}

}  // namespace
}  // namespace pyk::test
