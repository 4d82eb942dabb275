// `random` and `np.random` in functions of @njit. Expected values are Numba's (0.68.1), of the same functions in the
// same order: `python -c 'exec(text of kFile); print(of_random(42), of_numpy(42), integers(7), arrays(3), shuffled(5),
// …)'`.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <thread>
#include <tuple>

#include "pyk/function.hpp"

namespace {

constexpr const char* kFile = R"py(
import random

import numpy as np
from numba import njit, prange


@njit
def of_random(s):
    random.seed(s)
    a = random.random()
    b = random.uniform(-1, 3)
    c = random.gauss(0.0, 1.0)
    return a, b, c, random.normalvariate(5, 2), random.expovariate(0.5)


@njit
def of_numpy(s):
    np.random.seed(s)
    a = np.random.random()
    b = np.random.uniform(-1, 3)
    c = np.random.normal()
    d = np.random.normal(5, 2.0)
    e = np.random.exponential(2.0)
    f = np.random.standard_normal()
    g = np.random.rand()
    h = np.random.randn()
    return a, b, c, d, e, f, g, h, np.random.uniform()


@njit
def of_integers(s):
    random.seed(s)
    a = random.randint(1, 6)
    b = random.randrange(10)
    c = random.randrange(5, 8)
    d = random.randrange(100, 0, -7)
    e = random.randrange(3, 10**15, 4)
    f = random.randint(2, 2)
    return a, b, c, d, e, f, random.randrange(1 << 32)


@njit
def of_numpys_integers(s):
    np.random.seed(s)
    a = np.random.randint(6)
    b = np.random.randint(1, 7)
    c = np.random.randint(3, 4)
    d = np.random.randint(-5, 10**15)
    return a, b, c, d, np.random.randint(0, 1 << 32)


@njit
def of_wide_bounds(low, high):
    np.random.seed(7)
    return np.random.randint(low, high)


@njit
def of_wide_bounds_arrays(low, high):
    np.random.seed(7)
    return np.random.randint(low, high, 2)


@njit
def arrays(s):
    np.random.seed(s)
    a = np.random.random(3)
    b = np.random.rand(2, 2)
    c = np.random.normal(1.0, 2.0, 3)
    d = np.random.uniform(0, 2, size=(2, 1))
    e = np.random.randint(0, 10, 5)
    f = np.random.permutation(5)
    g = np.random.exponential(1.0, 2)
    h = np.random.standard_normal(2)
    return a, b, c, d, e, f, g, h, np.random.randn(2)


@njit
def shuffled(s):
    random.seed(s)
    np.random.seed(s)
    x = np.arange(6)
    random.shuffle(x)
    y = np.arange(6).reshape((3, 2)).copy()
    np.random.shuffle(y)
    return x, y


@njit
def late(s):
    np.random.seed(s)
    total = 0.0
    for i in range(2000):
        total += np.random.random()
    return total, np.random.normal(), np.random.randint(0, 100)


@njit
def pi(n):
    random.seed(1)
    inside = 0
    for i in range(n):
        x = random.random()
        y = random.random()
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / n


@njit
def seed(s):
    random.seed(s)
    np.random.seed(s)


@njit
def draw():
    return random.random() + np.random.random()


@njit(parallel=True)
def in_parallel(n):
    out = np.empty(n)
    for i in prange(n):
        out[i] = np.random.random()
    return out


@njit
def narrow(low, high):
    return np.random.randint(low, high)


@njit
def normal(mean):
    return np.random.normal(mean)


@njit
def below(n):
    return random.randrange(n)


@njit
def distributions(s):
    np.random.seed(s)
    a = np.random.gamma(2.5, 2.0)
    b = np.random.gamma(0.5)
    c = np.random.beta(1.5, 2.5)
    d = np.random.poisson(3.0)
    e = np.random.poisson(30.0)
    f = np.random.choice(10)
    g = np.random.choice(np.array([1.5, 2.5, 3.5]), 4)
    h = np.random.choice(5, 3, False)
    i = np.random.gamma(3.0, 1.0, 3)
    j = np.random.poisson(20.0, (2, 2))
    return a, b, c, d, e, f, g, h, i, j, np.random.geometric(0.5), np.random.geometric(0.1)


@njit
def of_one_number(s):
    distributions(s)
    a = np.random.lognormal()
    b = np.random.laplace()
    c = np.random.logistic(1.0, 2.0)
    d = np.random.weibull(2.0)
    e = np.random.pareto(3.0)
    f = np.random.gumbel(0.0, 1.0)
    g = np.random.rayleigh(2.0)
    h = np.random.chisquare(3.0)
    i = np.random.standard_t(4.0)
    return a, b, c, d, e, f, g, h, i, np.random.standard_gamma(1.0)


@njit
def too_many():
    return np.random.choice(3, 4, False)
)py";

const pyk::jit::Module& module() {
    static const pyk::jit::Module loaded = pyk::load_text("draws.pyk", kFile).value();
    return loaded;
}

using Doubles = std::vector<double>;
using Integers = std::vector<long long>;

template <class Signature>
pyk::Function<Signature> get(const char* name) {
    return pyk::function<Signature>(module(), name).value();
}

TEST(RandomInFunctions, HasNumbasNumbersOfASeed) {
    EXPECT_EQ((get<std::array<double, 5>(int)>("of_random")(42)),
              (std::array<double, 5>{0.3745401188473625, 2.8028572256396647, 0.6476885381006925, 8.046059712816051,
                                     0.33924974092469257}));
    EXPECT_EQ((get<std::array<double, 9>(int)>("of_numpy")(42)),
              (std::array<double, 9>{0.3745401188473625, 2.8028572256396647, 0.6476885381006925, 8.046059712816051,
                                     0.33924974092469257, 0.2790412922001377, 0.7080725777960455, 1.0105152848065264,
                                     0.020584494295802447}));
    EXPECT_EQ(get<double(int)>("pi")(100000), 3.14112);
}

TEST(RandomInFunctions, HasNumbasIntegers) {
    EXPECT_EQ((get<std::array<long long, 7>(int)>("of_integers")(7)),
              (std::array<long long, 7>{1, 3, 6, 51, 814565943362383, 2, 4200432988}));
    EXPECT_EQ((get<std::array<long long, 5>(int)>("of_numpys_integers")(7)),
              (std::array<long long, 5>{4, 2, 3, 46138421646910, 4201435347}));
    EXPECT_EQ((pyk::function<int(int, int)>(module(), "narrow").value()(3, 4)), 3);
    // The type is the wider one's, and signed where one is; of an array it is always signed.
    using Unsigned = unsigned long long;
    EXPECT_EQ((get<long long(long long, Unsigned)>("of_wide_bounds")(0, 9223372036854775807u)), 1407639518939636932);
    EXPECT_EQ((get<long long(Unsigned, long long)>("of_wide_bounds")(Unsigned(1) << 40, 1LL << 62)),
              1407640618451264708);
    EXPECT_EQ((get<Unsigned(unsigned, Unsigned)>("of_wide_bounds")(3, 100)), 50u);
    EXPECT_EQ((get<Integers(Unsigned, Unsigned)>("of_wide_bounds_arrays")(3, 100)), (Integers{50, 71}));
    EXPECT_NE(get<int(int)>("below").call(0).message().find("ValueError: empty range"), std::string::npos);
}

TEST(RandomInFunctions, HasNumbasArrays) {
    using All = std::tuple<Doubles, Doubles, Doubles, pyk::AnyArray, Integers, Integers, Doubles, Doubles, Doubles>;
    const All all = get<All(int)>("arrays")(3);
    EXPECT_EQ(std::get<0>(all), (Doubles{0.5507979025745755, 0.7081478226181048, 0.2909047389129443}));
    EXPECT_EQ(std::get<1>(all),
              (Doubles{0.510827605197663, 0.8929469543476547, 0.8962930889334381, 0.12558531046383625}));
    EXPECT_EQ(std::get<2>(all), (Doubles{0.07991575867463274, 0.8841583188112887, 5.155148274225658}));
    EXPECT_EQ(std::get<3>(all).shape(), (std::vector<long long>{2, 1}));
    EXPECT_EQ(std::get<3>(all).to_host<double>().value(), (Doubles{0.5569745652959506, 1.3525098039602625}));
    EXPECT_EQ(std::get<4>(all), (Integers{2, 1, 3, 5, 8}));
    EXPECT_EQ(std::get<5>(all), (Integers{3, 0, 2, 4, 1}));
    EXPECT_EQ(std::get<6>(all), (Doubles{0.8833879372401392, 0.32147343309926657}));
    EXPECT_EQ(std::get<7>(all), (Doubles{-0.6013124761891296, 1.5851435877004802}));
    EXPECT_EQ(std::get<8>(all), (Doubles{-0.27925073058158056, -0.5747893224281514}));
    const auto [x, y] = get<std::pair<Integers, pyk::AnyArray>(int)>("shuffled")(5);
    EXPECT_EQ(x, (Integers{4, 2, 3, 5, 0, 1}));
    EXPECT_EQ(y.to_host<long long>().value(), (Integers{0, 1, 2, 3, 4, 5}));
}

TEST(RandomInFunctions, RenewsItsWordsAndTakes32BitsOfASeed) {
    using Late = std::tuple<double, double, long long>;
    const auto late = get<Late(long long)>("late");
    EXPECT_EQ(late((1ll << 32) + 9), (Late{995.6533940735638, -0.15496791083569203, 69}));
    EXPECT_EQ(late(-3), (Late{1022.6243592107138, -0.9533738467723218, 69}));
}

TEST(RandomInFunctions, GoesOnFromCallToCallInEachThreadOnItsOwn) {
    const auto seed = get<void(int)>("seed");
    const auto draw = get<double()>("draw");
    seed(42);
    const double first = draw(), second = draw();
    EXPECT_EQ(first, 2 * 0.3745401188473625);
    EXPECT_NE(second, first);
    seed(42);
    double elsewhere = 0;
    std::thread([&] { elsewhere = draw(); }).join();
    EXPECT_NE(elsewhere, first);
    EXPECT_EQ(draw(), first);
}

TEST(RandomInFunctions, TakesNumbers) {
    const auto normal = get<double(const Doubles&)>("normal");
    EXPECT_NE(normal.call(Doubles(3)).message().find("`np.random.normal` does not take"), std::string::npos);
}

TEST(RandomInFunctions, HasNoNumberTwiceInParallelLoops) {
    const Doubles drawn = get<Doubles(int)>("in_parallel")(5000);
    EXPECT_EQ(std::set<double>(drawn.begin(), drawn.end()).size(), 5000u);
}

TEST(RandomInFunctions, HasNumbasOtherDistributions) {
    using All = std::tuple<double, double, double, long long, long long, long long, std::vector<double>,
                           std::vector<long long>, std::vector<double>, std::vector<long long>, long long, long long>;
    const auto [a, b, c, d, e, f, g, h, i, j, k, l] = pyk::function<All(int)>(module(), "distributions").value()(42);
    EXPECT_DOUBLE_EQ(a, 3.869184571321562);
    EXPECT_DOUBLE_EQ(b, 0.03412024653988381);
    EXPECT_DOUBLE_EQ(c, 0.06381021122817972);
    EXPECT_EQ((std::array{d, e, f, k, l}), (std::array{0ll, 25ll, 4ll, 2ll, 6ll}));
    EXPECT_EQ(g, (std::vector<double>{1.5, 2.5, 2.5, 1.5}));
    EXPECT_EQ(h, (std::vector<long long>{1, 2, 4}));
    const double gammas[] = {3.67716672, 2.01946456, 2.77270877};
    for (size_t n = 0; n < 3; ++n) EXPECT_NEAR(i.at(n), gammas[n], 1e-8);
    EXPECT_EQ(j, (std::vector<long long>{16, 21, 21, 17}));

    const auto numbers = pyk::function<std::array<double, 10>(int)>(module(), "of_one_number").value()(42);
    const double expected[] = {0.9865934543693218, -2.6768852782403316, 5.610730236034333,  0.547227353885646,
                               0.436321406390775,  0.9847125655655925,  2.4234040454026293, 3.4250472933603575,
                               -0.943256638845502, 0.09265545895311562};
    for (size_t n = 0; n < 10; ++n) EXPECT_NEAR(numbers[n], expected[n], 1e-14) << n;
    EXPECT_NE(
        pyk::function<std::vector<long long>()>(module(), "too_many").value().call().message().find("larger sample"),
        std::string::npos);
}

}  // namespace
