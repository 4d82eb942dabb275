// Functions of @njit, called from C++ on the CPU. Expected values are what Numba gives.
#include "pyk/function.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numeric>
#include <thread>

#include "pyk/gufunc.hpp"

namespace {

constexpr const char* kFile = R"py(
import math

import numpy as np
from numba import cuda, jit, njit, prange


@njit
def mean(x):
    total = 0.0
    for i in range(x.size):
        total += x[i]
    return total / x.size


@njit
def helper(x):
    return x * x


@njit
def known(x):
    return np.unique(x)


@jit(nopython=True)
def statistics(x):
    least = x[0]
    most = x[0]
    squares = 0
    for value in x:
        least = min(least, value)
        most = max(most, value)
        squares += helper(value)
    return least, most, squares


@njit("float64(float64, int64)")
def power(x, n):
    return x ** n


@njit
def fill(x, value):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] = value + j


@njit
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@njit
def checked(x):
    if x < 0:
        raise ValueError("negative")
    return math.sqrt(x)


@njit
def slopes(x, dx, dy, out):
    for i in range(x.size):
        out[i] = x[i] / (dx * dx) + x[i] / (dx * dx) / (dy / 2)


@njit
def place_of_greatest(x):
    best = 0
    for i in range(1, x.size):
        if x[i] > x[best]:
            best = i
    return best


@njit
def divided_in_place(x, y):
    product = 1.0
    for i in range(x.size):
        x[i] /= y[i]
        product /= y[i]
    return product


@njit
def complex_quotient(a, b):
    return a / b


@njit
def divided(a, b):
    return a // b


@njit(parallel=True)
def parallel_sums(x):
    total = 0.0
    count = 0
    most = x[0]
    product = 1.0
    for i in prange(x.size):
        value = x[i] * 2
        if value > 10:
            count += 1
        total += value
        most = max(most, x[i])
        product *= 1.0
    return total, count, most, product


@njit(parallel=True)
def row_sums(x, out):
    for i in prange(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j]
        out[i] = s


@njit(parallel=True)
def every_third(x):
    for i in prange(x.size - 1, -1, -3):
        x[i] = i


@njit(parallel=True)
def fails_somewhere(x):
    total = 0
    for i in prange(x.size):
        if x[i] == 77:
            raise ValueError("seventy-seven")
        total += x[i]
    return total


@njit(parallel=True)
def turned(z):
    total = 1j
    product = 1 + 0j
    for i in prange(z.size):
        total += z[i] * 1j
        product *= z[i]
    return total, product


@njit(["int32(int32)", "float32(float64)"])
def declared(x):
    return x * 2 + 1.7


@njit(parallel=True)
def nested(x):
    total = 0
    for i in prange(x.shape[0]):
        for j in prange(x.shape[1]):
            total += x[i, j]
    return total


@njit
def truth(z):
    return z.real > 0


@njit
def nothing(x):
    pass


@njit
def row(x):
    return x[0]


@cuda.jit
def kernel(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = helper(x[i])
)py";

pyk::jit::Module module() { return pyk::load_text("functions.pyk", kFile).value(); }

std::vector<double> counted(std::size_t count) {
    std::vector<double> all(count);
    std::iota(all.begin(), all.end(), 0.0);
    return all;
}

using Doubles = std::vector<double>;

TEST(Functions, BuildComplexNumbersUpInParallel) {
    using Complex = std::complex<double>;
    std::vector<Complex> z(9, Complex(0, 1));
    const auto turned = pyk::function<std::pair<Complex, Complex>(std::vector<Complex>&)>(module(), "turned").value();
    const auto [total, product] = turned(z);
    EXPECT_EQ(total, Complex(-9, 1));
    EXPECT_EQ(product, Complex(0, 1));
}

TEST(Functions, TakeArraysAndNumbers) {
    const auto mean = pyk::function<double(const Doubles&)>(module(), "mean").value();
    EXPECT_EQ(mean(counted(5)), 2);
    // Of any layout.
    Doubles x = counted(10);
    const auto of_view = pyk::function<double(pyk::View<double, 1>)>(module(), "mean").value();
    EXPECT_EQ(of_view(pyk::View<double, 1>(x.data() + 9, {5}, {-16})), 5);
    const auto power = pyk::function<double(float, int)>(module(), "power").value();
    EXPECT_EQ(power(1.5f, 3), 3.375);
    EXPECT_EQ((pyk::function<long long(int)>(module(), "collatz").value()(27)), 111);
    // The signature's result: 2 · 3 + 1.7 as an int32.
    EXPECT_EQ((pyk::function<int(int)>(module(), "declared").value()(3)), 7);
    EXPECT_EQ((pyk::function<float(double)>(module(), "declared").value()(0.5)), 2.7f);
    EXPECT_TRUE((pyk::function<bool(std::complex<double>)>(module(), "truth").value()({1, -1})));
}

TEST(Functions, ReturnTuples) {
    const pyk::jit::Module file = module();
    const auto statistics =
        pyk::function<std::tuple<int, int, long long>(const std::vector<int>&)>(file, "statistics").value();
    EXPECT_EQ(statistics({3, -1, 4}), std::make_tuple(-1, 4, 26ll));
    const auto of_floats = pyk::function<std::array<double, 3>(const std::vector<float>&)>(file, "statistics").value();
    EXPECT_EQ(of_floats({0.5f, 2}), (std::array<double, 3>{0.5, 2, 4.25}));
    EXPECT_EQ((pyk::function<double(const Doubles&)>(file, "statistics").value().call(counted(2)).message()),
              "`statistics` returns 3 values, not 1");
    EXPECT_EQ((pyk::function<int(const Doubles&)>(file, "mean").value().call(counted(2)).message()),
              "`mean` returns float64, not int32");
}

// What it makes of the array is its own, whatever it does with that.
TEST(Functions, TakeConstArraysThatTheyCopy) {
    const std::vector<double> x = {2, 1, 2};
    const auto known = pyk::function<std::vector<double>(const std::vector<double>&)>(module(), "known").value();
    EXPECT_EQ(known(x), (std::vector<double>{1, 2}));
}

TEST(Functions, WriteArrays) {
    Doubles x(6);
    const auto fill = pyk::function<void(pyk::View<double, 2>, double)>(module(), "fill").value();
    fill(pyk::host(x.data(), {2, 3}), 0.5);
    EXPECT_EQ(x, (Doubles{0.5, 1.5, 2.5, 0.5, 1.5, 2.5}));
    const Doubles fixed(6);
    const auto of_const = pyk::function<void(pyk::View<const double, 2>, double)>(module(), "fill").value();
    EXPECT_EQ(of_const.call(pyk::host(fixed.data(), {2, 3}), 0.5).message(),
              "`fill` writes argument 1 (`x`) of `fill`, which is const");
}

TEST(Functions, RaiseWhatPythonRaises) {
    const pyk::jit::Module file = module();
    const auto checked = pyk::function<double(double)>(file, "checked").value();
    EXPECT_EQ(checked(4), 2);
    EXPECT_NE(checked.call(-1).message().find("ValueError: negative"), std::string::npos);
    EXPECT_EQ(checked.call(-1).error().kind, pyk::Error::Kind::execution);
    EXPECT_EQ(checked(9), 3);
    const auto divided = pyk::function<long long(long long, long long)>(file, "divided").value();
    EXPECT_EQ(divided(-7, 2), -4);
    EXPECT_NE(divided.call(1, 0).message().find("ZeroDivisionError"), std::string::npos);
    using Complex = std::complex<double>;
    const auto quotient = pyk::function<Complex(Complex, Complex)>(file, "complex_quotient").value();
    EXPECT_EQ(quotient({4, 2}, {0, 2}), Complex(1, -2));
    EXPECT_NE(quotient.call({1, 1}, 0).message().find("ZeroDivisionError: complex division by zero"),
              std::string::npos);
}

TEST(Functions, DivideByZeroInALoopThatRuns) {
    const pyk::jit::Module file = module();
    const auto slopes = pyk::function<void(const Doubles&, double, double, Doubles&)>(file, "slopes").value();
    const Doubles x{1, 2, 4};
    Doubles out(3, -1);
    slopes(x, 0.5, 2, out);
    EXPECT_EQ(out, (Doubles{8, 16, 32}));
    EXPECT_NE(slopes.call(x, 0.5, 0, out).message().find("ZeroDivisionError"), std::string::npos);
    EXPECT_EQ(out, (Doubles{8, 16, 32}));
    EXPECT_TRUE(slopes.call(Doubles{}, 0, 0, out));  // nothing is divided
}

TEST(Functions, ChooseAPlaceByABranch) {
    const auto place = pyk::function<long long(const Doubles&)>(module(), "place_of_greatest").value();
    EXPECT_EQ(place({1, 3, 2, 3, -1}), 1);
    EXPECT_EQ(place({5, 3}), 0);
    EXPECT_EQ(place({1, 2, 3}), 2);
}

TEST(Functions, DivideByZeroInPlace) {
    const auto divided = pyk::function<double(Doubles&, const Doubles&)>(module(), "divided_in_place").value();
    Doubles x{1, 2, 3};
    EXPECT_EQ(divided(x, {2, 4, 5}), 0.025);
    EXPECT_EQ(x, (Doubles{0.5, 0.5, 0.6}));
    EXPECT_NE(divided.call(x, {1, 0, 1}).message().find("ZeroDivisionError"), std::string::npos);
    EXPECT_EQ(x, (Doubles{0.5, 0.5, 0.6}));
}

TEST(Functions, RunLoopsOnAllCores) {
    const pyk::jit::Module file = module();
    const auto sums =
        pyk::function<std::tuple<double, long long, double, double>(const Doubles&)>(file, "parallel_sums").value();
    for (const std::size_t n : {1u, 5u, 255u, 257u, 100000u}) {
        const double last = static_cast<double>(n - 1);
        EXPECT_EQ(sums(counted(n)),
                  std::make_tuple(last * (last + 1), n > 6 ? static_cast<long long>(n) - 6 : 0ll, last, 1.0))
            << n;
    }
    // The order of the parts is that of the iterations, whatever the threads do.
    Doubles fractions(100001);
    for (std::size_t i = 0; i < fractions.size(); ++i) fractions[i] = 1.0 / static_cast<double>(i + 1);
    const auto first = sums(fractions);
    for (int k = 0; k < 20; ++k) ASSERT_EQ(sums(fractions), first);
    Doubles x = counted(1000 * 30), out(1000);
    pyk::function<void(pyk::View<double, 2>, Doubles&)>(file, "row_sums").value()(pyk::host(x.data(), {1000, 30}), out);
    for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(out[i], 900.0 * static_cast<double>(i) + 435);
    Doubles steps(1000, -1);
    pyk::function<void(Doubles&)>(file, "every_third").value()(steps);
    for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(steps[i], i % 3 == 0 ? static_cast<double>(i) : -1) << i;
    EXPECT_EQ((pyk::function<double(pyk::View<double, 2>)>(file, "nested").value()(pyk::host(x.data(), {100, 30}))),
              4498500);
}

TEST(Functions, StopLoopsThatFail) {
    std::vector<int> x(10000);
    std::iota(x.begin(), x.end(), 0);
    const auto fails = pyk::function<long long(const std::vector<int>&)>(module(), "fails_somewhere").value();
    EXPECT_NE(fails.call(x).message().find("ValueError: seventy-seven"), std::string::npos);
    x[77] = 0;
    EXPECT_EQ(fails(x), 49995000 - 77);
}

TEST(Functions, AreCalledFromManyThreads) {
    const pyk::jit::Module file = module();
    const auto sums =
        pyk::function<std::tuple<double, long long, double, double>(const Doubles&)>(file, "parallel_sums").value();
    const Doubles x = counted(5000);
    std::vector<std::thread> threads;
    std::array<bool, 4> right{};
    for (std::size_t t = 0; t < right.size(); ++t)
        threads.emplace_back([&, t] {
            right[t] = true;
            for (int k = 0; k < 50; ++k) right[t] &= std::get<0>(sums(x)) == 4999.0 * 5000;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, (std::array<bool, 4>{true, true, true, true}));
}

TEST(Functions, AreKnownByName) {
    const pyk::jit::Module file = module();
    EXPECT_EQ(pyk::jit::function_names(file)[0], "mean");
    EXPECT_EQ(file.kernel_names(), std::vector<std::string>{"kernel"});
    EXPECT_NE((pyk::function<int()>(file, "nosuch").message().find("there is no function `nosuch`; there is `mean`")),
              std::string::npos);
    EXPECT_EQ((pyk::function<double()>(file, "mean").message()), "`mean` takes 1 argument, not 0");
    pyk::function<void(int)>(file, "nothing").value()(1);
}

TEST(Functions, AreSharedWithKernels) {
    pyk::jit::Options options;
    options.backend = pyk::jit::Backend::cpu;
    const auto file = pyk::load_text("functions.pyk", kFile, options).value();
    Doubles x = {1, 2, 3};
    file.kernel("kernel").value()(pyk::grid(1), pyk::block(32))(x);
    EXPECT_EQ(x, (Doubles{1, 4, 9}));
    EXPECT_EQ((pyk::function<double(double)>(file, "helper").value()(3)), 9);
}

}  // namespace
