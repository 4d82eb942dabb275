// Random numbers in arrays: known answers, of Random123 and of Numba, and what the numbers look like.
#include "pyk/random.hpp"

#include <cmath>
#include <limits>

#include "algorithms.h"

namespace {

using namespace pyk::test;  // NOLINT
using pyk::Philox;
using pyk::XoroshiroState;

class Random : public Algorithms {};
PYK_ON_DEVICES(Random);

constexpr std::uint64_t kOnes = std::numeric_limits<std::uint64_t>::max();

// `philox4x32 10` of Random123's kat_vectors.
TEST_P(Random, PhiloxGivesTheKnownAnswers) {
    struct Answer {
        Philox generator;
        std::vector<std::uint32_t> bits;
    };
    const Answer answers[] = {{{0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                              {{kOnes, kOnes, kOnes}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                              {{0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88},
                               {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
    for (const Answer& answer : answers) {
        Philox generator = answer.generator;
        auto out = on_device(std::vector<std::uint32_t>(4));
        ASSERT_TRUE(pyk::fill_bits(out, generator));
        EXPECT_EQ(out.to_host().value(), answer.bits);
        EXPECT_EQ(generator.position, answer.generator.position + 1);
    }
}

TEST_P(Random, PhiloxGoesOnFromItsPosition) {
    Philox whole{5}, parts{5};
    auto all_bits = on_device(std::vector<std::uint32_t>(1003));
    ASSERT_TRUE(pyk::fill_bits(all_bits, whole));
    EXPECT_EQ(whole.position, 251u);
    auto first = on_device(std::vector<std::uint32_t>(400)), rest = on_device(std::vector<std::uint32_t>(603));
    ASSERT_TRUE(pyk::fill_bits(first, parts));
    ASSERT_TRUE(pyk::fill_bits(rest, parts));
    auto joined = first.to_host().value();
    for (const auto bits : rest.to_host().value()) joined.push_back(bits);
    EXPECT_EQ(all_bits.to_host().value(), joined);
}

// Made by numba 0.68.1: init_xoroshiro128p_states_cpu(states, seed, start), states[5].
TEST_P(Random, StatesAreNumbas) {
    struct Answer {
        std::uint64_t seed, start, s0, s1;
    };
    const Answer answers[] = {{1, 0, 0xfad30181771253d, 0x48a822e88430407b},
                              {42, 5, 0xd43e668dabd93072, 0x900d3acabc28360e},
                              {(1ull << 40) + 7, 3, 0xf37213862a5a49fa, 0xa1c4d56b4f82d073}};
    for (const Answer& answer : answers) {
        const auto states = pyk::create_xoroshiro128p_states(device_, 6, answer.seed, answer.start).value();
        const XoroshiroState last = states.to_host().value()[5];
        EXPECT_EQ(last.s0, answer.s0);
        EXPECT_EQ(last.s1, answer.s1);
        // However far: what a later start gives is what an earlier one gives later.
        const auto later = pyk::create_xoroshiro128p_states(device_, 1, answer.seed, answer.start + 5).value();
        EXPECT_EQ(later.to_host().value()[0].s0, answer.s0);
    }
    const auto many = pyk::create_xoroshiro128p_states(device_, 5000, 1).value().to_host().value();
    const auto far = pyk::create_xoroshiro128p_states(device_, 1000, 1, 4000).value().to_host().value();
    for (std::size_t i = 0; i < far.size(); ++i) {
        ASSERT_EQ(many[i + 4000].s0, far[i].s0);
        ASSERT_EQ(many[i + 4000].s1, far[i].s1);
    }
    EXPECT_EQ(pyk::create_xoroshiro128p_states(device_, 0, 1).value().size(), 0);
    EXPECT_FALSE(pyk::create_xoroshiro128p_states(device_, -1, 1));
}

// Drawn by numba 0.68.1 as fill_uniform's comment says, two states of seed 9.
TEST_P(Random, StatesFillAsNumbasKernelsDo) {
    auto states = pyk::create_xoroshiro128p_states(device_, 2, 9).value();
    auto out = on_device(std::vector<float>(7));
    ASSERT_TRUE(pyk::fill_uniform(out, states));
    EXPECT_EQ(out.to_host().value(), (std::vector<float>{0x1.757a98p-2f, 0x1.68eb44p-4f, 0x1.92babep-3f, 0x1.0b8078p-8f,
                                                         0x1.eb2f4ep-1f, 0x1.5d24e6p-1f, 0x1.ede5b4p-3f}));
}

/// Mean and variance within five standard errors, and all in the range.
template <class T>
void expect_moments(const std::vector<T>& x, double mean, double variance, double fourth) {
    double sum = 0, squares = 0;
    for (const T each : x) sum += each;
    for (const T each : x) squares += (each - mean) * (each - mean);
    const auto n = static_cast<double>(x.size());
    EXPECT_NEAR(sum / n, mean, 5 * std::sqrt(variance / n));
    EXPECT_NEAR(squares / n, variance, 5 * std::sqrt((fourth - variance * variance) / n));
}

template <class T, class Generator>
void check_reals(const pyk::Device& device, Generator& generator) {
    auto x = pyk::Array<T>::allocate(device, {100'001}).value();
    ASSERT_TRUE(pyk::fill_uniform(x, generator, -1, 3));
    const auto uniform = x.to_host().value();
    for (const T each : uniform) ASSERT_TRUE(each >= -1 && each <= 3) << each;
    expect_moments(uniform, 1, 16.0 / 12, 256.0 / 80);
    ASSERT_TRUE(pyk::fill_normal(x, generator, 10, 2));
    expect_moments(x.to_host().value(), 10, 4, 3 * 16);
}

TEST_P(Random, NumbersHaveTheirDistribution) {
    Philox philox{1, 2, 3};
    auto states = pyk::create_xoroshiro128p_states(device_, 512, 7).value();
    check_reals<float>(device_, philox);
    check_reals<double>(device_, philox);
    check_reals<float>(device_, states);
    check_reals<double>(device_, states);
    auto dice = pyk::Array<signed char>::allocate(device_, {60'000}).value();
    for (const bool is_philox : {true, false}) {
        ASSERT_TRUE(is_philox ? pyk::fill_integers(dice, philox, -2, 4) : pyk::fill_integers(dice, states, -2, 4));
        int counts[6] = {};
        for (const signed char each : dice.to_host().value()) {
            ASSERT_TRUE(each >= -2 && each < 4);
            ++counts[each + 2];
        }
        for (const int count : counts) EXPECT_NEAR(count, 10'000, 5 * std::sqrt(60'000 / 6.0 * 5 / 6));
    }
    auto wide = pyk::Array<long long, 2>::allocate(device_, {3, 5}).value();
    const auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    ASSERT_TRUE(pyk::fill_integers(wide, philox, least, most));
    const auto numbers = wide.to_host().value();
    EXPECT_TRUE(std::any_of(numbers.begin(), numbers.end(), [](long long x) { return x < -(1ll << 40); }));
    EXPECT_TRUE(std::any_of(numbers.begin(), numbers.end(), [](long long x) { return x > 1ll << 40; }));
}

TEST_P(Random, RefusesWhatHasNoMeaning) {
    Philox generator;
    auto floats = on_device(std::vector<float>(8));
    auto bytes = on_device(std::vector<unsigned char>(8));
    EXPECT_EQ(failure(pyk::fill_bits(floats, generator)), "random bits are uint32, not float32");
    EXPECT_EQ(failure(pyk::fill_uniform(bytes, generator)), "random numbers are float32 or float64, not uint8");
    EXPECT_EQ(failure(pyk::fill_integers(floats, generator, 0, 2)), "random integers in an array of float32");
    EXPECT_EQ(failure(pyk::fill_integers(bytes, generator, 3, 3)), "no integer is in [3, 3)");
    EXPECT_EQ(failure(pyk::fill_integers(bytes, generator, 0, 257)), "integers in [0, 257) do not fit uint8");
    auto every_other = floats.view().slice(0, 0, 8, 2);
    EXPECT_EQ(failure(pyk::fill_uniform(every_other, generator)),
              "the array's elements do not lie side by side in C order");
    EXPECT_EQ(generator.position, 0u);
}

}  // namespace
