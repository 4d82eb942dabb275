// What stands behind the headers of kernels compiled ahead of time, on the CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

#include "pyk/aot.h"
#include "pyk/aot_array.h"
#include "pyk/cpu.h"
#include "pyk/fp8_types.h"
#include "pyk/half.h"

namespace {

using pyk::View;
using testing::HasSubstr;

struct Contiguous {
    float* data;
    long long shape;
    float value;
};
struct Strided {
    float* data;
    long long shape, stride;
    float value;
};

// fill(x, value), as pykc would emit it for each layout; the strided one adds 100, to tell them apart.
void fill_contiguous(const pyk::cpu_block* block, const void* args) {
    const auto a = *static_cast<const Contiguous*>(args);
    pyk::for_each_thread(*block, [&](pyk::thread& t) {
        if (t.threadIdx.x < a.shape) a.data[t.threadIdx.x] = a.value;
    });
}
void fill_strided(const pyk::cpu_block* block, const void* args) {
    const auto a = *static_cast<const Strided*>(args);
    pyk::for_each_thread(*block, [&](pyk::thread& t) {
        char* const at = reinterpret_cast<char*>(a.data) + t.threadIdx.x * a.stride;
        if (t.threadIdx.x < a.shape) *reinterpret_cast<float*>(at) = a.value + 100;
    });
}

constexpr pyk::aot::Instance kBoth[] = {{"fill_c", nullptr, fill_contiguous, "c.", false},
                                        {"fill_a", nullptr, fill_strided, "a.", false}};
constexpr pyk::aot::Kernel kFill{"fill", "x,value", kBoth, 2}, kFillContiguous{"fill", "x,value", kBoth, 1};

class Aot : public testing::Test {
  protected:
    pyk::Status fill(const pyk::aot::Kernel& kernel, View<float> x, float value) {
        return pyk::aot::launch(file_, kernel, launch_, x, value);
    }

    pyk::aot::File file_{"fill.pyk", nullptr, nullptr, false};
    pyk::Launch launch_{{1}, {64}};
    std::vector<float> values_ = std::vector<float>(10);
};

TEST_F(Aot, TheCallTakesTheFirstSignatureThatFits) {
    ASSERT_TRUE(fill(kFill, values_, 1).ok());
    EXPECT_EQ(values_, std::vector<float>(10, 1));
    ASSERT_TRUE(fill(kFill, View<float>(values_).slice(0, 1, 10, 2), 2).ok());
    EXPECT_EQ(values_, (std::vector<float>{1, 102, 1, 102, 1, 102, 1, 102, 1, 102}));
    ASSERT_TRUE(fill(kFill, View<float>(values_).slice(0, 9, 6, -1), 3).ok());
    EXPECT_EQ(values_, (std::vector<float>{1, 102, 1, 102, 1, 102, 1, 103, 103, 103}));
}

TEST_F(Aot, WhatFitsNoSignatureIsAnErrorByValue) {
    const pyk::Status strided = fill(kFillContiguous, View<float>(values_).slice(0, 0, 10, 2), 1);
    ASSERT_FALSE(strided.ok());
    EXPECT_EQ(strided.error().kind, pyk::Error::Kind::arguments);
    EXPECT_THAT(strided.message(), HasSubstr("argument 1 (`x`) of kernel `fill` does not lie in C order"));
    const pyk::Status gone = fill(kFill, View<float>(nullptr, {10}), 1);
    EXPECT_THAT(gone.message(), HasSubstr("`x`) of kernel `fill` has no memory"));
    const pyk::Status negative = fill(kFill, View<float>(values_.data(), {-5}), 1);
    EXPECT_THAT(negative.message(), HasSubstr("`x`) of kernel `fill` has a negative extent"));
    EXPECT_EQ(values_, std::vector<float>(10, 0));
    // No elements lie in any order.
    EXPECT_TRUE(fill(kFillContiguous, View<float>(values_).slice(0, 0, 0, 2), 1).ok());
}

TEST_F(Aot, ANumberThatItsTypeDoesNotHaveIsAnErrorByValue) {
    constexpr pyk::aot::Instance instances[] = {{"fill_c", nullptr, fill_contiguous, "c.", false}};
    const pyk::aot::Kernel kernel{"fill", "x,value", instances, 1};
    const auto fill = [&](pyk::Scalar<unsigned char> value) {
        return pyk::aot::launch(file_, kernel, launch_, View<float>(values_), value);
    };
    EXPECT_THAT(fill(256).message(), HasSubstr("the value of argument 2 (`value`) of kernel `fill` does not fit"));
    EXPECT_EQ(fill(-1).error().kind, pyk::Error::Kind::arguments);
    EXPECT_TRUE(pyk::Scalar<unsigned char>(255).fits);
    EXPECT_FALSE(pyk::Scalar<unsigned long long>(-1).fits);
    EXPECT_FALSE(pyk::Scalar<long long>(~0ull).fits);
    EXPECT_TRUE(pyk::Scalar<long long>(~0ull >> 1).fits);
    EXPECT_FALSE(pyk::Scalar<int>(1u << 31).fits);
    EXPECT_EQ(pyk::Scalar<float>(3).value, 3.0f);
}

enum Colour { red, green = 7 };
enum class Shape { round };

template <class To, class From>
constexpr bool converts = std::is_convertible_v<From, pyk::Scalar<To>>;

// A double is no integer, and no integer narrower than the one that is given; literals of C++ are as convenient as
// ever.
static_assert(converts<float, int> && converts<float, double> && converts<double, long long> && converts<float, bool>);
static_assert(converts<long long, int> && converts<long long, std::size_t> && converts<unsigned char, int>);
static_assert(converts<unsigned long long, int> && converts<short, unsigned char> && converts<int, bool>);
static_assert(!converts<int, double> && !converts<long long, float> && !converts<int, long> && !converts<short, long>);
static_assert(!converts<bool, int> && !converts<bool, const int*> && !converts<long long, void*> &&
              converts<bool, bool>);
static_assert(converts<int, Colour> && !converts<int, Shape> && converts<int, std::integral_constant<int, 3>>);
static_assert(!converts<int, std::integral_constant<long, 3>>);

// `std::int64_t` is `long` here, int64 `long long`.
static_assert(std::is_convertible_v<std::vector<std::int64_t>&, View<long long>>);
static_assert(std::is_convertible_v<const std::vector<std::int64_t>&, View<const long long>>);
static_assert(std::is_convertible_v<pyk::Array<unsigned long>, View<unsigned long long>>);
static_assert(std::is_convertible_v<View<long>, View<const long long>>);
static_assert(!std::is_convertible_v<std::vector<unsigned>&, View<int>>);
static_assert(!std::is_convertible_v<std::vector<float>&, View<int>>);
static_assert(!std::is_convertible_v<const std::vector<std::int64_t>&, View<long long>>);
static_assert(!std::is_convertible_v<View<const int>, View<int>>);

// Arrays in host memory: as much as the program may write to, and no more axes than there are.
template <class To, class From>
constexpr bool is_viewed = std::is_convertible_v<From, To>;
using Line = float[4];
using ConstLine = const float[4];
using Table = float[4][5];
static_assert(is_viewed<View<float>, Line&> && is_viewed<View<const float>, ConstLine&>);
static_assert(!is_viewed<View<float>, ConstLine&> && !is_viewed<View<float>, Table&> &&
              !is_viewed<View<float, 2>, Line&>);
static_assert(is_viewed<View<float, 2>, Table&> && !is_viewed<View<float>, float*> && !is_viewed<View<double>, Line&>);
static_assert(is_viewed<View<float>, std::array<float, 3>&> && !is_viewed<View<float>, const std::array<float, 3>&>);
static_assert(is_viewed<View<const float>, const std::array<float, 3>&>);
static_assert(!is_viewed<View<float>, std::vector<float>> && is_viewed<View<const float>, std::vector<float>>);
static_assert(is_viewed<View<const char>, std::string_view> && !is_viewed<View<bool>, std::vector<bool>&>);
static_assert(is_viewed<pyk::AnyView<float>, Table&> && is_viewed<pyk::Operand<float>, Table&>);
static_assert(is_viewed<pyk::AnyView<const float>, const std::array<float, 3>&>);
static_assert(!is_viewed<pyk::AnyView<float>, const std::array<float, 3>&>);

// Floats of 8 bits: of one format, or bytes.
template <class T>
using Vector = std::vector<T>&;
static_assert(is_viewed<View<pyk::fp8_e4m3>, Vector<pyk::fp8_e4m3>> &&
              is_viewed<View<pyk::fp8_e4m3>, Vector<unsigned char>>);
static_assert(!is_viewed<View<pyk::fp8_e4m3>, Vector<pyk::fp8_e5m2>> && !is_viewed<View<pyk::fp8_e4m3>, Vector<bool>>);
static_assert(is_viewed<pyk::Value<pyk::fp8_e4m3>, pyk::fp8_e4m3> && !is_viewed<pyk::Value<pyk::fp8_e4m3>, int>);
static_assert(!is_viewed<pyk::Value<pyk::float16>, float> && !is_viewed<pyk::Value<pyk::float16>, pyk::bfloat16>);

TEST_F(Aot, CodeThatIsMissingIsSaid) {
    constexpr pyk::aot::Instance only_cuda[] = {{"fill_c", nullptr, nullptr, "c.", false}};
    const pyk::Status missing = fill({"fill", "x,value", only_cuda, 1}, values_, 1);
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().kind, pyk::Error::Kind::input_output);
    EXPECT_EQ(missing.message(), "fill.pyk was not compiled for the CPU");
}

TEST_F(Aot, LaunchesThatTheDeviceRefusesAreErrors) {
    launch_.block = {2048};
    EXPECT_FALSE(fill(kFill, values_, 1).ok());
    launch_ = {{1}, {64}};
    launch_.cluster = {2};
    EXPECT_THAT(fill(kFill, values_, 1).message(), HasSubstr("clusters"));
}

TEST_F(Aot, ALaunchMayBeCapturedFromAStream) {
    const pyk::Stream stream = pyk::Stream::create(pyk::Device::cpu()).value();
    launch_.stream = stream;
    ASSERT_TRUE(stream.begin_capture().ok());
    ASSERT_TRUE(fill(kFill, values_, 5).ok());
    const pyk::Graph graph = stream.end_capture().value();
    EXPECT_EQ(values_[0], 0);
    ASSERT_TRUE(graph.launch(stream).ok());
    EXPECT_EQ(values_, std::vector<float>(10, 5));
}

TEST_F(Aot, ManyThreadsLoadOnce) {
    std::vector<std::vector<float>> own(8, values_);
    {
        std::vector<std::jthread> threads;
        for (auto& values : own)
            threads.emplace_back([&] {
                for (int i = 0; i < 50; ++i) fill(kFill, values, 7).or_throw();
            });
    }
    for (const auto& values : own) EXPECT_EQ(values, std::vector<float>(10, 7));
    ASSERT_NE(file_.loaded.load(), nullptr);
}

}  // namespace
