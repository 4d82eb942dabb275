// Array functions for long parts of arrays: on a GPU several threads make a call. Expected values are computed here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "on_backend.h"
#include "pyk/gufunc.hpp"

namespace {

using pyk::jit::AnyArray;
using pyk::jit::Argument;
using pyk::jit::Backend;
using pyk::jit::Gufunc;

constexpr const char* kFile = R"py(
import math

import numpy as np
from numba import guvectorize


@guvectorize(["void(float32[:], float32[:])", "void(float64[:], float64[:])"], "(n)->(n)")
def softmax(x, out):
    largest = x[0]
    for i in range(x.shape[0]):
        largest = max(largest, x[i])
    total = 0.0
    for i in range(x.shape[0]):
        out[i] = math.exp(x[i] - largest)
        total += out[i]
    for i in range(x.shape[0]):
        out[i] /= total


@guvectorize(["void(int64[:,:], int64[:,:], int64[:,:])"], "(m,k),(k,n)->(m,n)")
def matmul(a, b, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = 0
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * b[k, j]


@guvectorize(["void(int64[:], int64[:], int64[:], int64[:], int64[:])"], "(n)->(),(),(),()")
def figures(x, total, product, least, greatest):
    s = 3
    p = 1
    low = x[0]
    high = x[0]
    for i in range(1, len(x)):
        s += x[i]
        p *= x[i] | 1
        low = min(low, x[i])
        if x[i] > high:
            high = x[i]
    total[0] = s
    product[0] = p
    least[0] = low
    greatest[0] = high


@guvectorize(["void(int64[:], int64[:])"], "(n)->(n)")
def neighbours(x, out):
    n = x.shape[0]
    for i in range(n):
        out[i] = x[i]
    out[0] += 1000
    for i in range(1, n):
        out[i] += x[i - 1]
    first = out[0]
    for i in range(n - 1, -1, -2):
        out[i] += first


@guvectorize(["void(int64[:,:], int64[:])"], "(m,n)->(m)")
def sums(x, out):
    for i in range(x.shape[0]):
        out[i] = 0
        for j in range(x.shape[1]):
            out[i] += x[i, j]


@guvectorize(["void(int64[:], int64[:], int64[:])"], "(n)->(n),(n)")
def both(x, a, b):
    for i in range(x.shape[0]):
        a[i] = x[i]
    for i in range(x.shape[0]):
        b[i] = a[x.shape[0] - 1 - i]
)py";

class LongParts : public OnBackend {
  protected:
    Gufunc get(const char* name) const {
        pyk::jit::Options options;
        options.backend = GetParam();
        return pyk::gufunc(pyk::load_text("long_parts.pyk", kFile, options).value(), name).value();
    }
};

template <class T>
Argument shaped(std::vector<T>& data, std::vector<long long> shape) {
    return pyk::jit::array_argument(data.data(), static_cast<int>(shape.size()), shape.data(), nullptr);
}

std::vector<std::int64_t> mixed(std::size_t count) {
    std::vector<std::int64_t> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<std::int64_t>(i * 7919 % 10007) - 5000;
    return all;
}

// A warp, blocks of 256 and of 1,024 threads make a call; of the last there are more calls than fill a device.
struct Size {
    long long calls, elements;
};
constexpr Size kSizes[] = {{1, 32}, {3, 33}, {7, 100}, {5, 1000}, {2, 5000}, {1, 100001}, {20000, 40}, {3000, 700}};

TEST_P(LongParts, AreNormalised) {
    const Gufunc softmax = get("softmax");
    for (const Size& size : kSizes) {
        const auto columns = static_cast<std::size_t>(size.elements);
        std::vector<double> x(static_cast<std::size_t>(size.calls) * columns);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * 31 % 97) * 0.05;
        const AnyArray result = softmax(shaped(x, {size.calls, size.elements}));
        const std::vector<double> got = result.to_host<double>().value();
        // The order of a sum's terms is the same each time.
        EXPECT_EQ(got, softmax(shaped(x, {size.calls, size.elements})).to_host<double>().value());
        for (std::size_t row = 0; row < static_cast<std::size_t>(size.calls); ++row) {
            double sum = 0;
            for (std::size_t k = 0; k < columns; ++k) sum += std::exp(x[row * columns + k]);
            for (std::size_t k = 0; k < columns; ++k)
                ASSERT_NEAR(got[row * columns + k], std::exp(x[row * columns + k]) / sum, 1e-12) << row << " " << k;
        }
    }
}

TEST_P(LongParts, AreReduced) {
    const Gufunc figures = get("figures");
    for (const Size& size : kSizes) {
        const auto columns = static_cast<std::size_t>(size.elements);
        std::vector<std::int64_t> x = mixed(static_cast<std::size_t>(size.calls) * columns);
        const auto results = figures.call_all({shaped(x, {size.calls, size.elements})}).value();
        std::vector<std::vector<std::int64_t>> got;
        for (const AnyArray& result : results) got.push_back(result.to_host<std::int64_t>().value());
        for (std::size_t row = 0; row < static_cast<std::size_t>(size.calls); ++row) {
            std::uint64_t sum = 3, product = 1;
            const auto first = x.begin() + static_cast<std::ptrdiff_t>(row * columns);
            const auto end = first + size.elements;
            for (auto at = first + 1; at != end; ++at) {
                sum += static_cast<std::uint64_t>(*at);
                product *= static_cast<std::uint64_t>(*at | 1);
            }
            ASSERT_EQ(got[0][row], static_cast<std::int64_t>(sum)) << row << " of " << size.elements;
            ASSERT_EQ(got[1][row], static_cast<std::int64_t>(product)) << row << " of " << size.elements;
            ASSERT_EQ(got[2][row], *std::min_element(first, end)) << row << " of " << size.elements;
            ASSERT_EQ(got[3][row], *std::max_element(first, end)) << row << " of " << size.elements;
        }
    }
}

TEST_P(LongParts, AreMultiplied) {
    const Gufunc matmul = get("matmul");
    const long long shapes[][4] = {{3, 9, 10, 11}, {2, 40, 33, 50}, {1, 100, 3, 100}, {500, 3, 4, 30}, {1, 1, 50, 64}};
    for (const auto& [calls, m, k, n] : shapes) {
        std::vector<std::int64_t> a = mixed(static_cast<std::size_t>(calls * m * k));
        std::vector<std::int64_t> b = mixed(static_cast<std::size_t>(calls * k * n));
        const AnyArray result = matmul(shaped(a, {calls, m, k}), shaped(b, {calls, k, n}));
        const std::vector<std::int64_t> got = result.to_host<std::int64_t>().value();
        const auto at = [](long long i) { return static_cast<std::size_t>(i); };
        for (long long p = 0; p < calls; ++p)
            for (long long i = 0; i < m; ++i)
                for (long long j = 0; j < n; ++j) {
                    std::int64_t sum = 0;
                    for (long long l = 0; l < k; ++l) sum += a[at((p * m + i) * k + l)] * b[at((p * k + l) * n + j)];
                    ASSERT_EQ(got[at((p * m + i) * n + j)], sum) << p << " " << i << " " << j;
                }
    }
}

TEST_P(LongParts, SeeWhatOtherLanesStored) {
    const Gufunc neighbours = get("neighbours");
    for (const Size& size : kSizes) {
        const auto n = static_cast<std::size_t>(size.elements);
        std::vector<std::int64_t> x = mixed(static_cast<std::size_t>(size.calls) * n);
        const std::vector<std::int64_t> got =
            neighbours(shaped(x, {size.calls, size.elements})).to_host<std::int64_t>().value();
        for (std::size_t row = 0; row < static_cast<std::size_t>(size.calls); ++row)
            for (std::size_t i = 0; i < n; ++i) {
                const std::int64_t* in = &x[row * n];
                const std::int64_t first = in[0] + 1000;
                std::int64_t expected = i ? in[i] + in[i - 1] : first;
                if ((n - 1 - i) % 2 == 0) expected += first;
                ASSERT_EQ(got[row * n + i], expected) << row << " " << i << " of " << n;
            }
    }
}

TEST_P(LongParts, OfTwoAxesAreReducedByRow) {
    const Gufunc sums = get("sums");
    const long long shapes[][3] = {{2, 4, 1000}, {1, 1000, 5}, {300, 8, 40}, {1, 40, 40}};
    for (const auto& [calls, m, n] : shapes) {
        std::vector<std::int64_t> x = mixed(static_cast<std::size_t>(calls * m * n));
        const std::vector<std::int64_t> got = sums(shaped(x, {calls, m, n})).to_host<std::int64_t>().value();
        for (std::size_t row = 0; row < got.size(); ++row) {
            std::int64_t sum = 0;
            for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j)
                sum += x[row * static_cast<std::size_t>(n) + j];
            ASSERT_EQ(got[row], sum) << row << " of " << m << " x " << n;
        }
    }
}

// In that order, though the second output is the first.
TEST_P(LongParts, WhoseOutputsAreOneAreOneThreads) {
    std::vector<std::int64_t> x = mixed(100), out(100), other(100);
    get("both").apply(x, out, other).or_throw();
    for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(other[i], x[99 - i]);
    const pyk::Device device = GetParam() == Backend::cuda ? pyk::Device() : pyk::Device::cpu();
    const auto in = pyk::Array<std::int64_t>::from_host(device, x).value();
    auto same = pyk::Array<std::int64_t>::from_host(device, x).value();
    get("both").apply(in, same, same).or_throw();
    const std::vector<std::int64_t> got = same.to_host().value();
    for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(got[i], i < 50 ? x[99 - i] : x[i]) << i;
}

INSTANTIATE_TEST_SUITE_P(OnCpu, LongParts, testing::Values(Backend::cpu));
INSTANTIATE_TEST_SUITE_P(OnGpu, LongParts, testing::Values(Backend::cuda));

}  // namespace
