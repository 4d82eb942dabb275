// Selections, segmented reductions, histograms and sorts: on the CPU, and on a GPU where there is one.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <random>

#include "algorithms.h"
#include "pyk/half.h"

namespace particles {

struct Particle {
    float x, y;
    int id;
};

}  // namespace particles

PYK_RECORD(particles::Particle, x, y, id);

namespace {

using namespace pyk::test;  // NOLINT
using pyk::jit::ReductionOptions;

constexpr const char* kFile = R"py(
def is_odd(x):
    return x % 2 == 1


def last_digit(x):
    return x % 10


def by_last_digit(a, b):
    return a % 10 < b % 10


def by_size(a, b):
    return abs(a) < abs(b)


def larger(a, b):
    return a if a > b else b
)py";

class Arrays : public Algorithms {
  protected:
    pyk::Operator find(const char* name) const { return pyk::find_operator(load(kFile), name).value(); }
};
PYK_ON_DEVICES(Arrays);

std::vector<int> random_integers(std::size_t count, int most, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<int> x(count);
    for (int& each : x) each = static_cast<int>(random() % static_cast<unsigned>(most));
    return x;
}

const std::size_t kCounts[] = {0, 1, 2, 255, 1023, 1024, 1025, 4095, 4096, 4097, 100'003, 4096 * 40 + 1};

TEST_P(Arrays, SelectKeepsTheOrder) {
    for (const std::size_t count : kCounts) {
        const std::vector<int> x = random_integers(count, 1000, 5);
        std::vector<int> expected;
        std::copy_if(x.begin(), x.end(), std::back_inserter(expected), [](int each) { return each % 2 == 1; });
        EXPECT_EQ(all<int>(pyk::select(find("is_odd"), on_device(x))), expected) << count;
    }
    const auto none = on_device(std::vector<double>(5000));
    EXPECT_EQ(pyk::select(pyk::is_nonzero, none).value().shape(), (std::vector<long long>{0}));
    const auto every = on_device(std::vector<double>(5000, 2.5));
    EXPECT_EQ(all<double>(pyk::select(pyk::is_nonzero, every)), std::vector<double>(5000, 2.5));
    const auto matrix =
        pyk::Array<int, 2>::from_host(device_, std::vector<int>{1, 2, 3, 4, 5, 6}.data(), {2, 3}).value();
    EXPECT_EQ(all<int>(pyk::select(find("is_odd"), matrix.view().transposed())), (std::vector<int>{1, 5, 3}));
}

TEST_P(Arrays, SegmentsAreReduced) {
    for (const long long length : {1ll, 3ll, 20ll, 300ll, 5000ll}) {
        std::vector<int> x = random_integers(60'000, 1000, 6);
        std::vector<long long> offsets = {0}, expected;
        std::mt19937 random(7);
        while (offsets.back() < 60'000)
            offsets.push_back(std::min(
                60'000ll, offsets.back() + static_cast<long long>(random() % static_cast<unsigned>(2 * length + 1))));
        for (std::size_t i = 1; i < offsets.size(); ++i)
            expected.push_back(std::accumulate(x.begin() + offsets[i - 1], x.begin() + offsets[i], 0ll));
        const auto array = on_device(x);
        EXPECT_EQ(all<long long>(pyk::segmented_reduce(pyk::plus, array, on_device(offsets))), expected) << length;
        const std::vector<int> narrow(offsets.begin(), offsets.end());
        EXPECT_EQ(all<long long>(pyk::segmented_reduce(pyk::plus, array, on_device(narrow))), expected) << length;
    }
    ReductionOptions options;
    options.init = -1;
    const auto x = on_device(std::vector<double>{3, 1, 4, 1, 5});
    const auto offsets = on_device(std::vector<long long>{0, 2, 2, 9});
    EXPECT_EQ(all<double>(pyk::segmented_reduce(find("larger"), x, offsets, options)), (std::vector<double>{3, -1, 5}));
    EXPECT_EQ(all<double>(pyk::transform_segmented_reduce(pyk::plus, pyk::multiplies, {x, x}, offsets)),
              (std::vector<double>{10, 0, 42}));
    EXPECT_EQ(failure(pyk::segmented_reduce(pyk::minimum, x, offsets)),
              "a segmented reduction by `pyk.minimum`, which has no identity: say `init`");
    EXPECT_EQ(failure(pyk::segmented_reduce(pyk::plus, x, x)), "offsets are an array of one axis, of int32 or int64");
}

TEST_P(Arrays, HistogramsAreNumpys) {
    // np.histogram(x, 10, (0, 1)), which counts by the edges: 0.30000000000000004, 0.6000000000000001,
    // 0.7000000000000001.
    const std::vector<double> x = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, -0.1, 1.1, NAN};
    EXPECT_EQ(all<long long>(pyk::histogram(on_device(x), 10, 0.0, 1.0)),
              (std::vector<long long>{1, 1, 2, 0, 1, 2, 1, 0, 1, 2}));
    const std::vector<int> numbers = random_integers(200'003, 1000, 8);
    const auto array = on_device(numbers);
    for (const long long bins : {1ll, 7ll, 1000ll, 20'000ll}) {
        std::vector<long long> expected(static_cast<std::size_t>(bins));
        for (const int each : numbers) ++expected[static_cast<std::size_t>(each * bins / 1000)];
        EXPECT_EQ(all<long long>(pyk::histogram(array, bins, 0, 1000)), expected) << bins;
    }
    std::vector<long long> digits(10);
    for (const int each : numbers) ++digits[static_cast<std::size_t>(each % 10)];
    EXPECT_EQ(all<long long>(pyk::histogram(find("last_digit"), array, 10)), digits);
    digits.resize(4);
    EXPECT_EQ(all<long long>(pyk::histogram(find("last_digit"), array, 4)), digits);
    const auto same = on_device(std::vector<float>(100'000, 0.25f));
    EXPECT_EQ(all<long long>(pyk::histogram(same, 4, 0, 1)), (std::vector<long long>{0, 100'000, 0, 0}));
    EXPECT_EQ(all<long long>(pyk::histogram(on_device(std::vector<float>()), 2, 0, 1)), (std::vector<long long>{0, 0}));
    // The edges are of the elements' type: np.histogram(x, 6, (0.1, 0.7)) with a float16 x.
    std::vector<pyk::float16> halves;
    for (int i = 1; i <= 16; ++i) halves.emplace_back(0.05 * i);
    EXPECT_EQ(all<long long>(pyk::histogram(on_device(halves), 6, 0.1, 0.7)),
              (std::vector<long long>{2, 2, 2, 2, 2, 3}));
    EXPECT_EQ(failure(pyk::histogram(same, 0, 0, 1)), "a histogram of 0 bins");
    EXPECT_EQ(failure(pyk::histogram(same, 1ll << 60, 0, 1)),
              "a histogram of 1152921504606846976 bins; there can be 4294967296");
    EXPECT_EQ(failure(pyk::histogram(same, 3, 2, 1)), "a histogram from 2.000000 to 1.000000");
}

// What a graph reads stays there.
TEST_P(Arrays, HistogramsAreCaptured) {
    const std::vector<int> numbers = random_integers(100'000, 1000, 8);
    const auto array = on_device(numbers);
    const auto expected = all<long long>(pyk::histogram(array, 50, 0, 1000));
    const auto stream = pyk::Stream::create(device_).value();
    ASSERT_TRUE(pyk::histogram(array, 50, 0, 1000, stream).ok());
    const auto is_odd = find("is_odd");
    ASSERT_TRUE(pyk::select(is_odd, array, stream).ok());
    ASSERT_TRUE(stream.synchronize().ok());
    ASSERT_TRUE(stream.begin_capture().ok());
    const auto counts = pyk::histogram(array, 50, 0, 1000, stream);
    const auto graph = stream.end_capture();
    ASSERT_TRUE(counts.ok()) << counts.message();
    ASSERT_TRUE(graph.ok()) << graph.message();
    const std::vector<std::vector<double>> others(200, std::vector<double>(51, 1e9));
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(graph->launch(stream).ok());
    const auto result = counts->to_host<std::int64_t>(stream).value();
    EXPECT_EQ(std::vector<long long>(result.begin(), result.end()), expected);
    ASSERT_TRUE(stream.begin_capture().ok());
    EXPECT_EQ(failure(pyk::select(is_odd, array, stream)),
              "a selection cannot be captured: it waits to know how many elements there are");
    (void)stream.end_capture();
}

TEST_P(Arrays, SortsByKeysOfTheHost) {
    const std::vector<int> keys = {3, 1, 2};
    const std::vector<float> values = {30, 10, 20};
    const auto less = find("by_last_digit");
    const std::vector<float> expected = {10, 20, 30};
    const auto on_host = pyk::sort_by_key(keys, values, less), mixed = pyk::sort_by_key(keys, on_device(values), less);
    ASSERT_TRUE(on_host.ok()) << on_host.message();
    EXPECT_EQ(on_host->values.to_host<float>().value(), expected);
    ASSERT_TRUE(mixed.ok()) << mixed.message();
    EXPECT_EQ(mixed->values.to_host<float>().value(), expected);
}

// Values are moved alone.
TEST_P(Arrays, SortsRecordsAndDatesByKeys) {
    using particles::Particle;
    const std::vector<int> keys = {3, 1, 2};
    const std::vector<Particle> values = {{1, 2, 30}, {3, 4, 10}, {5, 6, 20}};
    const auto sorted = pyk::sort_by_key(keys, values);
    ASSERT_TRUE(sorted.ok()) << sorted.message();
    const std::vector<Particle> moved = sorted->values.to_host<Particle>().value();
    ASSERT_EQ(moved.size(), 3u);
    EXPECT_EQ((std::vector<int>{moved[0].id, moved[1].id, moved[2].id}), (std::vector<int>{10, 20, 30}));
    EXPECT_EQ(moved[0].x, 3);
    EXPECT_EQ(moved[2].y, 2);
    using Day = pyk::DateTime<pyk::TimeUnit::days>;
    const auto dates = pyk::sort_by_key(keys, std::vector<Day>{{5}, {-7}, {9}}, pyk::greater);
    ASSERT_TRUE(dates.ok()) << dates.message();
    EXPECT_EQ(dates->values.to_host<Day>().value()[1].count, 9);
}

TEST_P(Arrays, SortsAreStable) {
    for (const std::size_t count : kCounts) {
        std::vector<int> x = random_integers(count, 5000, 9);
        const auto array = on_device(x);
        std::vector<long long> places(count);
        std::iota(places.begin(), places.end(), 0);
        const auto at = [&](long long i) { return x[static_cast<std::size_t>(i)]; };
        std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return at(a) % 10 < at(b) % 10; });
        EXPECT_EQ(all<long long>(pyk::argsort(array, find("by_last_digit"))), places) << count;
        std::vector<float> values(count), expected(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) / 2;
        for (std::size_t i = 0; i < count; ++i) expected[i] = values[static_cast<std::size_t>(places[i])];
        const auto pairs = pyk::sort_by_key(array, on_device(values), find("by_last_digit")).value();
        EXPECT_EQ(pairs.values.to_host<float>().value(), expected) << count;
        std::sort(x.begin(), x.end());
        EXPECT_EQ(all<int>(pyk::sort(array)), x) << count;
        std::reverse(x.begin(), x.end());
        EXPECT_EQ(all<int>(pyk::sort(array, pyk::greater)), x) << count;
    }
}

TEST_P(Arrays, SortsOrderNanLast) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto x = on_device(std::vector<double>{nan, 3, -INFINITY, nan, INFINITY, -0.0, 0.0});
    const auto sorted = all<double>(pyk::sort(x));
    EXPECT_EQ(std::vector<double>(sorted.begin(), sorted.begin() + 5),
              (std::vector<double>{-INFINITY, 0, 0, 3, INFINITY}));
    EXPECT_TRUE(std::signbit(sorted[1]) && !std::signbit(sorted[2]));
    EXPECT_TRUE(std::isnan(sorted[5]) && std::isnan(sorted[6]));
    EXPECT_EQ(all<long long>(pyk::argsort(x)), (std::vector<long long>{2, 5, 6, 1, 4, 0, 3}));
    using Complex = std::complex<double>;
    const auto z = on_device(std::vector<Complex>{{3, 4}, {0, 1}, {-2, 0}});
    EXPECT_EQ(all<Complex>(pyk::sort(z, find("by_size"))), (std::vector<Complex>{{0, 1}, {-2, 0}, {3, 4}}));
    EXPECT_EQ(failure(pyk::sort_by_key(x, z)), "there are 7 keys and 3 values");
}

// np.argsort(z): by real parts, then by imaginary ones; NaNs are last, those in imaginary parts first.
TEST_P(Arrays, SortsComplexNumbers) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto z = on_device(
        std::vector<std::complex<double>>{{2, 1}, {nan, 1}, {2, nan}, {2, -1}, {nan, nan}, {-3, 5}, {nan, 0}});
    EXPECT_EQ(all<long long>(pyk::argsort(z)), (std::vector<long long>{5, 3, 0, 2, 6, 1, 4}));
    EXPECT_EQ(all<long long>(pyk::argsort(z, pyk::greater)), (std::vector<long long>{4, 1, 6, 2, 0, 3, 5}));
    using Complex = std::complex<float>;
    const auto narrow = on_device(std::vector<Complex>{{1, 1}, {0, 2}, {1, -1}});
    EXPECT_EQ(all<Complex>(pyk::sort(narrow)), (std::vector<Complex>{{0, 2}, {1, -1}, {1, 1}}));
}

}  // namespace
