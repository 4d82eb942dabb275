// Array functions from C++: on the CPU, and on a GPU where there is one. Expected values are computed here, element by
// element, from what NumPy means.
#include "pyk/ufunc.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

#include "on_backend.h"

namespace {

using pyk::jit::AnyArray;
using pyk::jit::Backend;
using pyk::jit::Element;
using pyk::jit::Ufunc;

constexpr const char* kFile = R"py(
from numba import float32, float64, int32, vectorize


@vectorize([float32(float32, float32), float64(float64, float64)])
def add(x, y):
    return x + y


@vectorize(["int32(int32, int32)", "float32(float32, float32)"], target="cuda")
def exact(x, y):
    return x - y


@vectorize
def scaled(x, factor):
    return x * factor


@vectorize(["float32(float64)"])
def halved(x):
    return x * 0.5


@vectorize(["int32(float64)"])
def cut_off(x):
    return x * 2.5


@vectorize
def steps(n):
    count = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


@vectorize
def positive(x):
    if x < 0:
        raise ValueError("negative")
    return x + 1


@vectorize
def conjugate(z):
    return z.conjugate()


@vectorize
def both(x, y):
    return add(x, y) * 2


@vectorize
def nothing(x):
    return None


@vectorize
def larger(x, y):
    return x > y


@vectorize(["int32(int32, int32)", "float64(float64, float64)"], identity=0)
def total(x, y):
    return x + y


@vectorize(["int64(int64, int64)"])
def less(x, y):
    return x - y


@vectorize(["float32(float32, float32)"], target="cuda")
def most(x, y):
    return x if x > y else y


@vectorize(["float64(float64, float64)", "float32(float32, float32)"], target="parallel")
def by_types(x, y):
    return x + y


@vectorize(["float64(float64, float64)"], target="parallel", nopython=True)
def added(x, y):
    return x + y
)py";

class Ufuncs : public OnBackend {
  protected:
    Ufunc get(const char* name) const {
        pyk::jit::Options options;
        options.backend = GetParam();
        return pyk::ufunc(pyk::load_text("ufuncs.pyk", kFile, options).value(), name).value();
    }
};

std::vector<float> numbers(std::size_t count, float first = 0) {
    std::vector<float> all(count);
    std::iota(all.begin(), all.end(), first);
    return all;
}

TEST_P(Ufuncs, AddsArrays) {
    const Ufunc add = get("add");
    for (const std::size_t count : {1u, 3u, 255u, 512u, 513u, 2048u, 100001u}) {
        const std::vector<float> x = numbers(count), y = numbers(count, 5);
        const AnyArray sum = add(x, y);
        EXPECT_EQ(sum.element(), Element::float32);
        EXPECT_EQ(sum.shape(), std::vector<long long>{static_cast<long long>(count)});
        const std::vector<float> got = sum.to_host<float>().value();
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(got[i], x[i] + y[i]) << i << " of " << count;
    }
}

TEST_P(Ufuncs, TakeNoRecords) {
    std::vector<double> bytes = {1, 2};
    pyk::jit::Argument records = pyk::jit::make_argument(bytes);
    records.element = Element::named;
    records.named = pyk::jit::record_type({{"tag", "byte of mine", 0}}, 8, false);
    const auto refused = get("scaled").call(records, 2.0);
    EXPECT_EQ(refused.error().kind, pyk::Error::Kind::arguments) << refused.message();
}

TEST_P(Ufuncs, ChoosesTheFirstLoopToWhichAllCast) {
    const Ufunc add = get("add");
    const std::vector<float> f = {1, 2};
    const std::vector<int> i = {3, 4};
    const std::vector<short> s = {5, 6};
    EXPECT_EQ(add(f, s).element(), Element::float32);
    EXPECT_EQ(add(f, i).element(), Element::float64);
    EXPECT_EQ(add(i, i).to_host<double>().value(), (std::vector<double>{6, 8}));
    // A number beside an array is weak.
    EXPECT_EQ(add(f, 2.5).to_host<float>().value(), (std::vector<float>{3.5, 4.5}));
    EXPECT_EQ(add(i, 2.5).to_host<double>().value(), (std::vector<double>{5.5, 6.5}));
    EXPECT_EQ(add(1.5, 2).item<double>().value(), 3.5);
    EXPECT_TRUE(add(1.5f, 2.0f).shape().empty());
    const std::vector<std::complex<float>> z(2);
    EXPECT_EQ(add.call(f, z).message(), "`add` has no signature to which (float32, complex64) cast safely");
    EXPECT_EQ(add.call(f).message(), "`add` takes 2 arguments, not 1");
}

TEST_P(Ufuncs, OfTargetCudaTakeExactTypes) {
    const Ufunc exact = get("exact");
    const std::vector<float> f = {1, 2};
    const std::vector<short> s = {5, 6};
    EXPECT_EQ(exact(f, 1).to_host<float>().value(), (std::vector<float>{0, 1}));
    EXPECT_EQ(exact.call(s, s).error().kind, pyk::Error::Kind::arguments);
}

// Numba's are NumPy's own: of float64 and float32, in this order, float32 for float32.
TEST_P(Ufuncs, OfTargetParallelTakeExactTypesFirst) {
    const Ufunc by_types = get("by_types");
    const std::vector<float> f = {1, 2};
    const std::vector<short> s = {5, 6};
    EXPECT_EQ(by_types(f, f).element(), Element::float32);
    EXPECT_EQ(by_types.call(f, s)->element(), Element::float64);
    EXPECT_EQ(by_types.reduce(f).value().element(), Element::float32);
}

TEST_P(Ufuncs, WithoutSignaturesTakeWhatComes) {
    const Ufunc scaled = get("scaled");
    EXPECT_EQ(scaled(std::vector<int>{1, 2}, std::vector<int>{3, 4}).to_host<std::int64_t>().value(),
              (std::vector<std::int64_t>{3, 8}));
    EXPECT_EQ(scaled(std::vector<float>{1, 2}, 0.5f).to_host<float>().value(), (std::vector<float>{0.5, 1}));
    const std::vector<std::complex<float>> z = {{1, 2}, {3, -4}};
    EXPECT_EQ(get("conjugate")(z).to_host<std::complex<float>>().value(),
              (std::vector<std::complex<float>>{{1, -2}, {3, 4}}));
    EXPECT_EQ(get("steps")(std::vector<long long>{1, 6, 27}).to_host<std::int64_t>().value(),
              (std::vector<std::int64_t>{0, 8, 111}));
    // A float32 times an int64 is a float64.
    EXPECT_EQ(get("both")(std::vector<float>{1, 2}, 1.0f).to_host<double>().value(), (std::vector<double>{4, 6}));
}

TEST_P(Ufuncs, KeepBooleansAndSmallIntegers) {
    const Ufunc larger = get("larger");
    std::vector<signed char> x(1000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<signed char>(i % 200 - 100);
    const AnyArray result = larger(x, std::vector<signed char>(1000, 7));
    ASSERT_EQ(result.element(), Element::boolean);
    const auto view = result.view<bool>().value();
    if (GetParam() == Backend::cuda) return;
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(view(i), x[i] > 7) << i;
}

TEST_P(Ufuncs, ConvertTheResultAsTheSignatureSays) {
    EXPECT_EQ(get("halved")(std::vector<double>{1, 3}).to_host<float>().value(), (std::vector<float>{0.5, 1.5}));
    // int32 casts safely to float64.
    EXPECT_EQ(get("halved")(std::vector<int>{1, 3}).to_host<float>().value(), (std::vector<float>{0.5, 1.5}));
    // Before it is converted to the output's type, also where that is what the function returns.
    std::vector<double> out(2);
    get("cut_off").into(out, std::vector<double>{1.5, -3}).or_throw();
    EXPECT_EQ(out, (std::vector<double>{3, -7}));
}

TEST_P(Ufuncs, WriteIntoAnArray) {
    const Ufunc add = get("add");
    const std::vector<float> x = numbers(1000);
    std::vector<float> out(1000);
    add.into(out, x, 1.0f).or_throw();
    EXPECT_EQ(out[999], 1000);
    // Of another type of the same kind.
    std::vector<double> wide(1000);
    add.into(wide, x, 1.0f).or_throw();
    EXPECT_EQ(wide[999], 1000);
    std::vector<int> integers(1000);
    const pyk::Status refused = add.into(integers, x, 1.0f);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.message().find("array function `add` gives float32, which cannot be kept as int32"),
              std::string::npos)
        << refused.message();
    // Inputs are broadcast to the output, but not the output to them.
    std::vector<float> matrix(6);
    add.into(pyk::host(matrix.data(), {2, 3}), std::vector<float>{1, 2, 3}, 0.5f).or_throw();
    EXPECT_EQ(matrix, (std::vector<float>{1.5, 2.5, 3.5, 1.5, 2.5, 3.5}));
    std::vector<float> short_one(1);
    EXPECT_EQ(add.into(short_one, x, x).message(), "the output has shape (1,), the result (1000,)");
    const std::vector<float> constant(1000);
    EXPECT_EQ(add.into(constant, x, x).message(), "the output of `add` is const");
    EXPECT_EQ(add.into(1.0f, x, x).message(), "the output of `add` is no array");
}

TEST_P(Ufuncs, MayWriteWhatTheyRead) {
    const Ufunc add = get("add");
    std::vector<float> x = numbers(5000);
    add.into(x, x, x).or_throw();
    EXPECT_EQ(x[4999], 9998);
    // NumPy: x[1:] = x[:-1] + 1 reads what was there before.
    std::iota(x.begin(), x.end(), 0.0f);
    const pyk::View<float> all(x);
    add.into(all.slice(0, 1, 5000), all.slice(0, 0, 4999), 10.0f).or_throw();
    for (std::size_t i = 1; i < 5000; ++i) ASSERT_EQ(x[i], static_cast<float>(i + 9)) << i;
    std::iota(x.begin(), x.end(), 0.0f);
    add.into(all, all.slice(0, 4999, -5001, -1), 0.0f).or_throw();
    for (std::size_t i = 0; i < 5000; ++i) ASSERT_EQ(x[i], static_cast<float>(4999 - i)) << i;
}

// Later calls of a kind take a shorter way where all arrays are of one device: whatever changes between them is seen.
TEST_P(Ufuncs, SeeWhatChangesFromCallToCall) {
    const Ufunc add = get("add");
    const pyk::Device device = GetParam() == Backend::cpu ? pyk::Device::cpu() : pyk::Device::get(0).value();
    const auto array = [&](float first) { return pyk::Array<float>::from_host(device, numbers(5000, first)).value(); };
    const auto sums = [&](const pyk::View<float>& out, const pyk::View<const float>& x, const auto& y) {
        add.into(out, x, y).or_throw();
        device.synchronize().or_throw();
    };
    auto x = array(0), y = array(7), out = array(-1);
    for (const long long count : {5000ll, 4999ll, 3ll, 1ll, 0ll, 5000ll}) {
        out.fill(-1).or_throw();
        sums(out.view().slice(0, 0, count), x.view().slice(0, 0, count), y.view().slice(0, 0, count));
        const std::vector<float> got = out.to_host().value();
        for (int i = 0; i < 5000; ++i)
            ASSERT_EQ(got[static_cast<std::size_t>(i)], i < count ? static_cast<float>(2 * i + 7) : -1.0f)
                << count << ": " << i;
    }
    // Numbers, of any type that is as weak.
    for (const float number : {1.0f, -2.5f}) {
        sums(out, x, number);
        EXPECT_EQ(out.to_host().value()[4999], 4999 + number);
    }
    sums(out, x, 3);
    EXPECT_EQ(out.to_host().value()[4999], 5002);
    // Elements that are aligned nowhere together, and behind the same head.
    sums(out.view().slice(0, 0, 4000), x.view().slice(0, 1, 4001), y.view().slice(0, 0, 4000));
    EXPECT_EQ(out.to_host().value()[3999], 4000 + 3999 + 7);
    sums(out.view().slice(0, 1, 4000), x.view().slice(0, 1, 4000), y.view().slice(0, 1, 4000));
    EXPECT_EQ(out.to_host().value()[3999], 3999 + 3999 + 7);
    EXPECT_EQ(out.to_host().value()[0], 1 + 7) << "the call before";
    // The same elements, and ones that overlap.
    sums(x, x, y);
    EXPECT_EQ(x.to_host().value()[4999], 4999 + 5006);
    sums(y.view().slice(0, 4, 5000), y.view().slice(0, 0, 4996), 1.0f);
    const std::vector<float> shifted = y.to_host().value();
    for (std::size_t i = 4; i < 5000; ++i) ASSERT_EQ(shifted[i], static_cast<float>(i + 4)) << i;
    // Another shape, and broadcasting after it.
    using Matrix = pyk::View<float, 2>;
    pyk::driver::Context* const context = x.view().device;
    add.into(Matrix(out.data(), {50, 100}, context), Matrix(x.data(), {50, 100}, context),
             Matrix(x.data(), {1, 100}, context))
        .or_throw();
    const std::vector<float> row = out.to_host().value(), of = x.to_host().value();
    EXPECT_EQ(row[4999], of[4999] + of[99]);
    for (int again = 0; again < 2; ++again) {
        const AnyArray fresh = add(x, 1.5f);
        EXPECT_EQ(fresh.shape(), std::vector<long long>{5000});
        EXPECT_EQ(fresh.to_host<float>().value()[4999], of[4999] + 1.5f);
    }
    const auto constant = add.into(std::as_const(out), x, x);
    EXPECT_EQ(constant.message(), "the output of `add` is const");
}

TEST_P(Ufuncs, TakeEmptyArraysAndNumbers) {
    const Ufunc add = get("add");
    const AnyArray empty = add(std::vector<float>(), 1.0f);
    EXPECT_EQ(empty.shape(), std::vector<long long>{0});
    EXPECT_EQ(empty.element(), Element::float32);
    EXPECT_TRUE(empty.to_host<float>().value().empty());
    std::vector<float> none;
    EXPECT_TRUE(add.into(none, none, none).ok());
    EXPECT_EQ(add(pyk::host(static_cast<float*>(nullptr), {0, 3}), std::vector<float>(3)).shape(),
              (std::vector<long long>{0, 3}));
    EXPECT_FALSE(add.call(std::vector<float>(3), std::vector<float>()).ok());
}

// 2^62 elements can be counted; their bytes cannot.
TEST_P(Ufuncs, AResultThatNoMemoryHolds) {
    const float one = 1;
    const long long many = 1ll << 31;
    const pyk::View<const float, 2> column(&one, {many, 1}, {0, 0}), row(&one, {1, many}, {0, 0});
    const auto sum = get("add").call(column, row);
    ASSERT_FALSE(sum.ok());
    EXPECT_EQ(sum.error().kind, pyk::Error::Kind::memory) << sum.message();
}

// An array of a random shape, gaps, orders and signs of its axes, in memory that it has to itself.
struct Random {
    std::vector<double> memory;
    pyk::View<double, 3> view;
};

Random random_array(const std::array<long long, 3>& shape, bool is_output, std::mt19937& rng) {
    Random array;
    std::array<long long, 3> extents = shape, strides{};
    if (!is_output)
        for (long long& extent : extents)
            if (rng() % 4 == 0) extent = 1;
    std::array<std::size_t, 3> order = {0, 1, 2};
    if (rng() % 2) std::shuffle(order.begin(), order.end(), rng);
    long long step = 1, first = 0;
    for (std::size_t i = 3; i-- > 0;) {
        if (rng() % 4 == 0) step *= 2;
        const bool is_turned = rng() % 4 == 0;
        strides[order[i]] = 8 * (is_turned ? -step : step);
        if (is_turned) first += (extents[order[i]] - 1) * step;
        step *= extents[order[i]];
    }
    array.memory.resize(static_cast<std::size_t>(step));
    for (double& value : array.memory) value = static_cast<double>(rng() % 1000);
    array.view = pyk::View<double, 3>(array.memory.data() + first, extents, strides);
    return array;
}

double broadcast_value(const pyk::View<double, 3>& view, long long i, long long j, long long k) {
    return view(view.shape[0] == 1 ? 0 : i, view.shape[1] == 1 ? 0 : j, view.shape[2] == 1 ? 0 : k);
}

TEST_P(Ufuncs, FollowAnyStridesAndBroadcast) {
    const Ufunc added = get("added");
    std::mt19937 rng(3);
    for (int round = 0; round < 150; ++round) {
        const long long most = round % 3 == 0 ? 3 : 90;
        std::array<long long, 3> shape{};
        for (long long& extent : shape) extent = 1 + static_cast<long long>(rng()) % most;
        const Random x = random_array(shape, false, rng), y = random_array(shape, false, rng);
        Random out = random_array(shape, true, rng);
        ASSERT_TRUE(added.into(out.view, x.view, y.view).ok());
        for (long long i = 0; i < shape[0]; ++i)
            for (long long j = 0; j < shape[1]; ++j)
                for (long long k = 0; k < shape[2]; ++k)
                    ASSERT_EQ(out.view(i, j, k), broadcast_value(x.view, i, j, k) + broadcast_value(y.view, i, j, k))
                        << round << ": " << i << " " << j << " " << k;
    }
}

TEST_P(Ufuncs, TakeUnalignedArraysWhereTheMachineDoes) {
    const Ufunc added = get("add");
    const bool on_gpu = GetParam() == Backend::cuda;
    const pyk::Device device = on_gpu ? pyk::Device::get(0).value() : pyk::Device::cpu();
    const std::vector<float> x = numbers(5);
    for (const std::size_t offset : {0u, 1u, 2u, 4u}) {
        pyk::Buffer memory = pyk::Buffer::allocate(device, 64).value();
        memory.upload(x.data(), 5 * sizeof(float), offset).or_throw();
        const pyk::View<float> view(reinterpret_cast<float*>(static_cast<char*>(memory.address()) + offset), {5},
                                    memory.device());
        const auto sum = added.call(view, view);
        ASSERT_EQ(sum.ok(), !on_gpu || offset % sizeof(float) == 0) << offset;
        if (sum)
            EXPECT_EQ(sum->to_host<float>().value(), (std::vector<float>{0, 2, 4, 6, 8})) << offset;
        else
            EXPECT_NE(sum.message().find("no multiples of 4"), std::string::npos) << sum.message();
    }
}

// As in Numba: the CPU's raise, the GPU's do not.
TEST_P(Ufuncs, RaiseOnTheCpuAndLeaveElementsAloneOnGpus) {
    const Ufunc positive = get("positive");
    const std::vector<float> x = {1, -1, 2, -2, 3};
    std::vector<float> out(5, 7);
    const pyk::Status done = positive.into(out, x);
    if (GetParam() == Backend::cpu) {
        EXPECT_THAT(done.message(), testing::EndsWith("ValueError: negative"));
        EXPECT_THAT(positive.call(x).message(), testing::EndsWith("ValueError: negative"));
        EXPECT_EQ(positive.call(std::vector<double>{1}).value().to_host<double>().value(), std::vector<double>{2});
        return;
    }
    done.or_throw();
    EXPECT_EQ(out, (std::vector<float>{2, 7, 3, 7, 4}));
}

TEST_P(Ufuncs, MakeOuterProducts) {
    const Ufunc add = get("add");
    const AnyArray table = add.outer(std::vector<float>{10, 20}, std::vector<float>{1, 2, 3}).value();
    EXPECT_EQ(table.shape(), (std::vector<long long>{2, 3}));
    EXPECT_EQ(table.to_host<float>().value(), (std::vector<float>{11, 12, 13, 21, 22, 23}));
    EXPECT_EQ(add.outer(1.0f, std::vector<float>{1, 2}).value().shape(), std::vector<long long>{2});
    EXPECT_FALSE(get("halved").outer(1.0, 2.0).ok());
}

TEST_P(Ufuncs, Reduce) {
    const Ufunc total = get("total");
    for (const std::size_t count : {1u, 2u, 31u, 1000u, 70001u, 1000000u}) {
        std::vector<double> x(count);
        std::iota(x.begin(), x.end(), 1.0);
        const AnyArray sum = total.reduce(x).value();
        EXPECT_TRUE(sum.shape().empty());
        EXPECT_EQ(sum.item<double>().value(), static_cast<double>(count) * static_cast<double>(count + 1) / 2);
    }
    std::vector<int> matrix(6);
    std::iota(matrix.begin(), matrix.end(), 0);
    const auto table = pyk::host(matrix.data(), {2, 3});
    EXPECT_EQ(total.reduce(table).value().to_host<int>().value(), (std::vector<int>{3, 5, 7}));
    EXPECT_EQ(total.reduce(table, {-1}).value().to_host<int>().value(), (std::vector<int>{3, 12}));
    double alone = 2.5;
    const AnyArray same = total.reduce(pyk::cell(alone)).value();
    EXPECT_TRUE(same.shape().empty());
    EXPECT_EQ(same.item<double>().value(), 2.5);
    EXPECT_EQ(total.reduce(table, {1, false, true}).value().shape(), (std::vector<long long>{2, 1}));
    EXPECT_EQ(total.reduce(table, {0, true}).value().item<int>().value(), 15);
    EXPECT_EQ(total.reduce(table.slice(1, 2, -4, -2), {1}).value().to_host<int>().value(), (std::vector<int>{2, 8}));
    EXPECT_EQ(total.reduce(std::vector<double>()).value().item<double>().value(), 0);
    EXPECT_EQ(total.reduce(pyk::host(matrix.data(), {0, 3})).value().to_host<int>().value(), (std::vector<int>(3)));
    EXPECT_EQ(total.reduce(table, {2}).message(), "axis 2 of an array of 2 axes");
    EXPECT_EQ(total.reduce(std::vector<std::complex<float>>(3)).message(),
              "`total.reduce` of complex64: no signature takes two of them");
}

// As with Numba 0.68: the first signature to whose type elements cast safely; what is called `add` or `multiply` has
// small integers in 64 bits, by NumPy.
TEST_P(Ufuncs, ReduceInTheSignaturesType) {
    pyk::jit::Options options;
    options.backend = GetParam();
    const auto module = pyk::load_text("sums.pyk", R"py(
from numba import vectorize


@vectorize(["int32(int32, int32)", "int64(int64, int64)", "float64(float64, float64)"], identity=0)
def add(x, y):
    return x + y


@vectorize(["int32(int32, int32)", "int64(int64, int64)", "float64(float64, float64)"], identity=0)
def total(x, y):
    return x + y
)py",
                                       options)
                            .value();
    const Ufunc add = pyk::ufunc(module, "add").value(), total = pyk::ufunc(module, "total").value();
    const std::vector<int> large(3, 2000000000);
    const AnyArray sum = add.reduce(large).value();
    ASSERT_EQ(sum.element(), Element::int64);
    EXPECT_EQ(sum.item<std::int64_t>().value(), 6000000000);
    EXPECT_EQ(total.reduce(large).value().element(), Element::int32);
    EXPECT_EQ(total.reduce(std::vector<unsigned>{1, 4294967295u}).value().item<std::int64_t>().value(), 4294967296);
    EXPECT_EQ(total.reduce(std::vector<float>{1, 0.5}).value().item<double>().value(), 1.5);
    const bool bits[] = {true, true, false, true};
    EXPECT_EQ(add.reduce(pyk::host(bits, {4})).value().item<std::int64_t>().value(), 3);
    EXPECT_EQ(total.reduce(pyk::host(bits, {4})).value().item<int>().value(), 3);
    const std::vector<short> few = {1, 2, 3};
    EXPECT_EQ(add.accumulate(few).value().to_host<std::int64_t>().value(), (std::vector<std::int64_t>{1, 3, 6}));
    EXPECT_EQ(total.accumulate(few).value().to_host<int>().value(), (std::vector<int>{1, 3, 6}));
}

// NumPy 2 begins with the identity: `f(f(0, x[0]), x[1])`.
TEST_P(Ufuncs, ReduceBeginsWithTheIdentity) {
    pyk::jit::Options options;
    options.backend = GetParam();
    const pyk::jit::Module module = pyk::load_text("identity.pyk", R"py(
from numba import vectorize


@vectorize(["float64(float64, float64)"], identity=0)
def total(x, y):
    return x + y


@vectorize(["float64(float64, float64)"], identity=0)
def lengths(x, y):
    return abs(x) + abs(y)


@vectorize(["float64(float64, float64)"])
def plain(x, y):
    return abs(x) + abs(y)
)py",
                                                   options)
                                        .value();
    const Ufunc total = pyk::ufunc(module, "total").value(), lengths = pyk::ufunc(module, "lengths").value();
    for (const std::size_t count : {1, 2, 1000, 200000})
        EXPECT_FALSE(std::signbit(total.reduce(std::vector<double>(count, -0.0)).value().item<double>().value()));
    EXPECT_EQ(lengths.reduce(std::vector<double>{-3}).value().item<double>().value(), 3);
    EXPECT_EQ(pyk::ufunc(module, "plain").value().reduce(std::vector<double>{-3}).value().item<double>().value(), -3);
    std::vector<double> rows(6, -2);
    EXPECT_EQ(lengths.reduce(pyk::host(rows.data(), {1, 6})).value().to_host<double>().value(),
              std::vector<double>(6, 2));
}

TEST_P(Ufuncs, ReduceInOrderWithoutAnIdentity) {
    const Ufunc less = get("less");
    std::vector<long long> x(100000, 1);
    x[0] = 7;
    EXPECT_EQ(less.reduce(x).value().item<std::int64_t>().value(), 7 - 99999);
    EXPECT_EQ(less.reduce(std::vector<long long>()).message(),
              "zero-size array to reduction operation `less`, which has no identity");
    EXPECT_FALSE(less.reduce(pyk::host(x.data(), {0, 0}), {0}).ok());  // NumPy's errors, and what it gives
    EXPECT_FALSE(less.reduce(pyk::host(x.data(), {0, 3}), {0}).ok());
    EXPECT_EQ(less.reduce(pyk::host(x.data(), {3, 0}), {0}).value().size(), 0);
    EXPECT_FALSE(less.reduce(pyk::host(x.data(), {2, 3}), {0, true}).ok());
    std::vector<float> y(100000, -3);
    y[77777] = 2.5;
    EXPECT_EQ(get("most").reduce(y).value().item<float>().value(), 2.5f);
    const auto result = get("scaled").reduce(std::vector<int>(3));
    ASSERT_FALSE(result);
    EXPECT_NE(result.message().find("array function `scaled` cannot reduce: it takes (int32, int32) and gives int64"),
              std::string::npos)
        << result.message();
}

TEST_P(Ufuncs, Accumulate) {
    EXPECT_EQ(get("total").accumulate(std::vector<int>{1, 2, 3, 4}).value().to_host<int>().value(),
              (std::vector<int>{1, 3, 6, 10}));
    std::vector<long long> matrix = {10, 1, 2, 20, 3, 4};
    const auto table = pyk::host(matrix.data(), {2, 3});
    const Ufunc less = get("less");
    EXPECT_EQ(less.accumulate(table, 1).value().to_host<std::int64_t>().value(),
              (std::vector<std::int64_t>{10, 9, 7, 20, 17, 13}));
    EXPECT_EQ(less.accumulate(table).value().to_host<std::int64_t>().value(),
              (std::vector<std::int64_t>{10, 1, 2, -10, -2, -2}));
    EXPECT_EQ(less.accumulate(table.transposed(), 0).value().shape(), (std::vector<long long>{3, 2}));
    EXPECT_EQ(less.accumulate(std::vector<long long>()).value().size(), 0);
}

TEST_P(Ufuncs, AccumulatesLongArrays) {
    // Where the order may be another, in parts; else from left to right.
    for (const std::size_t count : {65535u, 65536u, 200'003u}) {
        std::vector<int> x(count);
        std::vector<long long> y(count);
        for (std::size_t i = 0; i < count; ++i) y[i] = x[i] = static_cast<int>(i * 7919 % 1001) - 500;
        std::vector<int> sums(count);
        std::partial_sum(x.begin(), x.end(), sums.begin());
        EXPECT_EQ(get("total").accumulate(x).value().to_host<int>().value(), sums) << count;
        const auto table = pyk::host(x.data(), {1, static_cast<long long>(count)});
        const AnyArray along = get("total").accumulate(table, 1).value();
        EXPECT_EQ(along.shape(), (std::vector<long long>{1, static_cast<long long>(count)}));
        EXPECT_EQ(along.to_host<int>().value(), sums) << count;
        std::vector<long long> left(count);
        std::partial_sum(y.begin(), y.end(), left.begin(), [](long long a, long long b) { return a - b; });
        EXPECT_EQ(get("less").accumulate(y).value().to_host<std::int64_t>().value(),
                  std::vector<std::int64_t>(left.begin(), left.end()));
    }
}

TEST_P(Ufuncs, GiveArraysThatAreArguments) {
    const Ufunc add = get("add");
    AnyArray twice = add(numbers(10), numbers(10));
    twice = add(twice, add(1.0f, 1.0f));
    const pyk::Array<float> typed = std::move(twice).as<float>().value();
    EXPECT_EQ(typed.to_host().value()[9], 20);
    EXPECT_EQ(add(typed, 0.0f).as<double>().message(), "the array is of float32, not of float64");
    EXPECT_EQ((add(typed, 0.0f).as<float, 2>().message()), "the array has 1 axes, not 2");
    EXPECT_EQ(add(typed, 0.0f).item<float>().message(), "an array of several elements is no number");
    EXPECT_EQ(add(typed, 0.0f).reshaped({2, 5}).value().shape(), (std::vector<long long>{2, 5}));
    EXPECT_EQ(add(typed, 0.0f).reshaped({1000000000}).message(), "10 elements have no shape (1000000000,)");
    EXPECT_EQ(add(typed, 0.0f).reshaped({-2, -5}).message(), "10 elements have no shape (-2,-5)");
    EXPECT_EQ(add(typed, 0.0f).reshaped({}).message(), "10 elements have no shape ()");
}

TEST_P(Ufuncs, WhoseResultIsNoNumberAreRefused) {
    const auto result = get("nothing").call(1.0);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, pyk::Error::Kind::diagnostics);
    EXPECT_NE(result.message().find("array function `nothing` returns none"), std::string::npos) << result.message();
}

TEST_P(Ufuncs, AreCompiledAhead) {
    const Ufunc added = get("added");
    const std::vector<float> x = numbers(1000);
    std::vector<float> out(1000, -1);
    added.preload_into(out, x, 2).wait().or_throw();
    const std::size_t compiled = added.specializations().size();
    EXPECT_GE(compiled, 1u);
    EXPECT_EQ(out, std::vector<float>(1000, -1));
    added.preload(x, 2).wait().or_throw();
    added.into(out, x, 2).or_throw();
    EXPECT_EQ(out, numbers(1000, 2));
    EXPECT_EQ(added(x, 2).to_host<double>().value()[3], 5.0);
    EXPECT_EQ(added.specializations().size(), compiled);
    EXPECT_EQ(added.preload(x).wait().message(), added.call(x).message());
}

TEST_P(Ufuncs, AreCompiledOncePerTypesAndWay) {
    const Ufunc added = get("added");
    std::vector<double> x(100), out(100);
    for (int i = 0; i < 3; ++i) added.into(out, x, x).or_throw();
    for (int i = 0; i < 3; ++i) added.call(x, 1.0).value();
    // A GPU's first form knows which operands are numbers.
    EXPECT_EQ(added.specializations().size(), GetParam() == Backend::cpu ? 1u : 2u);
}

// A first call has an element a thread; the form with vectors comes behind, for calls of many elements.
TEST_P(Ufuncs, ComputeTheSameInBothForms) {
    const Ufunc added = get("added");
    const std::size_t forms = GetParam() == Backend::cpu ? 1 : 2;
    const std::vector<double> x(300'001, 1.5), few(1001, 1.5);
    std::vector<double> out(x.size() + 1), of_few(few.size());
    const auto odd = pyk::host(out.data() + 1, {300'001});
    added.into(of_few, few, few).or_throw();
    EXPECT_EQ(added.specializations().size(), 1u);
    for (int round = 0; round < 1000 && added.specializations().size() < forms; ++round) {
        std::fill(out.begin(), out.end(), 0.0);
        added.into(odd, x, x).or_throw();
        ASSERT_EQ(std::count(out.begin(), out.end(), 3.0), 300'001);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(added.specializations().size(), forms);
    std::fill(out.begin(), out.end(), 0.0);
    added.into(odd, x, x).or_throw();
    EXPECT_EQ(std::count(out.begin(), out.end(), 3.0), 300'001);
    added.into(of_few, few, 2.0).or_throw();
    EXPECT_EQ(of_few, std::vector<double>(1001, 3.5));
    EXPECT_EQ(added.specializations().size(), forms);
}

TEST(Ufunc, NamesAreKnown) {
    const pyk::jit::Module module = pyk::load_text("ufuncs.pyk", kFile).value();
    EXPECT_EQ(pyk::jit::ufunc_names(module)[1], "exact");
    EXPECT_TRUE(module.kernel_names().empty());
    const auto none = pyk::ufunc(module, "ad");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.message().substr(0, 52), "there is no array function `ad`; there is `add`, `ex");
}

INSTANTIATE_TEST_SUITE_P(OnCpu, Ufuncs, testing::Values(Backend::cpu));
INSTANTIATE_TEST_SUITE_P(OnGpu, Ufuncs, testing::Values(Backend::cuda));

}  // namespace
