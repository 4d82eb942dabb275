#include "passes/narrow.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

void expect_narrowed(const std::string& before, const std::string& after) {
    const std::string head =
        "constant TPB: int64 = 16\n"
        "kernel k = k_(a: int64[::1], n: int64, s: int32, w: uint8, q: uint32) {\nvar i: int64\nvar tx: int32\nvar c: "
        "boolean\n"
        "tx = @cuda.threadIdx.x:int32\n";
    expect_pass(narrow, head + before + "\n}", head + after + "\n}");
}

TEST(Narrow, WhatFits) {
    expect_narrowed(R"(
i = (int64(tx) + 1)
i = ((int64(tx) * 2) - int64(w))
i = (int64(tx) TruncMod 32)
i = (int64(s) & 255)
i = (int64(s) // 16)
i = (int64(s) CShr 4)
i = (int64(s) % int64(s))
i = (- int64(tx)))",
                    R"(
i = int64((tx + 1:int32))
i = int64(((tx * 2:int32) - int32(w)))
i = int64((tx TruncMod 32:int32))
i = int64((s & 255:int32))
i = int64((s // 16:int32))
i = int64((s CShr 4:int32))
i = int64((s % s))
i = int64((- tx)))");
}

TEST(Narrow, ShiftsAndTruths) {
    expect_narrowed(R"(
i = int64((uint64(w) CShr 3))
i = int64((uint64(w) CShl 3))
i = (int64((s < 1:int32)) + int64((s < 2:int32)))
i = (int64(s) CShl 3)
i = (int64(tx) CShl 40))",
                    R"(
i = int64((int32(w) CShr 3:int32))
i = int64((int32(w) CShl 3:int32))
i = int64((int32((s < 1:int32)) + int32((s < 2:int32))))
i = (int64(s) CShl 3)
i = (int64(tx) CShl 40))");
}

TEST(Narrow, LeastGreatestAndAbsolute) {
    expect_narrowed(R"(
i = @min(255, (int64(s) + 1)):int64
i = @min(255, int64(tx)):int64
i = @max(int64(w), int64(w)):int64
i = @max(int64(w), int64(tx)):int64
i = @abs((int64(w) - 300)):int64
i = @abs(int64(s)):int64
i = @min(n, int64(tx)):int64
i = @min(4294967296, int64(tx)):int64)",
                    R"(
i = @min(255, (int64(s) + 1)):int64
i = int64(@min(255:int32, tx):int32)
i = int64(@max(w, w):uint8)
i = int64(@max(int32(w), tx):int32)
i = int64(@abs((int32(w) - 300:int32)):int32)
i = @abs(int64(s)):int64
i = @min(n, int64(tx)):int64
i = @min(4294967296, int64(tx)):int64)");
}

TEST(Narrow, SumsOfUnsignedNumbers) {
    expect_narrowed(R"(
i = int64((uint64(w) + uint64(w)))
i = (int64(((uint64(w) + uint64(w)) * 3:uint64)) // 9)
i = int64((uint64(w) - uint64(q)))
i = int64((uint64(q) + uint64(w)))
c = (uint64(w) < 5:uint64))",
                    R"(
i = int64((int32(w) + int32(w)))
i = int64((((int32(w) + int32(w)) * 3:int32) // 9:int32))
i = int64((uint64(w) - uint64(q)))
i = int64((uint64(q) + uint64(w)))
c = (int32(w) < 5:int32))");
}

TEST(Narrow, DetoursByFloats) {
    expect_narrowed(R"(
i = int64(float64(w))
i = int64(uint8(float64(@min(255, int64((uint64(w) + uint64(w)))):int64)))
i = int64(uint8(float64(s)))
i = int64(float64(n)))",
                    R"(
i = int64(w)
i = int64(@min(255:int32, (int32(w) + int32(w))):int32)
i = int64(uint8(float64(s)))
i = int64(float64(n)))");
}

// A division of 64 bits costs more than what is written around a constant.
TEST(Narrow, DividendsWithConstants) {
    expect_narrowed(R"(
i = ((int64(tx) + $TPB) TruncMod $TPB)
i = (((int64(tx) * $TPB) + $TPB) TruncDiv 7)
i = ((int64(tx) + $TPB) TruncMod n))",
                    R"(
i = int64(((tx + int32($TPB)) TruncMod int32($TPB)))
i = int64((((tx * int32($TPB)) + int32($TPB)) TruncDiv 7:int32))
i = ((int64(tx) + $TPB) TruncMod n))");
}

TEST(Narrow, WhatMayNotFitStays) {
    const std::string text = R"(
c = (uint64(s) < 5:uint64)
i = (int64(s) + 1)
i = (int64(s) * int64(s))
i = (int64(s) CShr 40)
i = (int64(tx) + 4294967296)
i = (int64(q) + 1)
i = (n + 1)
i = (int64(tx) + $TPB)
i = (int64(s) << 1)
i = (int64(s) // int64(s))
i = (- int64(s)))";
    expect_narrowed(text, text);
}

TEST(Narrow, GuardsMakeItFit) {
    expect_narrowed(R"(
if (int64(s) < 1000) {
  i = (int64(s) + 1)
})",
                    R"(
if (s < 1000:int32) {
  i = int64((s + 1:int32))
})");
}

TEST(Narrow, Comparisons) {
    expect_narrowed(R"(
c = (int64(s) < 5)
c = (int64(w) == int64(s))
c = (int64(s) < 5000000000)
c = (int64(q) < 5))",
                    R"(
c = (s < 5:int32)
c = (int32(w) == s)
c = (int64(s) < 5000000000)
c = (q < 5:uint32))");
}

TEST(Narrow, Detours) {
    expect_narrowed(R"(
for i in range(0, 100, 1) {
  store a[int32(i)] = int64(int32(i))
}
store a[wrap int32(n)] = int64(int32(n)))",
                    R"(
for i in range(0, 100, 1) {
  store a[i] = i
}
store a[wrap int32(n)] = int64(int32(n)))");
}

}  // namespace
}  // namespace pyk::test
