// Expressions of whole arrays are one loop, where nothing can be seen of it.
#include "passes/fuse_array_loops.h"
#include "pass_test.h"

namespace pyk::test {
namespace {

// `t` is `x * 2`, and `u` what is made of it.
const std::string kHead = R"(
device g = g_a1f8(a: float64[:]) -> float64 effects(writes) {
  store a[0] = 1.0
  return 0.0
}
device f = f_(x: float64[:], y: float64[:]) -> float64[::1] effects(reads, writes, ordered) {
  temp t: float64[::1]
  temp u: float64[::1]
  temp v: float64[:]
  temp w: float64[:]
  temp i: int64
  temp j: int64
  temp s: float64
)";
const std::string kTwice = R"(
t = @pyk.new_array(shape(x, 0)):float64[::1]
v = @pyk.broadcast(x, t):float64[:]
for i in range(0, shape(t, 0), 1) {
store t[i] = (v[i] * 2.0)
}
)";
const std::string kMore = R"(
u = @pyk.new_array(shape(t, 0)):float64[::1]
w = @pyk.broadcast(t, u):float64[:]
for j in range(0, shape(u, 0), 1) {
store u[j] = (w[j] + 1.0)
}
)";

std::string function(const std::string& body, const std::string& result = "u", const std::string& locals = "") {
    return kHead + locals + body + "return " + result + "\n}";
}

void expect_fused(const std::string& between, const std::string& result = "u") {
    const std::string after = "n = shape(x, 0)\n" + between + R"(u = @pyk.new_array(n):float64[::1]
v = @pyk.broadcast(x, u):float64[:]
for j in range(0, shape(u, 0), 1) {
store u[j] = ((v[j] * 2.0) + 1.0)
}
)";
    expect_pass(fuse_array_loops, function(kTwice + between + kMore, result),
                function(after, result, "  temp n: int64\n"));
}
void expect_apart(const std::string& body, const std::string& result = "u") {
    expect_unchanged(fuse_array_loops, function(body, result));
}

TEST(FuseArrayLoops, ElementsAreComputedWhereTheyAreRead) { expect_fused(""); }

TEST(FuseArrayLoops, PastWhatChangesNothing) { expect_fused("s = x[0]\n"); }

TEST(FuseArrayLoops, NotPastStores) {
    expect_apart(kTwice + "store x[0] = 1.0\n" + kMore);
    expect_apart(kTwice + "s = call g_a1f8(x)\n" + kMore);
    expect_apart(kTwice + "x = y\n" + kMore);
}

TEST(FuseArrayLoops, NotWhatIsReadAgain) {
    expect_apart(kTwice + kMore, "t");
    expect_apart(kTwice + kMore + "s = t[0]\n");
    expect_apart(kTwice +
                 "u = @pyk.new_array(shape(t, 0)):float64[::1]\nw = @pyk.broadcast(t, u):float64[:]\n"
                 "for j in range(0, shape(u, 0), 1) {\nstore u[j] = (w[j] * w[j])\n}\n");
}

TEST(FuseArrayLoops, NotElementsOfOtherPlaces) {
    expect_apart(kTwice +
                 "u = @pyk.new_array(shape(t, 0)):float64[::1]\nw = @pyk.broadcast(t, u):float64[:]\n"
                 "for j in range(0, shape(u, 0), 1) {\nstore u[j] = w[0]\n}\n");
}

// The caller may have them in the same memory.
// What may overlap what is stored to is copied where it does.
TEST(FuseArrayLoops, IntoArraysOfTheCaller) {
    const std::string made = "u = @pyk.new_array(1):float64[::1]\n", into = "for j in range(0, shape(y, 0), 1) {\n";
    expect_pass(
        fuse_array_loops,
        function(kTwice + "w = @pyk.broadcast(t, y):float64[:]\n" + into + "store y[j] = (y[j] + w[j])\n}\n" + made),
        function("n = shape(x, 0)\noperand = @pyk.apart(x, y):float64[:]\nv = @pyk.broadcast(operand, y):float64[:]\n" +
                     into + "store y[j] = (y[j] + (v[j] * 2.0))\n}\n" + made,
                 "u", "  temp n: int64\n  temp operand: float64[:]\n"));
}

TEST(FuseArrayLoops, NotIntoOtherPartsOfAnOperand) {
    expect_apart("u = t\nv = view<float64[:]>(x, slice(1, _, _))\n" + kTwice +
                 "w = @pyk.broadcast(t, v):float64[:]\nfor j in range(0, shape(v, 0), 1) {\nstore v[j] = w[j]\n}\n");
}

// `for e in t: s = s + e`
const std::string kSum = R"(q = t
s = 0.0
for k in range(0, shape(q, 0), 1) {
e = q[k]
s = (s + e)
}
)";
const std::string kSumLocals = R"(  temp q: float64[::1]
  temp k: int64
  temp e: float64
  temp n: int64
)";

const std::string kKept = "u = @pyk.new_array(int64(s)):float64[::1]\n";

TEST(FuseArrayLoops, WhatRunsOverAllElementsComputesThem) {
    const std::string before = kTwice + kSum + "s = (s / float64(size(t)))\n", after = R"(n = shape(x, 0)
s = 0.0
v = @pyk.broadcast_to(x, n):float64[:]
for i in range(0, n, 1) {
e = (v[i] * 2.0)
s = (s + e)
}
s = (s / float64(n))
)";
    const std::string unnamed = kSumLocals.substr(0, kSumLocals.find("  temp n"));
    expect_pass(fuse_array_loops, function(before + kKept, "u", unnamed), function(after + kKept, "u", kSumLocals));
}

TEST(FuseArrayLoops, NotWhereItIsReadAgainOrLeftEarly) {
    const auto apart = [](const std::string& text) {
        expect_unchanged(fuse_array_loops, function(kTwice + text + kKept, "u", kSumLocals));
    };
    apart(kSum + "s = t[0]\n");
    std::string early = kSum;
    apart(early.insert(early.find("s = (s"), "if (e > 1.0) {\nbreak\n}\n"));
    std::string stores = kSum;
    apart(stores.insert(stores.find("s = (s"), "store x[0] = e\n"));
    std::string twice = kSum;
    apart(twice.insert(twice.find("s = (s"), "s = q[k]\n"));
}

}  // namespace
}  // namespace pyk::test
