// Expressions of whole arrays in functions with `parallel=True`: of so many elements that several threads compute them,
// and of few. Expected values are what NumPy gives.
#include <gtest/gtest.h>

#include <numeric>

#include "pyk/function.hpp"

namespace {

constexpr const char* kFile = R"py(
import numpy as np
from numba import njit, prange


@njit(parallel=True)
def line(x, y):
    return 2 * x + y


@njit(parallel=True)
def products(rows, columns):
    return rows.reshape((rows.size, 1)) * columns


@njit(parallel=True)
def turned(x):
    return x[::-1] - x


@njit(parallel=True)
def column(x):
    return x[:, None] * 2 - x[::2].sum()


@njit(parallel=True)
def every_other(x):
    return np.maximum(x[::2], x[1::2]) * x[: x.size // 2]


@njit(parallel=True)
def extremes(x):
    return x.min(), x.max()


@njit(parallel=True)
def cube(x, n, m):
    return x.reshape((n, m, x.size // (n * m))).T + 1


@njit(parallel=True)
def running(x):
    x[1:] += x[:-1]


@njit(parallel=True)
def moved(x):
    x[1:] = x[:-1]


@njit(parallel=True)
def within(x, n):
    out = np.empty(n)
    for i in prange(n):
        part = x * i
        out[i] = part[-1]
    return out
)py";

using Doubles = std::vector<double>;

template <class Signature>
pyk::Function<Signature> get(const char* name) {
    static const pyk::jit::Module module = pyk::load_text("shared.pyk", kFile).value();
    return pyk::function<Signature>(module, name).value();
}

Doubles counted(size_t n) {
    Doubles x(n);
    std::iota(x.begin(), x.end(), 0.0);
    return x;
}

class SharedElements : public testing::TestWithParam<size_t> {};

TEST_P(SharedElements, AreComputedOnceEach) {
    const size_t n = GetParam();
    const Doubles x = counted(n);
    const Doubles sums = get<Doubles(const Doubles&, const Doubles&)>("line")(x, x);
    ASSERT_EQ(sums.size(), n);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(sums[i], 3.0 * static_cast<double>(i));
}

TEST_P(SharedElements, OfFewLongRowsOrManyShortOnes) {
    const size_t n = GetParam();
    const Doubles x = counted(n), three = {1, 10, 100};
    const auto products = get<Doubles(const Doubles&, const Doubles&)>("products");
    const Doubles tall = products(x, three), wide = products(three, x);
    ASSERT_EQ(tall.size(), 3 * n);
    ASSERT_EQ(wide.size(), 3 * n);
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < 3; ++k) {
            ASSERT_EQ(tall[3 * i + k], x[i] * three[k]);
            ASSERT_EQ(wide[n * k + i], x[i] * three[k]);
        }
}

TEST_P(SharedElements, OfAnyStrides) {
    const size_t n = GetParam();
    const Doubles x = counted(n), turned = get<Doubles(const Doubles&)>("turned")(x);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(turned[i], static_cast<double>(n - 1) - 2 * x[i]);
    const Doubles column = get<Doubles(const Doubles&)>("column")(x);
    const auto even = static_cast<double>((n + 1) / 2), sum = even * (even - 1);
    ASSERT_EQ(column.size(), n);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(column[i], 2 * x[i] - sum);
    if (n % 2) return;
    const Doubles other = get<Doubles(const Doubles&)>("every_other")(x);
    ASSERT_EQ(other.size(), n / 2);
    for (size_t i = 0; i < n / 2; ++i) ASSERT_EQ(other[i], x[2 * i + 1] * x[i]);
    if (n % 6) return;
    const auto cube = get<Doubles(const Doubles&, size_t, size_t)>("cube")(x, 2, 3);
    for (size_t i = 0; i < n; ++i)
        ASSERT_EQ(cube[i], static_cast<double>(i % 2 * n / 2 + i / 2 % 3 * n / 6 + i / 6 + 1));
}

TEST_P(SharedElements, OneAfterTheOtherWhereArraysOverlap) {
    const size_t n = GetParam();
    Doubles x(n, 1.0);
    get<void(Doubles&)>("running")(x);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(x[i], static_cast<double>(i + 1));
    get<void(Doubles&)>("moved")(x);
    for (size_t i = 1; i < n; ++i) ASSERT_EQ(x[i], static_cast<double>(i));
}

TEST_P(SharedElements, ExtremesWhereverTheyAre) {
    const size_t n = GetParam();
    const auto extremes = get<std::pair<double, double>(const Doubles&)>("extremes");
    for (const size_t at : {size_t{0}, n / 3, n - 1}) {
        if (at >= n) continue;
        Doubles x(n, 0.5);
        x[at] = -7;
        x[n - 1 - at] += 9;
        const bool is_one = n - 1 - at == at;
        EXPECT_EQ(extremes(x), (is_one ? std::pair(n == 1 ? 2.0 : 0.5, 2.0) : std::pair(-7.0, 9.5)))
            << at << " of " << n;
    }
}

TEST_P(SharedElements, WithinParallelLoops) {
    const size_t n = GetParam();
    if (n == 0) return;
    const Doubles last = get<Doubles(const Doubles&, int)>("within")(counted(n), 9);
    for (size_t i = 0; i < 9; ++i) ASSERT_EQ(last[i], static_cast<double>(i * (n - 1)));
}

INSTANTIATE_TEST_SUITE_P(Of, SharedElements, testing::Values(0, 1, 2, 6, 1000, 100000, 1200000),
                         testing::PrintToStringParamName());

TEST(SharedShapes, FailAsInNumpy) {
    const Doubles x(100000), y(99999);
    EXPECT_EQ((get<Doubles(const Doubles&, const Doubles&)>("line").call(x, y).message()),
              "shared.pyk: line 8: ValueError: operands could not be broadcast together");
}

}  // namespace
