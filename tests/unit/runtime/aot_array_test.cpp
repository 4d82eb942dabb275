// Calls of array functions compiled ahead of time, on the CPU: entries as pykc emits them, against a plain loop over
// copies of the inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "pyk/aot_array.h"
#include "pyk/elementwise_cpu.h"

namespace {

using pyk::AnyView;
using pyk::Operand;
using pyk::View;
using testing::HasSubstr;

void subtract_entry(const pyk::cpu_block* block, const void* args) {
    const auto loop = *static_cast<const pyk::strided_loop<3>*>(args);
    pyk::for_each_element<float, float, float>(*block, loop, [](float x, float y) { return x - y; });
}
void half_entry(const pyk::cpu_block* block, const void* args) {
    const auto loop = *static_cast<const pyk::strided_loop<2>*>(args);
    pyk::for_each_element<signed char, signed char>(*block, loop,
                                                    [](signed char x) { return static_cast<signed char>(x / 2); });
}

constexpr pyk::aot::ElementFunction kSubtract = {"subtract", "x,y,out", "flat", "any", subtract_entry, 4};
constexpr pyk::aot::ElementFunction kHalf = {"half", "x,out", "flat", "any", half_entry, 4};
constexpr pyk::aot::ElementFunction kOnGpus = {"subtract", "x,y,out", "flat", "any", nullptr, 4};

pyk::Status subtract(const Operand<float>& x, const Operand<float>& y, const AnyView<float>& out,
                     pyk::StreamRef stream = {}) {
    static pyk::aot::File file{"subtract.pyk", nullptr, nullptr, false};
    return pyk::aot::call(file, kSubtract, stream, x, y, out);
}

std::vector<float> counted(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 1.0f);
    return values;
}

TEST(AotArray, NumbersAndArraysOfAnyRankAreBroadcast) {
    std::vector<float> x = counted(6), out(6), row = {1, 2, 3};
    ASSERT_TRUE(subtract(x, 1, out).ok());
    EXPECT_EQ(out, (std::vector<float>{0, 1, 2, 3, 4, 5}));
    ASSERT_TRUE(subtract(pyk::host(x.data(), {2, 3}), row, pyk::host(out.data(), {2, 3})).ok());
    EXPECT_EQ(out, (std::vector<float>{0, 0, 0, 3, 3, 3}));
    std::vector<float> column = {10, 20}, table(6);
    ASSERT_TRUE(subtract(pyk::host(column.data(), {2, 1}), row, pyk::host(table.data(), {2, 3})).ok());
    EXPECT_EQ(table, (std::vector<float>{9, 8, 7, 19, 18, 17}));
    float cell = 0;
    ASSERT_TRUE(subtract(2.5, 1, AnyView<float>(&cell, {})).ok());
    EXPECT_EQ(cell, 1.5f);
}

TEST(AotArray, ArraysWithoutElementsAreLeftAlone) {
    std::vector<float> none, one = {1};
    EXPECT_TRUE(subtract(none, one, none).ok());
    EXPECT_FALSE(subtract(one, counted(2), none).ok());
}

// What lies where in one buffer: both inputs and the output, at any strides, forwards and backwards.
struct Placed {
    std::vector<long long> shape, strides;
    long long offset = 0;

    long long at(const std::vector<long long>& index) const {
        long long place = offset;
        const std::size_t missing = index.size() - shape.size();
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            place += (shape[axis] == 1 ? 0 : index[missing + axis]) * strides[axis];
        return place;
    }
};

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    long long upto(long long most) { return std::uniform_int_distribution<long long>(0, most)(engine_); }

    /// Of part of the axes of `shape`, some of one element; in elements.
    Placed placed(const std::vector<long long>& shape, bool is_output, long long room) {
        Placed array;
        const auto skipped = is_output ? 0 : upto(static_cast<long long>(shape.size()));
        array.shape.assign(shape.begin() + skipped, shape.end());
        long long step = 1 + upto(2), least = 0, most = 0;
        std::vector<std::size_t> order(array.shape.size());
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), engine_);
        array.strides.resize(order.size());
        for (const std::size_t axis : order) {
            if (!is_output && upto(3) == 0) array.shape[axis] = 1;
            array.strides[axis] = upto(2) == 0 ? -step : step;
            const long long reach = (array.shape[axis] - 1) * array.strides[axis];
            (reach < 0 ? least : most) += reach;
            step = step * array.shape[axis] + upto(1);
        }
        array.offset = upto(room - 1 - (most - least)) - least;
        return array;
    }

    std::mt19937 engine_;
};

TEST(AotArray, AnyArraysInOneBufferGiveWhatCopiesOfThemWould) {
    constexpr long long kRoom = 3000;
    for (unsigned seed = 0; seed < 400; ++seed) {
        Random random(seed);
        const bool has_many = seed % 8 == 0;  // more axes than a launch has
        std::vector<long long> shape(static_cast<std::size_t>(has_many ? 9 : 1 + random.upto(3)));
        for (long long& extent : shape) extent = has_many ? 2 : 1 + random.upto(4);
        std::vector<float> memory = counted(kRoom), expected = memory;
        const Placed x = random.placed(shape, false, kRoom), y = random.placed(shape, false, kRoom),
                     out = random.placed(shape, true, kRoom);
        std::vector<long long> index(shape.size());
        for (bool is_more = true; is_more;) {
            expected[static_cast<std::size_t>(out.at(index))] =
                memory[static_cast<std::size_t>(x.at(index))] - memory[static_cast<std::size_t>(y.at(index))];
            is_more = false;
            for (std::size_t axis = shape.size(); axis-- > 0 && !is_more;) {
                is_more = ++index[axis] < shape[axis];
                if (!is_more) index[axis] = 0;
            }
        }
        const auto view = [&](const Placed& array) {
            std::vector<long long> bytes = array.strides;
            for (long long& step : bytes) step *= static_cast<long long>(sizeof(float));
            return AnyView<float>(memory.data() + array.offset, array.shape, bytes);
        };
        const pyk::Status done = subtract(view(x), view(y), view(out));
        ASSERT_TRUE(done.ok()) << seed << ": " << done.message();
        ASSERT_EQ(memory, expected) << seed;
    }
}

TEST(AotArray, WhatDoesNotFitIsAnErrorByValue) {
    std::vector<float> x = counted(3), out(3);
    const auto message = [&](const auto& a, const auto& b, const auto& to) { return subtract(a, b, to).message(); };
    EXPECT_THAT(message(x, counted(4), AnyView<float>(out)), HasSubstr("broadcast together with shapes (3,) (4,)"));
    EXPECT_THAT(message(x, 1, AnyView<float>(out.data(), {2})),
                HasSubstr("the output has shape (2,), the result (3,)"));
    EXPECT_THAT(message(View<float>(nullptr, {3}), x, AnyView<float>(out)),
                HasSubstr("argument 1 (`x`) of `subtract` has no memory"));
    EXPECT_THAT(message(x, 1, AnyView<float>(out.data(), {3}, {0})), HasSubstr("elements of the output share memory"));
    const std::vector<long long> many(33, 1);
    EXPECT_THAT(message(x, 1, AnyView<float>(out.data(), many)),
                HasSubstr("argument 3 (`out`) of `subtract` has more than 32 axes"));
    EXPECT_EQ(out, std::vector<float>(3));
}

TEST(AotArray, NumbersMustBeOfTheType) {
    pyk::aot::File file{"half.pyk", nullptr, nullptr, false};
    std::vector<signed char> out(2);
    const auto half = [&](const Operand<signed char>& x) {
        return pyk::aot::call(file, kHalf, {}, x, AnyView<signed char>(out));
    };
    ASSERT_TRUE(half(-128).ok());
    EXPECT_EQ(out, (std::vector<signed char>{-64, -64}));
    EXPECT_THAT(half(128).message(), HasSubstr("the value of argument 1 (`x`) of `half` does not fit"));
    EXPECT_FALSE(half(0xFFFFFFFFFFFFFFFFull).ok());
    static_assert(!std::is_convertible_v<double, Operand<int>> && std::is_convertible_v<int, Operand<double>>);
    static_assert(!std::is_convertible_v<int, Operand<bool>> && std::is_convertible_v<bool, Operand<int>>);
    static_assert(!std::is_convertible_v<View<double>, Operand<float>> &&
                  std::is_convertible_v<View<const float, 3>, Operand<float>>);
    static_assert(!std::is_convertible_v<View<const float>, AnyView<float>> &&
                  std::is_convertible_v<pyk::Array<float, 2>, AnyView<float>>);
}

TEST(AotArray, CodeThatIsMissingIsSaid) {
    pyk::aot::File file{"subtract.pyk", nullptr, nullptr, false};
    std::vector<float> out(1);
    const pyk::Status missing =
        pyk::aot::call(file, kOnGpus, {}, Operand<float>(1), Operand<float>(2), AnyView<float>(out));
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().kind, pyk::Error::Kind::input_output);
    EXPECT_EQ(missing.message(), "subtract.pyk was not compiled for the CPU");
}

TEST(AotArray, ACallMayBeCapturedFromAStream) {
    const pyk::Stream stream = pyk::Stream::create(pyk::Device::cpu()).value();
    std::vector<float> x = counted(4), out(4);
    ASSERT_TRUE(stream.begin_capture().ok());
    ASSERT_TRUE(subtract(x, 1, out, stream).ok());
    const pyk::Graph graph = stream.end_capture().value();
    EXPECT_EQ(out, std::vector<float>(4));
    ASSERT_TRUE(graph.launch(stream).ok());
    EXPECT_EQ(out, (std::vector<float>{0, 1, 2, 3}));
}

TEST(AotArray, ManyThreadsCallAtOnce) {
    std::vector<std::vector<float>> own(8, counted(100000));
    {
        std::vector<std::jthread> threads;
        for (auto& values : own)
            threads.emplace_back([&] {
                for (int i = 0; i < 10; ++i) subtract(values, 1, values).or_throw();
            });
    }
    for (const auto& values : own) EXPECT_EQ(values.back(), 100000 - 10);
}

}  // namespace
