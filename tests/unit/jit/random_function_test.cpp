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

}  // namespace
