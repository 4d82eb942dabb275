// Arrays of twelve axes: more than a launch of an array function has, and none of them can be joined.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "on_backend.h"
#include "pyk/algorithms.hpp"
#include "pyk/function.hpp"
#include "pyk/gufunc.hpp"
#include "pyk/ufunc.hpp"

namespace {

constexpr const char* kFile = R"py(
from numba import cuda, guvectorize, njit, vectorize


@vectorize(["float64(float64, float64)"], identity=0)
def added(x, y):
    return x + y


@guvectorize(["void(float64[:], float64, float64[:])"], "(n),()->(n)")
def reversed_and_more(x, y, out):
    for i in range(x.size):
        out[i] = x[x.size - 1 - i] + y


@cuda.jit
def picked(x, out):
    i = cuda.threadIdx.x
    out[i] = x[i & 1, 1, 0, 1, 0, i >> 1, 0, 0, 1, 0, 0, 1] + x.ndim


@cuda.jit
def rank(x, out):
    out[0] = x.ndim


@njit
def halved(x):
    return x / 2
)py";

constexpr std::size_t kAxes = 12, kElements = 1 << kAxes;

/// Along an axis, of the element with such a number in C order.
std::size_t index_of(std::size_t element, std::size_t axis) { return element >> (kAxes - 1 - axis) & 1; }

class ManyAxes : public OnBackend {
  protected:
    void SetUp() override {
        OnBackend::SetUp();
        std::iota(memory_.begin(), memory_.end(), 0.0);
        pyk::View<double, kAxes>::Shape shape{}, strides{};
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
            shape[axis] = 2;
            strides[axis] = 8ll << place_of(axis);
        }
        x_ = pyk::View<double, kAxes>(memory_.data(), shape, strides);
    }

    pyk::jit::Module module() const {
        pyk::jit::Options options;
        options.backend = GetParam();
        return pyk::load_text("axes.pyk", kFile, options).value();
    }

    static std::size_t place_of(std::size_t axis) { return axis * 5 % kAxes; }
    /// Of x_, which begins with the number 0 in memory that counts.
    static double value(std::size_t element) {
        std::size_t sum = 0;
        for (std::size_t axis = 0; axis < kAxes; ++axis) sum += index_of(element, axis) << place_of(axis);
        return static_cast<double>(sum);
    }

    std::vector<double> memory_ = std::vector<double>(kElements);
    pyk::View<double, kAxes> x_;
};

TEST_P(ManyAxes, AreBroadcast) {
    const pyk::jit::Ufunc added = pyk::ufunc(module(), "added").value();
    // Every other axis has one element.
    pyk::View<double, kAxes> y = x_;
    for (std::size_t axis = 1; axis < kAxes; axis += 2) y.shape[axis] = 1;
    const std::vector<double> sums = added(x_, y).to_host<double>().value();
    ASSERT_EQ(sums.size(), kElements);
    for (std::size_t i = 0; i < kElements; ++i) ASSERT_EQ(sums[i], value(i) + value(i & 0b101010101010)) << i;
    const pyk::jit::AnyArray outer = added.outer(std::vector<double>{10, 20}, x_).value();
    EXPECT_EQ(outer.shape().size(), kAxes + 1);
    EXPECT_EQ(outer.to_host<double>().value()[kElements + 1], 20 + value(1));
}

TEST_P(ManyAxes, AreReducedAndAccumulated) {
    const pyk::jit::Ufunc added = pyk::ufunc(module(), "added").value();
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const std::size_t step = kElements >> (axis + 1);
        const std::vector<double> sums = added.reduce(x_, {static_cast<int>(axis)}).value().to_host<double>().value();
        const std::vector<double> parts =
            added.accumulate(x_, static_cast<int>(axis)).value().to_host<double>().value();
        ASSERT_EQ(sums.size(), kElements / 2);
        for (std::size_t i = 0; i < kElements; ++i) {
            const double both = value(i & ~step) + value(i | step);
            ASSERT_EQ(sums[i / (2 * step) * step + i % step], both) << axis << " " << i;
            ASSERT_EQ(parts[i], i & step ? both : value(i)) << axis << " " << i;
        }
    }
    EXPECT_EQ(pyk::reduce(pyk::plus, x_).value().item<double>().value(), kElements * (kElements - 1) / 2.0);
}

TEST_P(ManyAxes, AreCallsOfParts) {
    const pyk::jit::Gufunc more = pyk::gufunc(module(), "reversed_and_more").value();
    const std::vector<double> got = more(x_, 0.5).to_host<double>().value();
    ASSERT_EQ(got.size(), kElements);
    for (std::size_t i = 0; i < kElements; ++i) ASSERT_EQ(got[i], value(i ^ 1) + 0.5) << i;
}

TEST_P(ManyAxes, AreKernelsArguments) {
    std::vector<double> out(4);
    module().kernel("picked").value()(pyk::grid(1), pyk::block(4))(x_, out);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(out[i], value((i & 1) << 11 | (i >> 1) << 6 | 0b010100001001) + 12) << i;
}

// An array of eighteen axes is none of two: what was compiled for the one does not serve the other.
TEST_P(ManyAxes, ChooseTheInstance) {
    const auto kernel = module().kernel("rank").value();
    std::vector<long long> out(1);
    pyk::View<double, 18>::Shape ones{};
    ones.fill(1);
    kernel(pyk::grid(1), pyk::block(1))(pyk::View<double, 18>(memory_.data(), ones), out);
    EXPECT_EQ(out[0], 18);
    kernel(pyk::grid(1), pyk::block(1))(pyk::View<double, 2>(memory_.data(), {3, 4}, {8, 24}), out);
    EXPECT_EQ(out[0], 2);
}

TEST_P(ManyAxes, AreResults) {
    if (GetParam() == pyk::jit::Backend::cuda) GTEST_SKIP() << "functions of the CPU";
    const auto halved = pyk::function<pyk::AnyArray(pyk::View<double, kAxes>)>(module(), "halved").value();
    const std::vector<double> halves = halved(x_).to_host<double>().value();
    for (std::size_t i = 0; i < kElements; ++i) ASSERT_EQ(halves[i], value(i) / 2) << i;
}

INSTANTIATE_TEST_SUITE_P(OnCpu, ManyAxes, testing::Values(pyk::jit::Backend::cpu));
INSTANTIATE_TEST_SUITE_P(OnGpu, ManyAxes, testing::Values(pyk::jit::Backend::cuda));

}  // namespace
