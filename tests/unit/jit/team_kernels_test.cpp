// Array functions for parts of arrays whose calls several threads make: the text of what people write, and that it
// compiles for a GPU that need not be there.
#include <gmock/gmock.h>

#include "compile/nvrtc.h"
#include "jit/compiler/program.h"

namespace {

using pyk::jit::ArgumentType;
using pyk::jit::BuildRequest;
using pyk::jit::Element;
using ::testing::HasSubstr;

constexpr const char* kText = R"py(import math

import numpy as np
from numba import guvectorize


@guvectorize("(n)->(n)")
def softmax(x, out):
    largest = x[0]
    for i in range(x.shape[0]):
        largest = max(largest, x[i])
    total = x[0] - x[0]
    for i in range(x.shape[0]):
        out[i] = math.exp(x[i] - largest)
        total += out[i]
    for i in range(x.shape[0]):
        out[i] /= total


@guvectorize("(n)->()")
def norm(x, out):
    total = 0.0
    for v in x:
        total += v * v
    out[0] = math.sqrt(total)


@guvectorize("(m,k),(k,n)->(m,n)")
def matmul(a, b, out):
    m, n = out.shape
    for i in range(m):
        for j in range(n):
            out[i, j] = 0
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * b[k, j]


@guvectorize("(n)->(),()")
def extremes(x, least, greatest):
    low = x[0]
    high = x[0]
    for i in range(1, len(x)):
        if x[i] < low:
            low = x[i]
        high = max(high, x[i])
    least[0] = low
    greatest[0] = high


@guvectorize("(n)->(n)")
def centre(x, out):
    mean = 0.0
    for v in x:
        mean += v
    mean /= x.size
    for i, v in enumerate(x):
        out[i] = v - mean


@guvectorize("(n)->(n)")
def running(x, out):
    total = x[0]
    for i in range(len(x)):
        total += x[i]
        out[i] = total


@guvectorize("(n)->(n)")
def scale(x, out):
    for i in range(len(x)):
        if x[i] > 0:
            out[i] = out[i] * x[i]


@guvectorize("(n)->(n)")
def mirrored(x, out):
    n = x.size
    for i in range(n):
        out[i] = x[i] + x[n - 1 - i]


@guvectorize("(n)->(n)")
def ends(x, out):
    for i in range(len(x)):
        out[i] = x[i]
    out[0] = out[len(x) - 1]


@guvectorize("(n),()->(n)")
def first_of(x, count, out):
    for i in range(count):
        out[i] = x[i]
    count = x.size


@guvectorize("(n),()->(n)")
def fewer(x, count, out):
    count = count - 1
    for i in range(count):
        out[i] = x[i]
)py";

BuildRequest request_of(const char* function, std::vector<ArgumentType> types, std::vector<pyk::jit::Team> teams) {
    BuildRequest request{function, types, false, {false, 90, "a test GPU"}, pyk::jit::ElementAccess::core, {}, {}};
    for (const ArgumentType& type : types) request.core.push_back({std::vector<long long>(type.ndim), false});
    request.teams = std::move(teams);
    return request;
}

ArgumentType array_of(Element element, int axes = 1) {
    ArgumentType type{element};
    type.ndim = static_cast<unsigned char>(axes);
    type.order = pyk::jit::Order::c;
    return type;
}

std::shared_ptr<const pyk::jit::CompilerProgram> program() {
    return pyk::jit::compiler().open("team.pyk", kText, {}, "").value();
}

std::string text_of(const char* function, std::vector<ArgumentType> types, std::vector<pyk::jit::Team> teams = {{32}}) {
    const std::string text = program()->emitted(request_of(function, std::move(types), std::move(teams))).value();
    const size_t begin = text.find("__device__ void " + std::string(function) + "("), end = text.find("\n}\n", begin);
    return text.substr(begin, end + 3 - begin);
}

constexpr auto f4 = Element::float32, f8 = Element::float64;

TEST(TeamKernels, AreWhatOneWritesByHand) {
    EXPECT_EQ(text_of("softmax", {array_of(f4), array_of(f4)}),
              R"(__device__ void softmax(pyk::team<32> pyk_team, const float* __restrict__ x_data, long long x_shape0,
        pyk::array<float, 1> out)
{
    const pyk::array<const float, 1> x{x_data, {x_shape0}};
    float largest = x(0);                                                  // team.pyk:9
    for (long long i = pyk_team.lane; i < x.shape[0]; i += pyk_team.size)  // :10
        largest = pyk::greater(largest, x(i));
    largest = pyk_team.greatest(largest);
    float total = x(0) - x(0);
    if (pyk_team.lane != 0) total = 0.0f;
    for (long long i = pyk_team.lane; i < x.shape[0]; i += pyk_team.size) {
        out(i) = expf(x(i) - largest);
        total += out(i);
    }
    total = pyk_team.sum(total);
    for (long long i = pyk_team.lane; i < x.shape[0]; i += pyk_team.size)  // :16
        out(i) /= total;
}
)");
    EXPECT_THAT(text_of("norm", {array_of(f4), array_of(f4)}),
                HasSubstr("if (pyk_team.lane == 0) out(0) = sqrt(total);"));
    EXPECT_THAT(text_of("matmul", {array_of(f8, 2), array_of(f8, 2), array_of(f8, 2)}),
                HasSubstr("for (const auto [i, j] : pyk_team.pairs(m, n)) {"));
    EXPECT_THAT(text_of("extremes", {array_of(f8), array_of(f8), array_of(f8)}),
                HasSubstr("low = pyk_team.least(low);"));
    EXPECT_THAT(text_of("centre", {array_of(f8), array_of(f8)}), HasSubstr("mean = pyk_team.sum(mean);"));
}

TEST(TeamKernels, HoldTheirElements) {
    EXPECT_EQ(
        text_of("softmax", {array_of(f4), array_of(f4)}, {{32, 8}, {32}}),
        R"(__device__ void softmax(pyk::team<32, 8, 4> pyk_team, const float* __restrict__ x_data, long long x_shape0,
        pyk::array<float, 1> out)
{
    const pyk::array<const float, 1> x{x_data, {x_shape0}};
    pyk_team.align(x);
    float x_items[pyk_team.items];
    pyk_team.load(x, x_items);
    float out_items[pyk_team.items];
    float largest = x(0);                                            // team.pyk:9
    #pragma unroll
    for (int pyk_item = 0; pyk_item < pyk_team.items; ++pyk_item) {  // :10
        if (!pyk_team.has(pyk_item, 0, x.shape[0])) continue;
        largest = pyk::greater(largest, x_items[pyk_item]);
    }
    largest = pyk_team.greatest(largest);
    float total = x(0) - x(0);
    if (pyk_team.lane != 0) total = 0.0f;
    #pragma unroll
    for (int pyk_item = 0; pyk_item < pyk_team.items; ++pyk_item) {
        if (!pyk_team.has(pyk_item, 0, x.shape[0])) continue;
        out_items[pyk_item] = expf(x_items[pyk_item] - largest);
        total += out_items[pyk_item];
    }
    total = pyk_team.sum(total);
    #pragma unroll
    for (int pyk_item = 0; pyk_item < pyk_team.items; ++pyk_item) {  // :16
        if (!pyk_team.has(pyk_item, 0, x.shape[0])) continue;
        out_items[pyk_item] /= total;
    }
    pyk_team.store(out_items, out);
}
)");
    const auto held = [](const char* function, std::vector<ArgumentType> types) {
        return text_of(function, std::move(types), {{256, 16}, {32}});
    };
    const std::string extremes = held("extremes", {array_of(f4), array_of(f8), array_of(f8)});
    EXPECT_THAT(extremes, HasSubstr("if (!pyk_team.has(pyk_item, 1, x.shape[0])) continue;"));
    EXPECT_EQ(extremes.find("least_items"), std::string::npos);
    // As many neighbours as 16 bytes have of the largest.
    EXPECT_THAT(held("centre", {array_of(f4), array_of(f8)}), HasSubstr("pyk::team<256, 16, 2>"));
    EXPECT_THAT(held("centre", {array_of(f8), array_of(f8)}), HasSubstr("out_items[pyk_item] = v - mean;"));
    // What is read before it is stored to; and what has a place of its own in memory.
    EXPECT_THAT(held("scale", {array_of(f4), array_of(f4)}), HasSubstr("pyk_team.load(out, out_items);"));
    const std::string mirrored = held("mirrored", {array_of(f4), array_of(f4)});
    EXPECT_THAT(mirrored, HasSubstr("out_items[pyk_item] = x_items[pyk_item] + x(n - 1 - i);"));
    EXPECT_THAT(mirrored, HasSubstr("long long i = pyk_team.nth(pyk_item);"));
    const std::string ends = held("ends", {array_of(f4), array_of(f4)});
    EXPECT_EQ(ends.find("out_items"), std::string::npos) << ends;
    EXPECT_THAT(ends, HasSubstr("out(i) = x_items[pyk_item];"));
    // The extent of no array.
    for (const char* name : {"first_of", "fewer"}) {
        const std::string text = held(name, {array_of(f4), ArgumentType{Element::int64}, array_of(f4)});
        EXPECT_EQ(text.find("_items"), std::string::npos) << text;
    }
    EXPECT_THAT(held("matmul", {array_of(f8, 2), array_of(f8, 2), array_of(f8, 2)}), HasSubstr("pyk::team<32> "));
}

class TeamKernelsCompile : public testing::TestWithParam<std::tuple<const char*, Element, int, int>> {};
TEST_P(TeamKernelsCompile, ForTheH200) {
    if (const auto info = pyk::nvrtc_info(); !info) GTEST_SKIP() << info.error().text;
    const auto& [name, element, team, items] = GetParam();
    const bool is_matmul = std::string_view(name) == "matmul";
    std::vector<ArgumentType> types(std::string_view(name) == "extremes" || is_matmul ? 3 : 2,
                                    array_of(element, is_matmul ? 2 : 1));
    const auto built = program()->build(request_of(name, types, {{team, items}}));
    ASSERT_TRUE(built) << built.message();
    EXPECT_EQ(built->entry.team.threads, team);
    EXPECT_EQ(built->entry.team.items, items);
    EXPECT_THAT(built->emitted, HasSubstr("pyk::for_each_core_by<pyk::team<" + std::to_string(team)));
    EXPECT_THAT(built->binary.substr(1, 3), "ELF");
}
INSTANTIATE_TEST_SUITE_P(Each, TeamKernelsCompile,
                         testing::Values(std::tuple("softmax", f4, 32, 0), std::tuple("softmax", f8, 256, 0),
                                         std::tuple("softmax", f4, 1024, 0), std::tuple("norm", Element::int32, 32, 0),
                                         std::tuple("matmul", f4, 32, 0), std::tuple("matmul", Element::int8, 256, 0),
                                         std::tuple("extremes", Element::int8, 32, 0),
                                         std::tuple("extremes", Element::uint64, 256, 0),
                                         std::tuple("centre", f8, 1024, 0), std::tuple("softmax", f4, 32, 32),
                                         std::tuple("softmax", f8, 256, 16), std::tuple("softmax", f4, 1024, 32),
                                         std::tuple("norm", Element::int8, 32, 8),
                                         std::tuple("scale", Element::float16, 256, 8),
                                         std::tuple("scale", Element::uint64, 1024, 4)));

TEST(TeamKernels, WithoutSuchAFormAreOneThreads) {
    if (const auto info = pyk::nvrtc_info(); !info) GTEST_SKIP() << info.error().text;
    const auto built = program()->build(request_of("running", {array_of(f4), array_of(f4)}, {{256}}));
    ASSERT_TRUE(built) << built.message();
    EXPECT_EQ(built->entry.team.threads, 1);
    EXPECT_THAT(built->emitted, HasSubstr("pyk::for_each_core("));
}

}  // namespace
