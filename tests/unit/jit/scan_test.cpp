// Scans: on the CPU, and on a GPU where there is one. Expected values are computed here, element by element.
#include "algorithms.h"

#include <cmath>
#include <numeric>
#include <random>

namespace {

using namespace pyk::test;  // NOLINT
using pyk::jit::ScanOptions;

constexpr const char* kFile = R"py(
def last_positive(a, b):
    return b if b > 0 else a


def square(x):
    return x * x
)py";

class Scans : public Algorithms {
  protected:
    pyk::Operator find(const char* name) const { return pyk::find_operator(load(kFile), name).value(); }
};
PYK_ON_DEVICES(Scans);

ScanOptions exclusive() {
    ScanOptions options;
    options.is_exclusive = true;
    return options;
}

// Around the ends of tiles, of warps of tiles, and of tiles of tiles.
const std::size_t kCounts[] = {0, 1, 2, 33, 1023, 4095, 4096, 4097, 16384, 16385, 4096 * 33 + 5, 1'000'003};

TEST_P(Scans, GiveEachSum) {
    for (const std::size_t count : kCounts) {
        std::vector<int> x(count);
        for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<int>(i * 7919 % 1001) - 500;
        std::vector<long long> inclusive(count), before(count);
        std::partial_sum(x.begin(), x.end(), inclusive.begin(), [](long long a, long long b) { return a + b; });
        for (std::size_t i = 1; i < count; ++i) before[i] = inclusive[i - 1];
        const auto array = on_device(x);
        ScanOptions ordered;
        for (const bool is_ordered : {false, true}) {
            ordered.is_ordered = is_ordered;
            EXPECT_EQ(all<long long>(pyk::scan(pyk::plus, array, ordered)), inclusive) << count;
            ordered.is_exclusive = true;
            EXPECT_EQ(all<long long>(pyk::scan(pyk::plus, array, ordered)), before) << count;
            ordered.is_exclusive = false;
        }
    }
}

TEST_P(Scans, KeepTheOrderOfTheElements) {
    // Not commutative: each place gets the last positive number before or at it.
    std::vector<int> x(50'021), expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 997 == 3 ? static_cast<int>(i) : -1;
    int last = x[0];
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = last = i && x[i] <= 0 ? last : x[i];
    ScanOptions options;
    for (const bool is_ordered : {false, true}) {
        options.is_ordered = is_ordered;
        EXPECT_EQ(all<int>(pyk::scan(find("last_positive"), on_device(x), options)), expected);
    }
}

TEST_P(Scans, StartWithInit) {
    const auto x = on_device(std::vector<float>{1, 2, 4});
    ScanOptions options;
    options.init = 10;
    EXPECT_EQ(all<float>(pyk::scan(pyk::plus, x, options)), (std::vector<float>{11, 13, 17}));
    options.is_exclusive = true;
    EXPECT_EQ(all<float>(pyk::scan(pyk::plus, x, options)), (std::vector<float>{10, 11, 13}));
    EXPECT_EQ(all<float>(pyk::scan(pyk::multiplies, x, exclusive())), (std::vector<float>{1, 1, 2}));
    EXPECT_EQ(failure(pyk::scan(pyk::minimum, x, exclusive())),
              "an exclusive scan by `pyk.minimum`, which has no identity: say `init`");
    EXPECT_EQ(failure(pyk::scan(find("last_positive"), x, exclusive())),
              "an exclusive scan by `last_positive`, which has no identity: say `init`");
    std::vector<double> ones(20'000, 1), expected(ones.size());
    std::iota(expected.begin(), expected.end(), 100);
    options.init = 100;
    EXPECT_EQ(all<double>(pyk::scan(pyk::plus, on_device(ones), options)), expected);
    options.is_ordered = true;
    EXPECT_EQ(all<double>(pyk::scan(pyk::plus, on_device(ones), options)), expected);
}

TEST_P(Scans, OfFloatsAreNearAndOrderedOnesEqual) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> x(300'007);
    for (float& each : x) each = uniform(random);
    const auto array = on_device(x);
    ScanOptions ordered;
    ordered.is_ordered = true;
    const auto first = all<float>(pyk::scan(pyk::plus, array, ordered));
    EXPECT_EQ(all<float>(pyk::scan(pyk::plus, array, ordered)), first);
    const auto other = all<float>(pyk::scan(pyk::plus, array));
    double sum = 0, absolute = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += x[i];
        absolute += std::fabs(x[i]);
        const double bound = 64 * 6e-8 * absolute;
        ASSERT_NEAR(first[i], sum, bound) << i;
        ASSERT_NEAR(other[i], sum, bound) << i;
    }
}

TEST_P(Scans, GoThroughArraysOfAnyStridesInCOrder) {
    std::vector<int> numbers(24);
    std::iota(numbers.begin(), numbers.end(), 0);
    const auto array = pyk::Array<int, 2>::from_host(device_, numbers.data(), {4, 6}).value();
    const auto turned = array.view().transposed();
    std::vector<long long> expected;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 4; ++j) expected.push_back((expected.empty() ? 0 : expected.back()) + j * 6 + i);
    const auto result = pyk::scan(pyk::plus, turned).value();
    EXPECT_EQ(result.shape(), (std::vector<long long>{6, 4}));
    EXPECT_EQ(result.to_host<long long>().value(), expected);
    const pyk::View<const int> backwards(array.data() + 23, {12}, {-8}, array.view().device);
    std::vector<long long> squares;
    for (int i = 23; i > 0; i -= 2) squares.push_back((squares.empty() ? 0 : squares.back()) + i * i);
    EXPECT_EQ(all<long long>(pyk::transform_scan(pyk::plus, find("square"), backwards)), squares);
    EXPECT_EQ(all<long long>(pyk::scan(pyk::plus, numbers)).back(), 276);
}

TEST_P(Scans, WriteIntoArraysThatOverlap) {
    std::vector<long long> numbers(40'000, 1), expected(numbers.size());
    std::iota(expected.begin(), expected.end(), 1);
    auto same = on_device(numbers);
    ASSERT_TRUE(pyk::scan_into(same, pyk::plus, same));
    EXPECT_EQ(same.to_host().value(), expected);
    // One element further: the input is read as it was.
    auto longer = on_device(std::vector<long long>(40'001, 1));
    auto to = longer.view().slice(0, 1, 40'001);
    ASSERT_TRUE(pyk::scan_into(to, pyk::plus, longer.view().slice(0, 0, 40'000)));
    expected.insert(expected.begin(), 1);
    EXPECT_EQ(longer.to_host().value(), expected);
    auto backwards = on_device(std::vector<long long>{1, 2, 3});
    pyk::View<long long> turned(backwards.data() + 2, {3}, {-8}, backwards.view().device);
    ASSERT_TRUE(pyk::scan_into(turned, pyk::plus, backwards));
    EXPECT_EQ(backwards.to_host().value(), (std::vector<long long>{6, 3, 1}));
    auto wrong = on_device(std::vector<long long>{1});
    EXPECT_EQ(pyk::scan_into(wrong, pyk::plus, backwards).message(), "the output has 1 elements, the result 3");
}

}  // namespace
