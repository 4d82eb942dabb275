// Calls of reductions compiled ahead of time, on the CPU: entries as pykc emits them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "pyk/aot_array.h"
#include "pyk/reduce_cpu.h"

namespace {

using pyk::AnyView;
using testing::HasSubstr;

void sum_entry(const pyk::cpu_block* block, const void* data) {
    const auto& args = *static_cast<const pyk::reduce_args*>(data);
    pyk::run_reduce_on_cpu<long long, long long>(
        *block, args, [](long long a, long long b) { return a + b; }, [](long long element) { return element; });
}
struct Pixel {
    unsigned char r, g, b;
};
void redder_entry(const pyk::cpu_block* block, const void* data) {
    const auto& args = *static_cast<const pyk::reduce_args*>(data);
    pyk::run_reduce_on_cpu<Pixel, Pixel>(
        *block, args, [](const Pixel& a, const Pixel& b) { return a.r > b.r ? a : b; },
        [](const Pixel& element) { return element; });
}

constexpr pyk::aot::ReduceFunction kSum = {"sum", "array,out,init", "sum", sum_entry};
constexpr pyk::aot::ReduceFunction kRedder = {"redder", "array,out,init", "redder", redder_entry};

pyk::aot::File& file() {
    static pyk::aot::File only{"reductions.pyk", nullptr, nullptr, false};
    return only;
}
pyk::Status sum(const AnyView<const long long>& array, const AnyView<long long>& out,
                const pyk::Operand<long long>& init = 0) {
    return pyk::aot::call(file(), kSum, pyk::StreamRef(), array, out, init);
}

TEST(AotReduce, TakesAnyStridesAndManyElements) {
    for (const std::size_t count : {1u, 2u, 255u, 8192u, 8193u, 1000003u}) {
        std::vector<long long> x(count), out(1);
        for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<long long>(i);
        const auto n = static_cast<long long>(count);
        ASSERT_TRUE(sum(x, out)) << count;
        EXPECT_EQ(out[0], n * (n - 1) / 2) << count;
        const long long half = (n + 1) / 2;  // backwards, every second
        ASSERT_TRUE(sum(pyk::View<const long long>(x.data() + (half - 1) * 2, {half}, {-16}), out, 1000)) << count;
        EXPECT_EQ(out[0], half * (half - 1) + 1000) << count;
    }
}

TEST(AotReduce, OfNoElementsIsWhatItStartsWith) {
    std::vector<long long> none, out(1);
    ASSERT_TRUE(sum(none, out, 7));
    EXPECT_EQ(out[0], 7);
    std::vector<Pixel> pixels, red(1);
    EXPECT_THAT(
        pyk::aot::call(file(), kRedder, pyk::StreamRef(), AnyView<const Pixel>(pixels), AnyView<Pixel>(red)).message(),
        HasSubstr("no elements"));
}

TEST(AotReduce, OfRecords) {
    std::vector<Pixel> pixels, red(1);
    for (int i = 0; i < 20011; ++i)
        pixels.push_back({static_cast<unsigned char>(i * 31 % 250), 1, static_cast<unsigned char>(i)});
    pixels[12345] = {255, 4, 5};
    ASSERT_TRUE(pyk::aot::call(file(), kRedder, pyk::StreamRef(), AnyView<const Pixel>(pixels), AnyView<Pixel>(red)));
    EXPECT_EQ(red[0].r, 255);
    EXPECT_EQ(red[0].b, 5);
}

TEST(AotReduce, SaysWhatDoesNotFit) {
    std::vector<long long> x(6), none, out(1);
    EXPECT_THAT(sum(pyk::host(x.data(), {2, 3}), out).message(), HasSubstr("an array of one axis, not of 2"));
    EXPECT_THAT(sum(x, none).message(), HasSubstr("the output has no element"));
    EXPECT_THAT(sum(x, out, ~0ull).message(), HasSubstr("`init`"));
}

}  // namespace
