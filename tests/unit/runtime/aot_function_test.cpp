// Calls of functions for the CPU that were compiled ahead of time: entries as pykc emits them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "pyk/aot_function.h"

namespace {

using pyk::View;
using testing::HasSubstr;

struct Contiguous {
    const double* data;
    long long shape;
    double* sum;
    long long one;
    long long* count;
    long long one_more;
};
struct Strided {
    const double* data;
    long long shape, stride;
    double* sum;
    long long one;
    long long* count;
    long long one_more;
};

// total(x): the sum, and how many there are; the strided instance says so by a negative count.
void total_contiguous(const pyk::cpu_block*, const void* args) {
    const auto a = *static_cast<const Contiguous*>(args);
    for (long long i = 0; i < a.shape; ++i) *a.sum += a.data[i];
    *a.count = a.shape;
}
void total_strided(const pyk::cpu_block*, const void* args) {
    const auto a = *static_cast<const Strided*>(args);
    for (long long i = 0; i < a.shape; ++i)
        *a.sum += *reinterpret_cast<const double*>(reinterpret_cast<const char*>(a.data) + i * a.stride);
    *a.count = -a.shape;
}
void clear(const pyk::cpu_block*, const void* args) { **static_cast<int* const*>(args) = 0; }

constexpr pyk::aot::Instance kTotals[] = {{"total_c", nullptr, total_contiguous, "ccc", false},
                                          {"total_a", nullptr, total_strided, "acc", false}};
constexpr pyk::aot::Kernel kTotal{"total", "x,result0,result1", kTotals, 2, "function"};
constexpr pyk::aot::Kernel kDense{"total", "x,result0,result1", kTotals, 1, "function"};
constexpr pyk::aot::Instance kClears[] = {{"clear_c", nullptr, clear, "c", false}};
constexpr pyk::aot::Kernel kClear{"clear", "x", kClears, 1, "function"};

using Total = pyk::aot::Call<std::tuple<double, long long>>;

TEST(AotFunction, ResultsAreTuplesAndLayoutsChoose) {
    const std::vector<double> values = {1, 2, 3, 4};
    EXPECT_EQ(*Total::run("f.pyk", kTotal, View<const double>(values)), std::tuple(10.0, 4));
    EXPECT_EQ(*Total::run("f.pyk", kTotal, View<const double>(values).slice(0, 3, 0, -2)), std::tuple(6.0, -2));
    EXPECT_EQ(*Total::run("f.pyk", kTotal, View<const double>()), std::tuple(0.0, 0));
}

struct FirstNegative {
    const double* data;
    long long shape;
    bool* some;
    long long one;
    long long* result;
    long long one_more;
};
void first_negative(const pyk::cpu_block*, const void* args) {
    const auto a = *static_cast<const FirstNegative*>(args);
    *a.some = false;
    for (long long i = a.shape - 1; i >= 0; --i)
        if (a.data[i] < 0) *a.some = true, *a.result = i;
}
constexpr pyk::aot::Instance kFirsts[] = {{"first_c", nullptr, first_negative, "ccc", false}};
constexpr pyk::aot::Kernel kFirst{"first", "x,some0,result1", kFirsts, 1, "function"};

TEST(AotFunction, NoneIsAnEmptyOptional) {
    using First = pyk::aot::Call<std::optional<long long>>;
    const std::vector<double> values = {1, 2, -3, -4}, positive = {1};
    EXPECT_EQ(*First::run("f.pyk", kFirst, View<const double>(values)), std::optional(2LL));
    EXPECT_EQ(*First::run("f.pyk", kFirst, View<const double>(positive)), std::nullopt);
    using InTuple = pyk::aot::Call<std::tuple<std::optional<long long>>>;
    EXPECT_EQ(*InTuple::run("f.pyk", kFirst, View<const double>(values)), std::tuple(std::optional(2LL)));
}

struct Given {
    pyk::given_array* array;
    long long one;
};
pyk::memory_block* last_block = nullptr;
// A new array of 1 and 2, held as often as it says.
template <long long Holders>
void give_two(const pyk::cpu_block*, const void* args) {
    pyk::given_array& given = *static_cast<const Given*>(args)->array;
    last_block = static_cast<pyk::memory_block*>(aligned_alloc(64, 128));
    *last_block = {Holders, 2 * sizeof(double), free, {}};
    auto* const elements = reinterpret_cast<double*>(last_block + 1);
    elements[0] = 1, elements[1] = 2;
    given = {elements, last_block, 1, {2}, {sizeof(double)}};
}
constexpr pyk::aot::Instance kGives[] = {{"give_c", nullptr, give_two<1>, "c", false}};
constexpr pyk::aot::Instance kShares[] = {{"share_c", nullptr, give_two<2>, "c", false}};
constexpr pyk::aot::Kernel kGive{"give", "array0", kGives, 1, "function"};
constexpr pyk::aot::Kernel kShare{"share", "array0", kShares, 1, "function"};

TEST(AotFunction, ANewArrayIsTakenAndOneThatIsHeldElsewhereCopied) {
    using Gives = pyk::aot::Call<pyk::Array<double>>;
    const auto given = Gives::run("f.pyk", kGive);
    ASSERT_TRUE(given) << given.message();
    EXPECT_EQ(given->data(), static_cast<void*>(last_block + 1));
    EXPECT_EQ(given->to_host().value(), (std::vector<double>{1, 2}));
    const auto copied = Gives::run("f.pyk", kShare);
    EXPECT_NE(copied->data(), static_cast<void*>(last_block + 1));
    EXPECT_EQ(copied->to_host().value(), (std::vector<double>{1, 2}));
    pyk::let_go(last_block);
}

TEST(AotFunction, NothingReturnedIsAStatus) {
    std::vector<int> values = {7, 8};
    EXPECT_TRUE(pyk::aot::Call<void>::run("f.pyk", kClear, View<int>(values)).ok());
    EXPECT_EQ(values, (std::vector<int>{0, 8}));
}

TEST(AotFunction, WhatDoesNotFitIsAnErrorByValue) {
    const std::vector<double> values = {1, 2, 3, 4};
    const auto strided = Total::run("f.pyk", kDense, View<const double>(values).slice(0, 0, 4, 2));
    ASSERT_FALSE(strided);
    EXPECT_EQ(strided.status().error().kind, pyk::Error::Kind::arguments);
    EXPECT_THAT(strided.message(), HasSubstr("argument 1 (`x`) of function `total` does not lie in C order"));
    const auto gone = Total::run("f.pyk", kTotal, View<const double>(nullptr, {2}));
    EXPECT_THAT(gone.message(), HasSubstr("argument 1 (`x`) of function `total` has no memory"));
    const auto negative = Total::run("f.pyk", kTotal, View<const double>(values.data(), {-3}));
    EXPECT_THAT(negative.message(), HasSubstr("argument 1 (`x`) of function `total` has a negative extent"));
}

}  // namespace
