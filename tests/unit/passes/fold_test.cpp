#include "passes/fold.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

void expect_folded(const std::string& before, const std::string& after) {
    const std::string head =
        "constant TPB: int64 = 16\nconstant debug: boolean = True\n"
        "kernel k = k_(n: int64, u: uint64, f: float32, b: boolean, a: int64[::1]) {\n"
        "var i: int64\nvar x: uint64\nvar y: float32\nvar z: float64\nvar c: boolean\nvar s: int32\n";
    expect_pass(fold, head + before + "\n}", head + after + "\n}");
}

TEST(Fold, IntegersAreNumbas) {
    expect_folded(R"(
i = ((24 * 60) + int64(2:int32))
i = (-7 // 2)
i = (-7 % 3)
i = (7 // 0)
i = (7 % 0)
i = (9223372036854775807 + 1)
i = (2 ** 10)
i = (1 << 40)
i = (-8 >> 1)
i = (- 5)
i = (~ 5)
x = (0:uint64 - 1:uint64)
s = int32(4294967297))",
                  R"(
i = 1442
i = -4
i = 2
i = 0
i = 0
i = -9223372036854775808
i = 1024
i = 1099511627776
i = -4
i = -5
i = -6
x = 18446744073709551615:uint64
s = 1:int32)");
}

TEST(Fold, AnOppositeIsAComparison) {
    expect_folded("c = (not (i < n))\nc = (not (y == f))\nc = (not boolean((i & 3)))\nc = (not (not b))",
                  "c = (i >= n)\nc = (y != f)\nc = ((i & 3) == 0)\nc = b");
    // Of NaN neither holds; a variable is its own question.
    const std::string stays = "c = (not (y < f))\nc = (not boolean(i))\nc = (not b)";
    expect_folded(stays, stays);
}

TEST(Fold, ATruthIsItsOwnAnswer) {
    expect_folded(
        "c = (b == True)\nc = (b == False)\nc = (True != b)\nc = (b != False)\nc = (True if b else False)\n"
        "c = (False if (i < n) else True)",
        "c = b\nc = (not b)\nc = (not b)\nc = b\nc = b\nc = (i >= n)");
    expect_folded("c = (not ((i == 3) or (i < n)))\nc = (not ((i == 3) and (y == f)))",
                  "c = ((i != 3) and (i >= n))\nc = ((i != 3) or (y != f))");
    expect_folded("c = (not ((i == 3) or (y < f)))", "c = (not ((i == 3) or (y < f)))");
}

TEST(Fold, AConvertedTupleIsOneOfConvertedItems) {
    expect_folded("z = item(convert<(float64, float64)>(tuple(i, y)), 0)", "z = float64(i)");
}

TEST(Fold, WhatIsUndefinedOrInfiniteStays) {
    const std::string text = R"(
i = (1 << 64)
i = (2 ** -1)
z = (1.0 / 0.0)
i = int64(1e+300)
z = (7.0 // 2.0))";
    expect_folded(text, text);
}

TEST(Fold, FloatsInTheirOwnPrecision) {
    expect_folded(R"(
z = (0.1 + 0.2)
y = (0.1:float32 + 0.2:float32)
y = float32(0.1)
y = float32(2)
z = float64(3)
i = int64(-2.9)
c = (1.5 < 2.5))",
                  R"(
z = 0.30000000000000004
y = 0.30000001192092896:float32
y = 0.10000000149011612:float32
y = 2.0:float32
z = 3.0
i = -2
c = True)");
}

TEST(Fold, NamedConstantsKeepTheirName) {
    const std::string text = R"(
i = ($TPB + 1)
y = float32($TPB)
if $debug {
  i = 1
})";
    expect_folded(text, text);
}

TEST(Fold, NeutralOperandsOfIntegers) {
    expect_folded(R"(
i = (n + 0)
i = (0 + n)
i = (n - 0)
i = (n * 1)
i = (1 * n)
i = (n // 1)
y = (f + 0.0:float32)
i = (0 - n)
i = (n * 0)
i = (int64(s) * 0)
i = (a[n] * 0))",
                  R"(
i = n
i = n
i = n
i = n
i = n
i = n
y = (f + 0.0:float32)
i = (0 - n)
i = 0
i = 0
i = (a[n] * 0))");
}

TEST(Fold, BranchesOnLiterals) {
    expect_folded(R"(
if True {
  i = 1
} else {
  i = 2
}
if (1 > 2) {
  i = 3
}
i = (n if (True and b) else 5)
i = (n if (False or True) else 5)
c = (b and True)
c = (b or True)
c = (not False)
i = item(tuple(n, 7), 1))",
                  R"(
i = 1
i = (n if b else 5)
i = n
c = b
c = (b or True)
c = True
i = 7)");
}

TEST(Fold, InSubscriptsAndBounds) {
    expect_folded(R"(
for i in range((0 + 1), (3 * 4), 1) {
  store a[wrap (i + (1 - 1))] = (2 + 3)
})",
                  R"(
for i in range(1, 12, 1) {
  store a[wrap i] = 5
})");
}

}  // namespace
}  // namespace pyk::test
