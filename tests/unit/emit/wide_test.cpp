// The variant of pure maps whose threads each have the elements of several: which kernels have it, and its text. That
// it computes the same is tested on a GPU (tests/unit/jit/coarsen_test.cpp).
#include <gmock/gmock.h>

#include "emitted.h"

namespace pyk::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

EmitOptions wide() {
    EmitOptions options;
    options.wide = true;
    return options;
}

/// A kernel of arrays that do not overlap.
std::string map_ir(std::string_view locals, std::string_view statements) {
    return "module \"t.pyk\"\n\n"
           "device loop = loop_f4(v: float32) -> float32 {\n  var k: int64\n  for k in range(0, 3, 1) {\n  }\n  return "
           "v\n}\n\n"
           "device twice = twice_f4(v: float32) -> float32 {\n  return (v + v)\n}\n\n"
           "kernel k = pyk_k(x: float32[::1], y: float32[::1], z: float64[::1], s: float32[:], m: float32[:, ::1], n: "
           "int64, t: float32) noalias effects(reads, writes) {\n  var i: int64\n" +
           std::string(locals) + std::string(statements) + "}\n";
}

EntryPoint entry_of(std::string_view locals, std::string_view statements) {
    return emit_unit(map_ir(locals, statements), cuda_target(), wide()).entries.at(0);
}

constexpr const char* kIndex = "  i = @cuda.grid.x:int64\n";

TEST(Wide, TheTextIsTheKernelsOwnOverWindows) {
    const std::string text = emit_text(map_ir("  var v: float32\n", R"(  i = @cuda.grid.x:int64
  if (i >= n) {
    return
  }
  v = x[i]
  if (v > t) {
    store y[i] = call twice_f4(v)
  } else {
    store y[i] = t
  }
)"),
                                       cuda_target(), wide());
    EXPECT_EQ(body_of(text), R"(    const pyk::array<const float, 1> x{x_data, {x_shape0}};
    const pyk::array<float, 1> y{y_data, {y_shape0}};
    pyk::for_neighbours<1>(
        pyk::smaller(pyk_threads, n),
        [&](long long i, auto& x, auto& y) {
            const float v = x(i);
            if (v > t)
                y(i) = twice(v);
            else
                y(i) = t;
        }, pyk::reads(x), pyk::writes(y));
)");
    EXPECT_THAT(text, HasSubstr("pyk_k_wide("));
    EXPECT_THAT(text, HasSubstr("float t, long long pyk_threads)"));
}

TEST(Wide, OnlyMapsAndOnlyOnGpus) {
    const std::string map = std::string(kIndex) + "  store y[i] = x[i]\n", other = "  store y[0] = x[0]\n";
    EXPECT_EQ(entry_of("", map).symbol, "pyk_k_wide");
    EXPECT_EQ(entry_of("", other).symbol, "pyk_k");
    EXPECT_EQ(emit_unit(map_ir("", map), cpu_target(), wide()).entries[0].symbol, "pyk_k");
    EXPECT_EQ(emit_unit(map_ir("", map), cuda_target(), {}).entries[0].symbol, "pyk_k");
}

TEST(Wide, HowManyElementsDependsOnTheWidestAndOnHowManyAreLoaded) {
    EXPECT_EQ(entry_of("", std::string(kIndex) + "  store y[i] = t\n").elements_per_thread, 4);
    EXPECT_EQ(entry_of("", std::string(kIndex) + "  store y[i] = (x[i] + y[i])\n").elements_per_thread, 8);
    EXPECT_EQ(entry_of("", std::string(kIndex) + "  store z[i] = (float64(x[i]) + z[i])\n").elements_per_thread, 4);
}

TEST(Wide, GuardsOfEveryForm) {
    const auto count = [](const char* guard) {
        const std::string text =
            emit_text(map_ir("", std::string(kIndex) + "  if " + guard + " {\n    store y[i] = x[i]\n  }\n"),
                      cuda_target(), wide());
        const size_t begin = text.find("pyk::smaller(");
        return begin == std::string::npos ? "" : text.substr(begin, text.find(",\n", begin) - begin);
    };
    EXPECT_EQ(count("(i < n)"), "pyk::smaller(pyk_threads, n)");
    EXPECT_EQ(count("(n > i)"), "pyk::smaller(pyk_threads, n)");
    EXPECT_EQ(count("(i <= n)"), "pyk::smaller(pyk_threads - 1, n) + 1");
    EXPECT_EQ(count("(i <= (n | 1))"), "pyk::smaller(pyk_threads - 1, n | 1) + 1");
    EXPECT_EQ(count("(not (i >= n))"), "pyk::smaller(pyk_threads, n)");
    EXPECT_EQ(count("(i < size(y))"), "pyk::smaller(pyk_threads, y.shape[0])");
    EXPECT_EQ(count("((i < n) and (i <= size(y)))"), "pyk::smaller(pyk::smaller(pyk_threads, n) - 1, y.shape[0]) + 1");
    EXPECT_EQ(count("(not ((i >= n) or (i >= size(y))))"), "pyk::smaller(pyk::smaller(pyk_threads, n), y.shape[0])");
    EXPECT_EQ(count("((i < n) or (i < size(y)))"), "") << "no limit alone";
    EXPECT_EQ(count("((i < n) and (t > 0.0:float32))"), "");
    EXPECT_EQ(count("(i == n)"), "") << "stored by one thread: no map";
}

TEST(Wide, OtherSpellingsOfTheIndex) {
    const char* const sums[] = {
        "(int64(@cuda.threadIdx.x:int32) + (int64(@cuda.blockIdx.x:int32) * int64(@cuda.blockDim.x:int32)))",
        "((int64(@cuda.blockDim.x:int32) * int64(@cuda.blockIdx.x:int32)) + int64(@cuda.threadIdx.x:int32))"};
    for (const std::string sum : sums)
        EXPECT_NE(entry_of("", "  i = " + sum + "\n  store y[i] = x[i]\n").elements_per_thread, 0) << sum;
    const std::string parts = "  var tx: int32\n  var bx: int32\n  var first: int64\n",
                      tx = "  tx = @cuda.threadIdx.x:int32\n", bx = "  bx = @cuda.blockIdx.x:int32\n",
                      first = "  first = (int64(bx) * int64(@cuda.blockDim.x:int32))\n",
                      sum = "  i = (int64(tx) + first)\n", store = "  store y[i] = x[i]\n";
    EXPECT_NE(entry_of(parts, tx + bx + first + sum + store).elements_per_thread, 0);
    EXPECT_EQ(entry_of(parts, tx + bx + first + sum + "  store y[i] = float32(tx)\n").not_pure,
              "it uses `tx` beside the index");
    EXPECT_EQ(entry_of(parts, bx + tx + first + "  i = first\n" + store).not_pure,
              "it has no index `i = cuda.grid(1)`");
    EXPECT_EQ(entry_of(parts, tx + "  tx = (tx + 1:int32)\n" + bx + first + sum + store).not_pure,
              "it has no index `i = cuda.grid(1)`");
    const char* const others[] = {"int64(@cuda.threadIdx.x:int32)", "@cuda.grid.y:int64", "(@cuda.grid.x:int64 + 1)"};
    for (const std::string other : others)
        EXPECT_EQ(entry_of("", "  i = " + other + "\n  store y[i] = x[i]\n").not_pure,
                  "it has no index `i = cuda.grid(1)`")
            << other;
}

struct Refusal {
    const char* locals;
    const char* statements;
    const char* why;
};
class WideRefusals : public testing::TestWithParam<Refusal> {};
TEST_P(WideRefusals, SayWhy) {
    const EntryPoint entry = entry_of(GetParam().locals, std::string(kIndex) + GetParam().statements);
    EXPECT_EQ(entry.not_pure, GetParam().why);
    EXPECT_EQ(entry.elements_per_thread, 0);
    EXPECT_EQ(entry.symbol, "pyk_k");
}
INSTANTIATE_TEST_SUITE_P(
    Each, WideRefusals,
    testing::Values(
        Refusal{"", "  store y[i] = x[(i + 1)]\n", "`x` has another index than `i`"},
        Refusal{"", "  store y[0] = x[i]\n", "`y` has another index than `i`"},
        Refusal{"", "  store y[wrap i] = x[i]\n", "`y` has another index than `i`"},
        Refusal{"", "  store s[i] = x[i]\n", "`s` is no contiguous array of one axis"},
        Refusal{"", "  store y[i] = m[i, 0]\n", "`m` is no contiguous array of one axis"},
        Refusal{"", "  if (x[i] > t) {\n    store y[i] = t\n  }\n", "`y` is not stored to by every thread"},
        Refusal{"  var k: int64\n", "  for k in range(0, 3, 1) {\n    store y[i] = x[i]\n  }\n", "it has a loop"},
        Refusal{"", "  store y[i] = call loop_f4(x[i])\n", "`loop` has a loop"},
        Refusal{"", "  store y[i] = float32(@pyk.range_at(0, 10, 1, n):int64)\n",
                "it may end its thread: by an index out of range, or None where a value is needed"},
        Refusal{"", "  if (x[i] > t) {\n    return\n  }\n  store y[i] = t\n",
                "its guard is more than the end of the index"},
        Refusal{"", "  store y[i] = t\n  if (t > x[i]) {\n    return\n  }\n", "it returns early"},
        Refusal{"", "  store y[i] = float32(@cuda.threadIdx.x:int32)\n", "it uses `cuda.threadIdx.x`"},
        Refusal{"", "  store y[i] = t\n  eval @cuda.syncthreads:none\n",
                "it does more than to load, compute and store"},
        Refusal{"  var v: float32\n", "  v = x[i]\n", "it stores nothing"},
        Refusal{"", "  t = (t + t)\n  store y[i] = t\n", "it assigns to its argument `t`"},
        Refusal{"", "  if (x[i] > t) {\n    t = x[i]\n  }\n  store y[i] = t\n", "it assigns to its argument `t`"},
        Refusal{"  shared w: float32[::1] shape(4)\n", "  store y[i] = x[i]\n", "it has the array `w` of its own"}));

// An array function's thread has several elements where the end of one is not the end of the others.
TEST(Wide, WhatMayEndItsThreadHasOneElement) {
    const auto text_of = [](const char* value) {
        return emit_text("module \"t.pyk\"\n\ndevice f = f_i8(x: int64) -> int64 {\n  return " + std::string(value) +
                             "\n}\n\narray f = pyk_f of f_i8(flat)\n",
                         cuda_target(), {});
    };
    EXPECT_THAT(text_of("(x + 1)"), HasSubstr("for_each_flat<true, "));
    EXPECT_THAT(text_of("@pyk.range_at(0, 10, 1, x):int64"), HasSubstr("for_each_flat<false, "));
}

}  // namespace
}  // namespace pyk::test
