// Stencils from C++: on the CPU, and on a GPU where there is one. Expected values are what Numba gives.
#include "pyk/stencil.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "on_backend.h"

namespace {

using pyk::jit::AnyArray;
using pyk::jit::Argument;
using pyk::jit::Backend;
using pyk::jit::Stencil;

constexpr const char* kFile = R"py(
import numpy as np
from numba import njit, stencil


@stencil
def cross(a):
    return 0.25 * (a[-1, 0] + a[1, 0] + a[0, -1] + a[0, 1])


@stencil(cval=-1)
def ahead(a):
    return a[2] - a[0]


@stencil(neighborhood=((-2, 0),))
def recent(a):
    total = 0
    for k in range(-2, 1):
        total += a[k]
    return total


@stencil(standard_indexing=("w",))
def weighted(a, w):
    return w[0] * a[-1] + w[1] * a[0] + w[2] * a[1]


@stencil
def plus(a, b, factor):
    return a[0, 0] + factor * b[0, 1]


@njit
def twice(x):
    return 2 * x


@stencil(neighborhood=((-1, 1), (-2, 2)))
def around(a):
    return a[-1:2, 0].sum() + 10 * a[0, :2].max() + a[1, 1]


@stencil(neighborhood=((-1, 1),))
def middle(a):
    weights = np.zeros(3)
    weights[1] = 0.5
    return np.median(a[-1:2]) + weights.sum()


@stencil
def corner(a):
    return twice(a[-1, -1, 1])
)py";

class Stencils : public OnBackend {
  protected:
    Stencil get(const char* name) const {
        pyk::jit::Options options;
        options.backend = GetParam();
        return pyk::stencil(pyk::load_text("stencils.pyk", kFile, options).value(), name).value();
    }
};

template <class T>
std::vector<T> counted(std::size_t count) {
    std::vector<T> all(count);
    std::iota(all.begin(), all.end(), T());
    return all;
}

TEST_P(Stencils, HaveABorderOfZeros) {
    std::vector<double> a(70 * 40);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i * i % 101);
    const AnyArray result = get("cross")(pyk::host(a.data(), {70, 40}));
    ASSERT_EQ(result.shape(), (std::vector<long long>{70, 40}));
    const std::vector<double> got = result.to_host<double>().value();
    for (std::size_t i = 0; i < 70; ++i)
        for (std::size_t j = 0; j < 40; ++j) {
            const bool inside = i > 0 && i < 69 && j > 0 && j < 39;
            const std::size_t at = i * 40 + j;
            ASSERT_EQ(got[at], inside ? 0.25 * (a[at - 40] + a[at + 40] + a[at - 1] + a[at + 1]) : 0) << i << " " << j;
        }
}

TEST_P(Stencils, HaveTheBorderThatIsAskedFor) {
    EXPECT_EQ(get("ahead")(std::vector<int>{1, 4, 9, 16}).to_host<std::int64_t>().value(),
              (std::vector<std::int64_t>{8, 12, -1, -1}));
    // Into an array: the border is written where there is a `cval`, else left.
    std::vector<long long> out(4, 7);
    get("ahead").into(out, std::vector<int>{1, 4, 9, 16}).or_throw();
    EXPECT_EQ(out, (std::vector<long long>{8, 12, -1, -1}));
    std::vector<long long> sums(4, 7);
    get("recent").into(sums, std::vector<long long>{1, 2, 3, 4}).or_throw();
    EXPECT_EQ(sums, (std::vector<long long>{7, 7, 6, 9}));
}

TEST_P(Stencils, ReachAsFarAsTheySay) {
    EXPECT_EQ(get("recent")(std::vector<int>{1, 2, 3, 4, 5}).to_host<std::int64_t>().value(),
              (std::vector<std::int64_t>{0, 0, 6, 9, 12}));
    EXPECT_EQ(get("recent")(std::vector<int>{1}).to_host<std::int64_t>().value(), std::vector<std::int64_t>{0});
    EXPECT_EQ(get("recent")(std::vector<int>{}).size(), 0);
}

TEST_P(Stencils, TakeSlicesAroundTheElement) {
    std::vector<std::int64_t> a = {1, 5, 2, 0, 3, 9, 4, 4, 8, 1, 7, 2, 6, 0, 5, 3, 2, 8, 9, 1, 1, 6, 0, 4};
    EXPECT_EQ(get("around")(pyk::host(a.data(), {4, 6})).to_host<std::int64_t>().value(),
              (std::vector<std::int64_t>{0, 0, 0, 0, 0, 0, 0, 0, 98, 76, 0, 0, 0, 0, 70, 40, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_P(Stencils, IndexSomeArraysAsAlways) {
    EXPECT_EQ(
        get("weighted")(std::vector<double>{1, 2, 3, 4}, std::vector<double>{1, 10, 100}).to_host<double>().value(),
        (std::vector<double>{0, 321, 432, 0}));
}

TEST_P(Stencils, TakeSeveralArraysAndNumbers) {
    std::vector<float> a = counted<float>(6), b = counted<float>(6);
    EXPECT_EQ(get("plus")(pyk::host(a.data(), {2, 3}), pyk::host(b.data(), {2, 3}), 10.0).to_host<double>().value(),
              (std::vector<double>{10, 21, 0, 43, 54, 0}));
}

// As in Numba, which compiles them for the CPU; code for a GPU cannot.
TEST_P(Stencils, MakeArraysOnTheCpu) {
    const Stencil middle = get("middle");
    const std::vector<double> x = {4, 1, 3, 8, 5};
    if (GetParam() == pyk::jit::Backend::cpu)
        EXPECT_EQ(middle(x).to_host<double>().value(), (std::vector<double>{0, 3.5, 3.5, 5.5, 0}));
    else
        EXPECT_NE(middle.call(x).message().find("array-result"), std::string::npos);
}

TEST_P(Stencils, OfThreeAxes) {
    std::vector<int> a = counted<int>(3 * 3 * 4);
    const std::vector<std::int64_t> got = get("corner")(pyk::host(a.data(), {3, 3, 4})).to_host<std::int64_t>().value();
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 4; ++k) {
                const bool inside = i > 0 && j > 0 && k < 3;
                ASSERT_EQ(got[(i * 3 + j) * 4 + k],
                          inside ? static_cast<std::int64_t>(2 * (((i - 1) * 3 + j - 1) * 4 + k + 1)) : 0);
            }
}

TEST_P(Stencils, ReadInputsAsTheyWere) {
    std::vector<long long> x = {1, 2, 3, 4, 5};
    get("recent").into(x, x).or_throw();
    EXPECT_EQ(x, (std::vector<long long>{1, 2, 6, 9, 12}));
}

TEST_P(Stencils, RefuseSmallerArraysBesideTheFirst) {
    const std::vector<double> a(12, 1.0), b(20, 2.0);
    const auto first = pyk::host(a.data(), {4, 3});
    EXPECT_EQ(get("plus").call(first, pyk::host(b.data(), {4, 2}), 1.0).message(),
              "argument 2 of `plus` has 2 elements along axis 1, fewer than the first one's 3");
    const AnyArray beside_larger = get("plus")(first, pyk::host(b.data(), {5, 4}), 1.0);
    EXPECT_EQ(beside_larger.to_host<double>().value(), (std::vector<double>{3, 3, 0, 3, 3, 0, 3, 3, 0, 3, 3, 0}));
}

TEST_P(Stencils, SayWhatIsWrong) {
    const Stencil cross = get("cross");
    std::vector<double> a(6), out(5);
    EXPECT_EQ(cross.call(1.0).message(), "the first argument of `cross` is no array of 1 to 3 axes");
    EXPECT_EQ(cross.call(a, a).message(), "`cross` takes 1 argument, not 2");
    EXPECT_EQ(get("recent").into(out, a).message(), "the output has shape (5,), the first argument (6,)");
    EXPECT_NE(cross.call(a).message().find("is indexed by one integer"), std::string::npos) << cross.call(a).message();
}

INSTANTIATE_TEST_SUITE_P(OnCpu, Stencils, testing::Values(Backend::cpu));
INSTANTIATE_TEST_SUITE_P(OnGpu, Stencils, testing::Values(Backend::cuda));

}  // namespace
