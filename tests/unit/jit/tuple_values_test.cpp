// Algorithms whose operators give plain tuples: a value and where it is, several sums at once. On the CPU, and on a GPU
// where there is one.
#include <algorithm>
#include <complex>
#include <numeric>
#include <tuple>
#include <vector>

#include "algorithms.h"

namespace {

using namespace pyk::test;  // NOLINT

constexpr const char* kFile = R"py(
def at(value, place):
    return value, place


def larger(a, b):
    if a[0] > b[0] or (a[0] == b[0] and a[1] < b[1]):
        return a
    return b


def powers(x):
    return x, x * x, 1


def added(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def ends_of(x):
    return (x, x), x > 0


def ends(a, b):
    (low, high), any_positive = a
    (other_low, other_high), other_positive = b
    return (min(low, other_low), max(high, other_high)), any_positive or other_positive


def growing(a, b):
    return a[0] + b[0], b[1]
)py";

class TupleValues : public Algorithms {
  protected:
    void SetUp() override {
        Algorithms::SetUp();
        if (IsSkipped()) return;
        module_ = load(kFile);
    }
    pyk::Operator function(const char* name) const { return pyk::find_operator(*module_, name).value(); }

    std::optional<pyk::jit::Module> module_;
};
PYK_ON_DEVICES(TupleValues);

std::vector<float> values(std::size_t count) {
    std::vector<float> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<float>(i * 7919 % 1009) - 300;
    return all;
}

TEST_P(TupleValues, WhereTheLargestIs) {
    for (const std::size_t count : {1u, 33u, 100000u}) {
        const std::vector<float> x = values(count);
        std::vector<int> places(count);
        std::iota(places.begin(), places.end(), 0);
        const auto value = on_device(x);
        const auto place = on_device(places);
        const auto largest = pyk::transform_reduce(function("larger"), function("at"), {value, place});
        ASSERT_TRUE(largest) << largest.message();
        const auto expected = std::max_element(x.begin(), x.end());
        const auto pair = largest->item<std::pair<float, int>>();
        ASSERT_TRUE(pair) << pair.message();
        EXPECT_EQ(pair->first, *expected) << count;
        EXPECT_EQ(pair->second, expected - x.begin()) << count;
    }
}

TEST_P(TupleValues, SeveralSumsAtOnce) {
    std::vector<int> x(5000);
    std::iota(x.begin(), x.end(), -1000);
    const auto some = on_device(x);
    using Sums = std::tuple<long long, long long, long long>;
    long long sum = 0, squares = 0;
    for (const int value : x) sum += value, squares += static_cast<long long>(value) * value;
    EXPECT_EQ(item<Sums>(pyk::transform_reduce(function("added"), function("powers"), some)), Sums(sum, squares, 5000));
    pyk::ReductionOptions options;
    options.init = Sums(1, 2, 3);
    EXPECT_EQ(item<Sums>(pyk::transform_reduce(function("added"), function("powers"), some, options)),
              Sums(sum + 1, squares + 2, 5003));
}

TEST_P(TupleValues, NestedAndOfSeveralTypes) {
    const std::vector<float> x = values(3000);
    const auto some = on_device(x);
    using Ends = std::tuple<std::pair<float, float>, bool>;
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    EXPECT_EQ(item<Ends>(pyk::transform_reduce(function("ends"), function("ends_of"), some)),
              Ends({*low, *high}, true));
}

TEST_P(TupleValues, ScansGiveOneForEach) {
    std::vector<double> x(2000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 11);
    std::vector<int> places(x.size());
    std::iota(places.begin(), places.end(), 0);
    const auto scanned = pyk::transform_scan(function("growing"), function("at"), {on_device(x), on_device(places)});
    ASSERT_TRUE(scanned) << scanned.message();
    const auto all = scanned->to_host<std::pair<double, int>>();
    ASSERT_TRUE(all) << all.message();
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += x[i];
        ASSERT_EQ((*all)[i].first, sum) << i;
        ASSERT_EQ((*all)[i].second, static_cast<int>(i)) << i;
    }
}

TEST_P(TupleValues, OfOtherTypesAreRefused) {
    const auto some = on_device(std::vector<int>{1, 2, 3});
    const auto sums = pyk::transform_reduce(function("added"), function("powers"), some);
    ASSERT_TRUE(sums) << sums.message();
    const auto wrong = sums->item<std::tuple<float, float, float>>();
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.message().find("(int64, int64, int64)"), std::string::npos) << wrong.message();
    pyk::ReductionOptions options;
    options.init = std::pair(1, 2);
    EXPECT_FALSE(pyk::transform_reduce(function("added"), function("powers"), some, options));
}

}  // namespace
