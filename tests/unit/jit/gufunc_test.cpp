// Array functions for parts of arrays from C++: on the CPU, and on a GPU where there is one. Expected values are
// computed here, from what NumPy means.
#include "pyk/gufunc.hpp"

#include <gtest/gtest.h>

#include "pyk/ufunc.hpp"

#include <cmath>
#include <complex>
#include <numeric>

#include "on_backend.h"

namespace {

using pyk::jit::AnyArray;
using pyk::jit::Argument;
using pyk::jit::Backend;
using pyk::jit::Element;
using pyk::jit::Gufunc;

constexpr const char* kFile = R"py(
import math

from numba import float64, guvectorize, int64, vectorize


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


@guvectorize(["void(float64[:,:], float64[:,:], float64[:,:])"], "(m,k),(k,n)->(m,n)", target="parallel")
def matmul(a, b, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            out[i, j] = total


@guvectorize(["(int64[:], int64, int64[:])"], "(n),()->(n)")
def plus(x, y, out):
    for i in range(x.shape[0]):
        out[i] = x[i] + y


@guvectorize(["(int64[:], int64[:], int64[:])"], "(n),()->(n)")
def plus_element(x, y, out):
    for i in range(x.shape[0]):
        out[i] = x[i] + y[0]


@guvectorize("(n)->(),()")
def extremes(x, least, most):
    least[0] = x[0]
    most[0] = x[0]
    for i in range(1, x.shape[0]):
        least[0] = min(least[0], x[i])
        most[0] = max(most[0], x[i])


@guvectorize(["void(float32[:], float32[:], float32[:])"], "(3),(3)->(3)", target="cuda")
def cross(a, b, out):
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@guvectorize(["void(float64[:], float64[:])", "void(int64[:], int64[:])"], "(n)->(n)")
def widest_first(x, out):
    for i in range(x.shape[0]):
        out[i] = x[i] + 1


@guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
def backwards(x, out):
    for i in range(x.shape[0]):
        out[i] = x[-1 - i]


@guvectorize(["void(int32[:], int32[:])"], "(n)->()", writable_args=("x",))
def take_first(x, out):
    out[0] = x[0]
    x[0] = -1


@guvectorize(["void(int32[:], int32[:], int32[:])"], "(n),()->()")
def cut_off(x, limit, out):
    out[0] = 0
    for i in range(x.shape[0]):
        if x[i] > limit[0]:
            x[i] = limit[0]
        out[0] += x[i]


@guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
def first_only(x, out):
    out[0] = x[0]


@guvectorize(["void(float64[:], float64[:])"], "(n)->()")
def checked_sum(x, out):
    total = 0.0
    for i in range(x.shape[0]):
        if x[i] < 0:
            raise ValueError("negative")
        total += x[i]
    out[0] = total


@guvectorize(((float64[:], float64[:]), (int64[:], int64[:])), "(n),(n)", writable_args=(0,))
def add_to(x, y):
    for i in range(len(x)):
        x[i] += y[i]


PER_CALL = ((float64[:], float64[:]),)


@guvectorize(PER_CALL, "(n),()", writable_args=("x",))
def fill(x, value):
    for i in range(len(x)):
        x[i] = value[0]


@vectorize(("int64(int64)", float64(float64)))
def next_one(x):
    return x + 1


@vectorize(["float64(float64)"])
def twice(x):
    return 2 * x
)py";

class Gufuncs : public OnBackend {
  protected:
    pyk::jit::Module module() const {
        pyk::jit::Options options;
        options.backend = GetParam();
        return pyk::load_text("gufuncs.pyk", kFile, options).value();
    }
    Gufunc get(const char* name) const { return pyk::gufunc(module(), name).value(); }
};

template <class T>
std::vector<T> counted(std::size_t count, T first = 0) {
    std::vector<T> all(count);
    std::iota(all.begin(), all.end(), first);
    return all;
}

template <class T>
Argument shaped(std::vector<T>& data, std::vector<long long> shape, std::vector<long long> strides = {}) {
    Argument argument = pyk::jit::array_argument(data.data(), static_cast<int>(shape.size()), shape.data(), nullptr);
    if (strides.empty()) return argument;
    argument.order = pyk::jit::Order::strided;
    for (std::size_t axis = 0; axis < strides.size(); ++axis)
        argument.strides[axis] = strides[axis] * static_cast<long long>(sizeof(T));
    return argument;
}

// As NumPy: before the first to which they cast safely.
TEST_P(Gufuncs, TakeTheSignatureOfExactlyTheirTypes) {
    const std::vector<std::int64_t> beyond_doubles = {(1ll << 53) + 1, 5};
    const AnyArray integers = get("widest_first")(beyond_doubles);
    ASSERT_EQ(integers.element(), Element::int64);
    EXPECT_EQ(integers.to_host<std::int64_t>().value(), (std::vector<std::int64_t>{(1ll << 53) + 2, 6}));
    EXPECT_EQ(get("widest_first")(std::vector<std::int32_t>{1}).element(), Element::float64);
}

// As Numba's for GPUs: where none is exact, one that is narrower.
TEST_P(Gufuncs, NarrowWhatNoSignatureOfAGpuTakes) {
    const std::vector<double> a = {1, 0, 0}, b = {0, 1, 0.1};
    const AnyArray result = get("cross")(a, b);
    ASSERT_EQ(result.element(), Element::float32);
    EXPECT_EQ(result.to_host<float>().value(), (std::vector<float>{0, -0.1f, 1}));
    EXPECT_FALSE(get("cross").call(std::vector<std::int32_t>{1, 2, 3}, b));
}

TEST_P(Gufuncs, MakeEachRowOfAnyShape) {
    const Gufunc softmax = get("softmax");
    EXPECT_EQ(softmax.layout(), "(n)->(n)");
    for (const long long columns : {1, 3, 8, 33, 128, 131, 300, 1000, 1023, 2047, 8192, 9001, 33000}) {
        for (const long long rows : {1, 5, 1000}) {
            if (rows * columns > 400000) continue;
            std::vector<float> x(static_cast<std::size_t>(rows * columns));
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 17) * 0.25f;
            const AnyArray result = softmax(shaped(x, {rows, columns}));
            ASSERT_EQ(result.shape(), (std::vector<long long>{rows, columns}));
            EXPECT_EQ(result.element(), Element::float32);
            const std::vector<float> got = result.to_host<float>().value();
            for (long long row = 0; row < rows; ++row) {
                double sum = 0;
                for (long long k = 0; k < columns; ++k) sum += std::exp(x[static_cast<std::size_t>(row * columns + k)]);
                for (long long k = 0; k < columns; ++k) {
                    const auto at = static_cast<std::size_t>(row * columns + k);
                    ASSERT_NEAR(got[at] * sum, std::exp(x[at]), 1e-4) << row << " " << k << " of " << columns;
                }
            }
        }
    }
}

TEST_P(Gufuncs, BroadcastTheirCalls) {
    const Gufunc matmul = get("matmul");
    std::vector<double> a = counted<double>(5 * 2 * 3), b = counted<double>(4 * 1 * 3 * 2, 1);
    const auto results = matmul.call_all({shaped(a, {5, 2, 3}), shaped(b, {4, 1, 3, 2})}).value();
    ASSERT_EQ(results.size(), 1u);
    ASSERT_EQ(results[0].shape(), (std::vector<long long>{4, 5, 2, 2}));
    const std::vector<double> got = results[0].to_host<double>().value();
    for (std::size_t p = 0; p < 4; ++p)
        for (std::size_t q = 0; q < 5; ++q)
            for (std::size_t i = 0; i < 2; ++i)
                for (std::size_t j = 0; j < 2; ++j) {
                    double sum = 0;
                    for (std::size_t k = 0; k < 3; ++k) sum += a[q * 6 + i * 3 + k] * b[p * 6 + k * 2 + j];
                    ASSERT_EQ(got[((p * 5 + q) * 2 + i) * 2 + j], sum);
                }
    EXPECT_EQ(matmul.call(shaped(a, {5, 2, 3}), shaped(a, {5, 2, 3})).message(),
              "input `b` of `matmul` has 2 elements along `k` of layout (m,k),(k,n)->(m,n), not 3");
    EXPECT_EQ(matmul.call(a, a).message(),
              "input `a` of `matmul` does not have enough axes: it has 1, and layout (m,k),(k,n)->(m,n) requires 2");
    EXPECT_NE(matmul.call(shaped(a, {5, 2, 3}), shaped(b, {2, 2, 3, 2})).message().find("could not be broadcast"),
              std::string::npos);
}

TEST_P(Gufuncs, TakeNumbersAndElements) {
    for (const char* name : {"plus", "plus_element"}) {
        const Gufunc plus = get(name);
        std::vector<long long> x = counted<long long>(6), y = {10, 20};
        EXPECT_EQ(plus(x, 5).to_host<std::int64_t>().value(), (std::vector<std::int64_t>{5, 6, 7, 8, 9, 10})) << name;
        const AnyArray rows = plus(shaped(x, {2, 3}), y);
        EXPECT_EQ(rows.to_host<std::int64_t>().value(), (std::vector<std::int64_t>{10, 11, 12, 23, 24, 25})) << name;
        const AnyArray each = plus(std::vector<long long>{1, 2}, y);
        EXPECT_EQ(each.shape(), (std::vector<long long>{2, 2})) << name;
        EXPECT_EQ(each.to_host<std::int64_t>().value(), (std::vector<std::int64_t>{11, 12, 21, 22})) << name;
    }
}

TEST_P(Gufuncs, ReachAnyStrides) {
    const Gufunc matmul = get("matmul");
    // Transposed, backwards, and every other element.
    std::vector<double> a = counted<double>(24), b = counted<double>(24, 3);
    Argument turned = shaped(a, {4, 3, 2}, {6, 1, 3});
    Argument reversed = shaped(b, {4, 2, 3}, {-6, 3, 1});
    reversed.data = b.data() + 18;
    std::vector<double> out(4 * 9 * 2);
    matmul.apply(turned, reversed, shaped(out, {4, 3, 3}, {18, 6, 2})).or_throw();
    for (std::size_t p = 0; p < 4; ++p)
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < 2; ++k) sum += a[p * 6 + i + k * 3] * b[(3 - p) * 6 + k * 3 + j];
                ASSERT_EQ(out[p * 18 + i * 6 + j * 2], sum) << p << i << j;
                ASSERT_EQ(out[p * 18 + i * 6 + j * 2 + 1], 0);
            }
}

/// Rows that begin anywhere, and the elements between them.
TEST_P(Gufuncs, StoreToNothingBesideRows) {
    const Gufunc softmax = get("softmax");
    const long long rows = 6, columns = 250;
    for (const long long first : {0, 1, 2, 3})
        for (const long long step : {1, 2})
            for (const long long out_step : {1, 3}) {
                const long long pitch = columns * 3 + 7;
                std::vector<float> x = counted<float>(static_cast<std::size_t>(rows * pitch)), out(x.size(), -1);
                for (float& value : x) value = std::fmod(value, 13.0f) * 0.25f;
                Argument from = shaped(x, {rows, columns}, {pitch, step});
                Argument to = shaped(out, {rows, columns}, {pitch, out_step});
                from.data = x.data() + first;
                to.data = out.data() + (first + step) % 4;
                softmax.apply(from, to).or_throw();
                std::vector<float> expected(out.size(), -1);
                for (long long row = 0; row < rows; ++row) {
                    const auto at = [&](long long k) { return static_cast<std::size_t>(row * pitch + k); };
                    double sum = 0;
                    for (long long k = 0; k < columns; ++k) sum += std::exp(x[at(first + k * step)]);
                    for (long long k = 0; k < columns; ++k)
                        expected[at((first + step) % 4 + k * out_step)] =
                            static_cast<float>(std::exp(x[at(first + k * step)]) / sum);
                }
                for (std::size_t at = 0; at < out.size(); ++at) ASSERT_NEAR(out[at], expected[at], 1e-6) << at;
            }
}

// So that a loop over calls of many shapes has nothing to wait for.
TEST_P(Gufuncs, CompileForOneSetOfSmallExtents) {
    if (GetParam() == Backend::cuda) GTEST_SKIP() << "a GPU has a form for each way to make calls";
    const Gufunc softmax = get("softmax");
    const auto compiled_with = [&](long long n) {
        std::vector<float> x(static_cast<std::size_t>(3 * n), 1);
        const std::vector<float> got = softmax(shaped(x, {3, n})).to_host<float>().value();
        for (const float share : got) EXPECT_FLOAT_EQ(share, 1 / static_cast<float>(n));
        return softmax.specializations().size();
    };
    EXPECT_EQ(compiled_with(3), 1u);
    EXPECT_EQ(compiled_with(3), 1u);
    for (const long long n : {100, 9, 8, 7, 2, 1}) EXPECT_EQ(compiled_with(n), 2u) << n;
}

TEST_P(Gufuncs, CompileOnceForAnyStrides) {
    if (GetParam() == Backend::cuda) GTEST_SKIP() << "a GPU has a form for each way to make calls";
    const Gufunc matmul = get("matmul");
    std::vector<double> ones(600, 1), out(100);
    const auto matrix = [&](long long rows, long long columns, bool has_gaps) {
        return shaped(ones, {rows, columns}, {columns * (has_gaps ? 2 : 1), has_gaps ? 2 : 1});
    };
    for (const long long n : {2, 3, 9})
        for (const int gaps : {1, 2, 3}) {
            matmul.apply(matrix(n, 5, gaps & 1), matrix(5, n, gaps & 2), shaped(out, {n, n})).or_throw();
            for (long long i = 0; i < n * n; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], 5) << n << " " << gaps;
        }
    EXPECT_EQ(matmul.specializations().size(), 1u);
}

TEST_P(Gufuncs, CompileAheadWhatCallsTake) {
    const Gufunc softmax = get("softmax");
    std::vector<float> x(12, 1), out(12, -1);
    const auto rows = [&](long long n) { return shaped(x, {12 / n, n}); };
    softmax.preload(rows(3)).wait().or_throw();
    softmax.preload(rows(4), shaped(out, {3, 4})).wait().or_throw();
    softmax.preload(rows(12)).wait().or_throw();
    const std::size_t compiled = softmax.specializations().size();
    EXPECT_GE(compiled, 3u);
    EXPECT_EQ(out, std::vector<float>(12, -1));
    for (const long long n : {3, 4, 12})
        EXPECT_FLOAT_EQ(softmax(rows(n)).to_host<float>().value()[0], 1 / static_cast<float>(n));
    EXPECT_EQ(softmax.specializations().size(), compiled);
    const std::vector<std::complex<double>> wrong(3);
    EXPECT_FALSE(softmax.preload(wrong).wait());
    EXPECT_EQ(softmax.preload(wrong).wait().message(), softmax.call(wrong).message());
}

TEST_P(Gufuncs, WithoutSignaturesTakeTheTypesOfTheCall) {
    const Gufunc extremes = get("extremes");
    std::vector<short> x = {3, -1, 4, 1, -5, 9};
    std::vector<short> least(2), most(2);
    extremes.apply(shaped(x, {2, 3}), least, most).or_throw();
    EXPECT_EQ(least, (std::vector<short>{-1, -5}));
    EXPECT_EQ(most, (std::vector<short>{4, 9}));
    std::vector<float> low(2);
    std::vector<double> high(2);
    extremes.apply(shaped(x, {2, 3}), low, high).or_throw();
    EXPECT_EQ(high, (std::vector<double>{4, 9}));
    EXPECT_EQ(extremes.call_all({shaped(x, {2, 3})}).message(),
              "`extremes` has no signatures: give its outputs as well, with apply");
}

TEST_P(Gufuncs, ConvertInputsSafelyAndOutputsOfTheSameKind) {
    const Gufunc matmul = get("matmul");
    std::vector<int> a = counted<int>(4);
    std::vector<float> b = counted<float>(4, 1), out(4);
    matmul.apply(shaped(a, {2, 2}), shaped(b, {2, 2}), shaped(out, {2, 2})).or_throw();
    EXPECT_EQ(out, (std::vector<float>{3, 4, 11, 16}));
    std::vector<int> whole(4);
    EXPECT_EQ(matmul.apply(shaped(a, {2, 2}), shaped(b, {2, 2}), shaped(whole, {2, 2})).message(),
              "`matmul`: there is no signature to which (int32, float32, int32) cast safely");
    std::vector<std::complex<float>> z(4);
    EXPECT_EQ(matmul.call(shaped(z, {2, 2}), shaped(b, {2, 2})).message(),
              "`matmul`: there is no signature to which (complex64, float32) cast safely");
}

TEST_P(Gufuncs, HaveExtentsOfTheirOwn) {
    const Gufunc cross = get("cross");
    std::vector<float> a = {1, 0, 0, 0, 1, 0}, b = {0, 0, 1};
    EXPECT_EQ(cross(shaped(a, {2, 3}), b).to_host<float>().value(), (std::vector<float>{0, -1, 0, 1, 0, 0}));
    EXPECT_EQ(cross.call(std::vector<float>{1, 2}, b).message(),
              "input `a` of `cross` has 2 elements along `3` of layout (3),(3)->(3), not 3");
}

TEST_P(Gufuncs, ReadInputsAsTheyWere) {
    std::vector<double> x = counted<double>(10);
    get("backwards").apply(x, x).or_throw();
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(x[i], static_cast<double>(9 - i));
}

TEST_P(Gufuncs, WriteInputsThatAreWritable) {
    std::vector<int> x = counted<int>(6, 1), out(2);
    get("take_first").apply(shaped(x, {2, 3}), out).or_throw();
    EXPECT_EQ(out, (std::vector<int>{1, 4}));
    EXPECT_EQ(x, (std::vector<int>{-1, 2, 3, -1, 5, 6}));
    // Through another type and back.
    std::vector<short> narrow = {7, 8};
    std::vector<int> one(1);
    get("take_first").apply(narrow, one).or_throw();
    EXPECT_EQ(narrow, (std::vector<short>{-1, 8}));
    const std::vector<int> fixed = {1, 2};
    EXPECT_EQ(get("take_first").apply(fixed, one).message(), "input `x` of `take_first` is const");
}

TEST_P(Gufuncs, WithoutOutputsStoreToWhatTheyAreGiven) {
    std::vector<double> x(6);
    std::vector<double> y = {1, 2, 3};
    get("add_to").apply(shaped(x, {2, 3}), y).or_throw();
    EXPECT_EQ(x, (std::vector<double>{1, 2, 3, 1, 2, 3}));
    std::vector<long long> n = {1, 2, 3, 4};
    get("add_to").apply(shaped(n, {2, 2}), shaped(n, {2, 2})).or_throw();
    EXPECT_EQ(n, (std::vector<long long>{2, 4, 6, 8}));
    std::vector<double> values = {7, 8};
    get("fill").apply(shaped(x, {2, 3}), values).or_throw();
    EXPECT_EQ(x, (std::vector<double>{7, 7, 7, 8, 8, 8}));
    // One part cannot take what two calls store.
    EXPECT_EQ(get("fill").apply(y, values).message(), "input `x` of `fill` is for () calls, and there are (2,)");
}

TEST_P(Gufuncs, SignaturesStandInTuples) {
    const pyk::jit::Ufunc next = pyk::ufunc(module(), "next_one").value();
    EXPECT_EQ(next(std::vector<long long>{1, 2}).element(), Element::int64);
    EXPECT_EQ(next(std::vector<double>{1, 2}).element(), Element::float64);
}

// As in Numba, without writable_args.
TEST_P(Gufuncs, StoreToInputs) {
    std::vector<int> x = {1, 9, 3, 4, 5, 6}, sums(2);
    get("cut_off").apply(shaped(x, {2, 3}), 4, sums).or_throw();
    EXPECT_EQ(x, (std::vector<int>{1, 4, 3, 4, 4, 4}));
    EXPECT_EQ(sums, (std::vector<int>{8, 12}));
    const std::vector<int> fixed = {1, 2, 3};
    EXPECT_EQ(get("cut_off").apply(fixed, 4, sums).message(), "input `x` of `cut_off` is const");
}

TEST_P(Gufuncs, KeepWhatIsNotStored) {
    std::vector<double> x = counted<double>(3 * 40, 1), out(3 * 40, 7.0);
    get("first_only").apply(shaped(x, {3, 40}), shaped(out, {3, 40})).or_throw();
    EXPECT_EQ(out[0], 1);
    EXPECT_EQ(out[1], 7);
    EXPECT_EQ(out[40], 41);
    EXPECT_EQ(out[119], 7);
    std::vector<float> other(3 * 40, 7.0f);
    get("first_only").apply(shaped(x, {3, 40}), shaped(other, {3, 40})).or_throw();
    EXPECT_EQ(other[80], 81);
    EXPECT_EQ(other[81], 7);
}

TEST_P(Gufuncs, OfNothing) {
    std::vector<double> none;
    EXPECT_EQ(get("checked_sum")(shaped(none, {0, 5})).size(), 0);
    // No elements are summed: a call for each row all the same.
    EXPECT_EQ(get("checked_sum")(shaped(none, {2, 0})).to_host<double>().value(), (std::vector<double>{0, 0}));
}

TEST_P(Gufuncs, SayWhatIsWrong) {
    const Gufunc softmax = get("softmax");
    std::vector<float> x(6), out(3), repeated(1);
    EXPECT_EQ(softmax.call(x, x).message(), "`softmax` takes 1 inputs, not 2");
    EXPECT_EQ(softmax.apply(x).message(), "`softmax` takes 2 operands, not 1");
    EXPECT_EQ(softmax.apply(x, out).message(),
              "output `out` of `softmax` has 3 elements along `n` of layout (n)->(n), not 6");
    EXPECT_EQ(softmax.apply(shaped(x, {2, 3}), out).message(),
              "output `out` of `softmax` is for () calls, and there are (2,)");
    EXPECT_EQ(softmax.apply(x, 5.0f).message(), "output `out` of `softmax` is no array");
    EXPECT_EQ(softmax.apply(x, shaped(repeated, {6}, {0})).message(),
              "elements of output `out` of `softmax` share memory");
    EXPECT_EQ(pyk::gufunc(module(), "twice").message(), "`twice` is of @vectorize: a pyk::ufunc, no gufunc");
    EXPECT_EQ(pyk::ufunc(module(), "cross").message(), "`cross` is of @guvectorize: a pyk::gufunc, no ufunc");
    EXPECT_NE(pyk::gufunc(module(), "nosuch").message().find("there is no array function `nosuch`; there is `softmax`"),
              std::string::npos);
}

TEST_P(Gufuncs, ReportErrorsWhereTheyAreAsked) {
    pyk::jit::Options options;
    options.backend = GetParam();
    std::vector<double> x = {1, 2, 3, -1};
    std::vector<double> out = {5, 5};
    const pyk::Status done = get("checked_sum").apply(shaped(x, {2, 2}), out);
    if (GetParam() == Backend::cpu) {
        EXPECT_EQ(done.message(), "gufuncs.pyk: line 95: ValueError: negative");
        return;
    }
    // A GPU without debug leaves the element as it is, and computes the others.
    done.or_throw();
    EXPECT_EQ(out, (std::vector<double>{3, 5}));
    options.debug = true;
    const auto module = pyk::load_text("gufuncs.pyk", kFile, options).value();
    EXPECT_NE(pyk::gufunc(module, "checked_sum").value().call(shaped(x, {2, 2})).message().find("ValueError: negative"),
              std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(OnCpu, Gufuncs, testing::Values(Backend::cpu));
INSTANTIATE_TEST_SUITE_P(OnGpu, Gufuncs, testing::Values(Backend::cuda));

}  // namespace
