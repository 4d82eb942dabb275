// Calls of functions for parts of arrays compiled ahead of time, on the CPU: entries as pykc emits them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "pyk/aot_core.h"
#include "pyk/core_cpu.h"
#include "pyk/strided.h"

namespace {

using pyk::AnyView;
using pyk::Operand;
using pyk::View;
using testing::HasSubstr;

// Sums of the elements before each, then the number added to the whole.
template <class Layout>
void sums(pyk::array<const float, 1, Layout> x, float start, pyk::array<float, 1, Layout> out) {
    for (long long i = 0; i < x.shape[0]; ++i) out(i) = start += x(i);
}
template <class Layout>
void entry(const pyk::cpu_block* block, const void* args) {
    pyk::for_each_core_on_cpu(*block, *static_cast<const pyk::core_loop<3>*>(args), [](const auto& at) {
        sums<Layout>(at.template part<const float, 1, Layout>(0), at.template number<float>(1),
                     at.template part<float, 1, Layout>(2));
    });
}

constexpr pyk::aot::CoreExtent kExtents[] = {{"n", 0}};
constexpr pyk::aot::CoreParameter kParameters[] = {{1, {0}, false, false}, {0, {}, false, false}, {1, {0}, true, true}};
constexpr pyk::aot::CoreKernel kKernels[] = {{"dense", 1, 0, false}, {"any", 1, 0, false}};
constexpr pyk::aot::CoreForm kForms[] = {{"c.c", kKernels, 1, entry<pyk::C>}, {"a.a", kKernels + 1, 1, entry<pyk::A>}};

pyk::Status call(int forms, const AnyView<const float>& x, const Operand<float>& start, const AnyView<float>& out) {
    static pyk::aot::File file{"sums.pyk", nullptr, nullptr, false};
    const pyk::aot::CoreFunction function = {"sums", "x,start,out", "(n),()->(n)", kExtents, 1, kParameters,
                                             2,      kForms,        forms};
    return pyk::aot::call(file, function, {}, x, start, out);
}
pyk::Status sums(const AnyView<const float>& x, const Operand<float>& start, const AnyView<float>& out) {
    return call(2, x, start, out);
}

std::vector<float> counted(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 1.0f);
    return values;
}

TEST(AotCore, WhatIsBeforePartsIsBroadcast) {
    std::vector<float> x = counted(6), out(6), starts = {10, 20};
    ASSERT_TRUE(sums(x, 1, out).ok());
    EXPECT_EQ(out, (std::vector<float>{2, 4, 7, 11, 16, 22}));
    ASSERT_TRUE(sums(pyk::host(x.data(), {2, 3}), starts, pyk::host(out.data(), {2, 3})).ok());
    EXPECT_EQ(out, (std::vector<float>{11, 13, 16, 24, 29, 35}));
    ASSERT_TRUE(sums(std::vector<float>{1, 2, 3}, starts, pyk::host(out.data(), {2, 3})).ok());
    EXPECT_EQ(out, (std::vector<float>{11, 13, 16, 21, 23, 26}));
}

TEST(AotCore, PartsHaveAnyStridesWhereTheSignatureSaysSo) {
    std::vector<float> x = counted(6), out(6);
    const View<float, 2> table = pyk::host(x.data(), {2, 3}), to = pyk::host(out.data(), {2, 3});
    ASSERT_TRUE(sums(table.transposed(), 0, to.transposed()).ok());
    EXPECT_EQ(out, (std::vector<float>{1, 2, 3, 5, 7, 9}));
    ASSERT_TRUE(sums(View<float>(x).slice(0, 5, -7, -1), 0, out).ok());
    EXPECT_EQ(out, (std::vector<float>{6, 11, 15, 18, 20, 21}));
    EXPECT_THAT(call(1, table.transposed(), 0, to.transposed()).message(),
                HasSubstr("the parts of argument 1 (`x`) of `sums` do not lie in C order without gaps"));
    ASSERT_TRUE(call(1, table.slice(0, 1, -3, -1), 0, to).ok()) << "parts themselves have no gaps";
    EXPECT_EQ(out, (std::vector<float>{4, 9, 15, 1, 3, 6}));
}

TEST(AotCore, InputsAreReadAsTheyWereBefore) {
    std::vector<float> x = counted(7);
    ASSERT_TRUE(sums(View<float>(x.data(), {6}), 0, View<float>(x.data() + 1, {6})).ok());
    EXPECT_EQ(x, (std::vector<float>{1, 1, 3, 6, 10, 15, 21}));
    x = counted(3);
    ASSERT_TRUE(sums(x, 0, x).ok());
    EXPECT_EQ(x, (std::vector<float>{1, 3, 6}));
}

TEST(AotCore, CallsWithoutElementsAreNone) {
    std::vector<float> none, one = {1};
    EXPECT_TRUE(sums(none, 1, none).ok());
    EXPECT_TRUE(sums(pyk::host(none.data(), {0, 5}), 1, pyk::host(none.data(), {0, 5})).ok());
    EXPECT_TRUE(sums(pyk::host(none.data(), {5, 0}), 1, pyk::host(none.data(), {5, 0})).ok());
    EXPECT_FALSE(sums(one, 1, none).ok());
}

TEST(AotCore, WhatDoesNotFitIsAnErrorByValue) {
    std::vector<float> x = counted(6), out(6);
    const auto message = [&](const AnyView<const float>& in, const Operand<float>& start, const AnyView<float>& to) {
        return sums(in, start, to).message();
    };
    EXPECT_THAT(message(x, 0, AnyView<float>(out.data(), {5})),
                HasSubstr("argument 3 (`out`) of `sums` has 5 elements along `n` of layout (n),()->(n), not 6"));
    EXPECT_THAT(
        message(AnyView<const float>(x.data(), {}), 0, out),
        HasSubstr("argument 1 (`x`) of `sums` does not have enough axes: it has 0, and layout (n),()->(n) requires 1"));
    EXPECT_THAT(message(pyk::host(x.data(), {2, 3}), counted(3), pyk::host(out.data(), {2, 3})),
                HasSubstr("broadcast together with shapes (2,) (3,)"));
    EXPECT_THAT(message(pyk::host(x.data(), {2, 3}), 0, AnyView<float>(out.data(), {3})),
                HasSubstr("argument 3 (`out`) of `sums` is for () calls, and there are (2,)"));
    EXPECT_THAT(message(x, 0, AnyView<float>(out.data(), {2, 6}, {0, 4})), HasSubstr("share memory"));
    EXPECT_THAT(message(View<float>(nullptr, {6}), 0, out), HasSubstr("has no memory"));
    EXPECT_EQ(out, std::vector<float>(6));
}

}  // namespace
