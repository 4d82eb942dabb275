// Array functions that make arrays, on the CPU. Expected values are Numba's (0.68.1).
#include <gtest/gtest.h>

#include <limits>

#include "on_backend.h"
#include "pyk/gufunc.hpp"
#include "pyk/ufunc.hpp"

namespace {

constexpr const char* kFile = R"py(
import numpy as np
from numba import guvectorize, njit, vectorize


@guvectorize(["(float64[:], float64, float64, float64[:])"], "(n),(),()->(n)")
def line(x, a, b, res):
    res[:] = a * x + b


@guvectorize(["(float32[:], float32[:])", "(float64[:], float64[:])"], "(n)->(n)")
def standardised(x, res):
    res[:] = (x - x.mean()) / np.sqrt(np.sum((x - x.mean()) ** 2) / len(x))


@guvectorize(["(float64[:, :], float64[:], float64[:])"], "(m,n),(n)->(m)", target="parallel")
def product(a, x, res):
    res[:] = np.dot(a, x) - a @ x / 2


@guvectorize(["(int64[:], int64[:])"], "(n)->(n)")
def ordered(x, res):
    counts = np.zeros(10, np.int64)
    for value in x:
        counts[value] += 1
    res[:] = np.sort(x)[::-1] * 10 + counts[x]


@guvectorize(["(float64[:], float64[:])"], "(n)->(n)")
def differences(x, res):
    res[0] = 0
    res[1:] = x[1:] - x[:-1]
    res[1:] += res[:-1].copy()
    res[1:] = res[:-1]


@guvectorize(["(float64[:], float64[:])"], "(n)->()")
def positive_mean(x, res):
    above = x[x > 0]
    res[0] = above.mean() if above.size else 1 / above.size


@guvectorize("(n)->(n)")
def halves(x, res):
    res[:] = x / 2


@njit
def weighted(x, weights):
    return x * weights / weights.sum()


@guvectorize(["(float64[:], float64[:], float64[:])"], "(n),(n)->(n)")
def shares(x, weights, res):
    res[:] = weighted(x, weights)


@vectorize(["float64(float64)"])
def polynomial(x):
    return np.dot(np.array([1.0, 2.0, 3.0]), np.array([1.0, x, x * x]))


@guvectorize(["(float64[:], float64[:])"], "(n)->(n)", target="cuda")
def on_gpus(x, res):
    res[:] = x + x
)py";

using pyk::jit::AnyArray;
using Doubles = std::vector<double>;

class GufuncArrays : public testing::Test {
  protected:
    void SetUp() override { need_cpu(); }

    static pyk::jit::Module module() {
        pyk::jit::Options options;
        options.backend = pyk::jit::Backend::cpu;
        return pyk::load_text("gufunc_arrays.pyk", kFile, options).value();
    }
    static pyk::jit::Gufunc get(const char* name) { return pyk::gufunc(module(), name).value(); }
    static Doubles doubles(const AnyArray& array) { return array.to_host<double>().value(); }
};

TEST_F(GufuncArrays, AreWhatExpressionsGive) {
    Doubles x = {0, 1, 2, 3, 4, 5}, b = {1, 10};
    EXPECT_EQ(doubles(get("line")(pyk::host(x.data(), {2, 3}), 2.0, b)), (Doubles{1, 3, 5, 16, 18, 20}));
    std::vector<long long> integers = {1, 2, 3};
    Doubles out(3);
    get("halves").apply(integers, out).or_throw();
    EXPECT_EQ(out, (Doubles{0.5, 1, 1.5}));
    EXPECT_EQ(doubles(get("shares")(Doubles{1, 2}, Doubles{1, 3})), (Doubles{0.25, 1.5}));
    EXPECT_EQ(doubles(pyk::ufunc(module(), "polynomial").value()(Doubles{0, 1, 2})), (Doubles{1, 6, 17}));
}

TEST_F(GufuncArrays, HaveTheSignaturesTypes) {
    const Doubles wide = doubles(get("standardised")(Doubles{2, 2, 5}));
    EXPECT_EQ(wide, (Doubles{-0.7071067811865475, -0.7071067811865475, 1.414213562373095}));
    const AnyArray narrow = get("standardised")(std::vector<float>{1, 2, 4});
    ASSERT_EQ(narrow.element(), pyk::jit::Element::float32);
    const std::vector<float> got = narrow.to_host<float>().value();
    EXPECT_NEAR(got[0], -1.0690451f, 1e-6);
    EXPECT_NEAR(got[2], 1.3363061f, 1e-6);
}

TEST_F(GufuncArrays, LastForOneCall) {
    std::vector<long long> x = {3, 1, 3, 2, 0, 7};
    EXPECT_EQ(get("ordered")(pyk::host(x.data(), {2, 3})).to_host<std::int64_t>().value(),
              (std::vector<std::int64_t>{32, 31, 12, 71, 21, 1}));
    Doubles a = {1, 2, 3, 4}, b = {1, 10};
    EXPECT_EQ(doubles(get("product")(pyk::host(a.data(), {2, 2}), b)), (Doubles{10.5, 21.5}));
}

// Divisions are NumPy's, as in Numba's array functions.
TEST_F(GufuncArrays, AreMadeOfPartsThatOverlap) {
    EXPECT_EQ(doubles(get("differences")(Doubles{1, 4, 9, 16})), (Doubles{0, 0, 3, 8}));
    Doubles x = {1, -1, 4, -1, -2, -3};
    EXPECT_EQ(doubles(get("positive_mean")(pyk::host(x.data(), {2, 3}))),
              (Doubles{2.5, std::numeric_limits<double>::infinity()}));
}

// Numba's for GPUs make none either.
TEST_F(GufuncArrays, AreNotMadeForGpus) {
    const auto refused = get("on_gpus").call(Doubles{1});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.message().find("would need a new array"), std::string::npos) << refused.message();
}

}  // namespace
