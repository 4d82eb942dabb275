// What is said of a value in a warp's lanes, against the value itself: random expressions, computed for threads of some
// blocks with numbers for what is unknown.
#include "advice/warp_value.h"

#include <gtest/gtest.h>

#include <random>

namespace pyk {
namespace {

/// An expression: what is said of it, and what it is, with each of some choices for what is unknown.
struct Sample {
    static constexpr size_t kChoices = 8;
    WarpValue said;
    std::array<LaneNumbers, kChoices> is;
    std::string text;
};

class Expressions {
  public:
    explicit Expressions(unsigned seed) : random_(seed) {
        for (size_t choice = 0; choice < Sample::kChoices; ++choice) {
            base_[choice] = 32 * pick(0, 5000);
            unknown_[choice] = pick(1, 3000);
        }
    }

    Sample make(int depth) {
        if (depth == 0) return leaf();
        switch (pick(0, 8)) {
            case 0:
            case 1:
                return of(
                    "+", make(depth - 1), make(depth - 1), [](auto a, auto b) { return a + b; },
                    [](int64_t a, int64_t b) { return a + b; });
            case 2:
                return of(
                    "-", make(depth - 1), make(depth - 1), [](auto a, auto b) { return a - b; },
                    [](int64_t a, int64_t b) { return a - b; });
            case 3:
                return of(
                    "*", make(depth - 1), leaf(), [](auto a, auto b) { return a * b; },
                    [](int64_t a, int64_t b) { return a * b; });
            case 4:
                return of("//", make(depth - 1), constant(1), WarpValue::quotient, floor_quotient);
            case 5:
                return of("%", make(depth - 1), constant(1), WarpValue::remainder,
                          [](int64_t a, int64_t b) { return a - b * floor_quotient(a, b); });
            case 6:
                return of("&", make(depth - 1), constant(0), WarpValue::bitwise_and,
                          [](int64_t a, int64_t b) { return a & b; });
            case 7:
                return of("|", make(depth - 1), constant(0), WarpValue::bitwise_or,
                          [](int64_t a, int64_t b) { return a | b; });
            default:
                return of("^", make(depth - 1), constant(0), WarpValue::bitwise_xor,
                          [](int64_t a, int64_t b) { return a ^ b; });
        }
    }

  private:
    int64_t pick(int64_t least, int64_t greatest) { return std::uniform_int_distribution(least, greatest)(random_); }

    static int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

    template <typename Number>
    Sample filled(WarpValue said, std::string text, Number number) {
        Sample sample{said, {}, std::move(text)};
        for (size_t choice = 0; choice < Sample::kChoices; ++choice)
            for (size_t lane = 0; lane < kLanes; ++lane) sample.is[choice][lane] = number(choice, lane);
        return sample;
    }

    Sample constant(int64_t least) {
        constexpr int64_t kLiked[] = {1, 2, 3, 4, 8, 15, 16, 31, 32, 64, 256, 7};
        const int64_t number = least == 0 && pick(0, 9) == 0 ? 0 : kLiked[pick(0, std::size(kLiked) - 1)];
        return filled(WarpValue::exactly(number), std::to_string(number), [&](size_t, size_t) { return number; });
    }

    Sample leaf() {
        switch (pick(0, 3)) {
            case 0:
                return constant(0);
            case 1:
                return filled(WarpValue::uniform(), "u", [&](size_t choice, size_t) { return unknown_[choice]; });
            default:
                return filled(WarpValue::lane_in_block(), "tid",
                              [&](size_t choice, size_t lane) { return base_[choice] + static_cast<int64_t>(lane); });
        }
    }

    template <typename Said, typename Is>
    Sample of(const char* sign, const Sample& a, const Sample& b, Said said, Is is) {
        return filled(said(a.said, b.said), "(" + a.text + " " + sign + " " + b.text + ")",
                      [&](size_t choice, size_t lane) { return is(a.is[choice][lane], b.is[choice][lane]); });
    }

    std::mt19937 random_;
    std::array<int64_t, Sample::kChoices> base_{}, unknown_{};
};

void expect_holds(const Sample& sample) {
    const LaneNumbers &at = sample.said.at(), &scaled = sample.said.scaled();
    for (const LaneNumbers& is : sample.is) {
        if (const auto exact = sample.said.exact()) {
            ASSERT_EQ(is[0], *exact) << sample.text;
        }
        int64_t factor = 0;
        for (size_t lane = 1; lane < kLanes && factor == 0; ++lane)
            if (scaled[lane] != scaled[0]) {
                const int64_t rest = is[lane] - is[0] - (at[lane] - at[0]);
                ASSERT_EQ(rest % (scaled[lane] - scaled[0]), 0) << sample.text;
                factor = rest / (scaled[lane] - scaled[0]);
            }
        for (size_t lane = 1; lane < kLanes; ++lane)
            ASSERT_EQ(is[lane] - is[0], at[lane] - at[0] + factor * (scaled[lane] - scaled[0]))
                << sample.text << ", lane " << lane;
    }
}

TEST(WarpValue, SaysWhatHolds) {
    int known = 0, varying = 0;
    for (unsigned seed = 0; seed < 20000; ++seed) {
        const Sample sample = Expressions(seed).make(1 + static_cast<int>(seed % 4));
        if (!sample.said.is_known()) continue;
        ++known;
        varying += !sample.said.is_uniform();
        expect_holds(sample);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(known, 10000);
    EXPECT_GT(varying, 5000);
}

TEST(WarpValue, KnowsCommonIndices) {
    const WarpValue tid = WarpValue::lane_in_block(), lane = WarpValue::lane();
    const auto number = [](int64_t value) { return WarpValue::exactly(value); };
    EXPECT_EQ(WarpValue::remainder(tid, number(32)), lane);
    EXPECT_EQ(WarpValue::quotient(tid, number(32)) * number(32) + WarpValue::remainder(tid, number(32)), tid);
    EXPECT_EQ(WarpValue::bitwise_and(tid, number(-32)), tid - lane);
    EXPECT_TRUE(WarpValue::quotient(tid, number(64)).is_uniform());
    EXPECT_FALSE(WarpValue::remainder(tid, number(3)).is_known());
    EXPECT_FALSE((tid * tid).is_known());
    EXPECT_TRUE((WarpValue::unknown(true) + tid).is_loaded());
    EXPECT_FALSE((WarpValue::unknown() + tid).is_loaded());
    // An extent that is known when it runs is larger than a warp; a border is rare.
    EXPECT_EQ(WarpValue::remainder(tid, WarpValue::uniform()).at(), lane.at());
    EXPECT_EQ(WarpValue::chosen(tid, WarpValue::uniform()), tid);
}

TEST(WarpValue, WhatALoopCarriesIsEitherOfTwo) {
    const WarpValue tid = WarpValue::lane_in_block();
    const WarpValue next = WarpValue::either(tid, tid + WarpValue::exactly(8));
    EXPECT_EQ(next.at(), tid.at());
    EXPECT_EQ(WarpValue::remainder(next, WarpValue::exactly(8)), WarpValue::remainder(tid, WarpValue::exactly(8)));
    EXPECT_FALSE(WarpValue::remainder(next, WarpValue::exactly(32)).is_known());
    EXPECT_FALSE(WarpValue::either(tid, tid * WarpValue::exactly(2)).is_known());
}

}  // namespace
}  // namespace pyk
