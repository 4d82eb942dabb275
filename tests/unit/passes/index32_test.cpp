#include "passes/index32.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

std::string kernel(const std::string& body, bool is_small) {
    return "kernel k = pyk_k(a: float32[:, ::1], b: float32[::1], s: float32[:, :], n: int64, m: int32)" +
           std::string(is_small ? " index32" : "") + " {\n" + body + "\n}";
}

void expect_shrunk(const std::string& before, const std::string& after) {
    expect_pass(index32, kernel(before, false), kernel(after, true));
}
void expect_left(const std::string& body) { expect_pass(index32, kernel(body, false), kernel(body, false)); }

TEST(Index32, ThreadsExtentsAndCounters) {
    expect_shrunk(R"(var i: int64
var k: int64
i = @cuda.grid.x:int64
if (i < (shape(a, 0) - 1)) {
  for k in range(0, shape(a, 1), 1) {
    store a[i, (k + 1)] = b[i]
  }
})",
                  R"(var i: int32
var k: int32
i = @cuda.grid.x.int32:int32
if (i < (int32(shape(a, 0)) - 1:int32)) {
  for k in range(0:int32, int32(shape(a, 1)), 1:int32) {
    store a[i, (k + 1:int32)] = b[i]
  }
})");
}

TEST(Index32, WhatMayNeedMoreBitsKeepsThem) {
    // A product of extents, a number from outside, a sum over a loop, and the extent of a part of an array in bytes.
    expect_shrunk(R"(var p: int64
var q: int64
var w: int64
p = (shape(a, 0) * shape(a, 1))
q = (n + 1)
w = 0
while (w < n) {
  w = (w + shape(b, 0))
}
store a[0, 0] = b[p]
store a[q, w] = b[q])",
                  R"(var p: int64
var q: int64
var w: int64
p = (shape(a, 0) * shape(a, 1))
q = (n + 1)
w = 0
while (w < n) {
  w = (w + shape(b, 0))
}
store a[0, 0] = b[p]
store a[q, w] = b[q])");
}

// The counter passes the end by a step at most: 2^30 - 1 + 2^30 is the greatest int32.
TEST(Index32, StridesOverTheGrid) {
    expect_shrunk(R"(var i: int64
for i in range(@cuda.grid.x:int64, shape(a, 0), @cuda.gridsize.x:int64) {
  store a[i, 0] = b[i]
})",
                  R"(var i: int32
for i in range(@cuda.grid.x.int32:int32, int32(shape(a, 0)), @cuda.gridsize.x.int32:int32) {
  store a[i, 0] = b[i]
})");
    expect_shrunk(R"(var i: int64
for i in range(@cuda.grid.x:int64, (shape(a, 0) + 1), @cuda.gridsize.x:int64) {
  store a[i, 0] = b[i]
})",
                  R"(var i: int64
for i in range(int64(@cuda.grid.x.int32:int32), int64((int32(shape(a, 0)) + 1:int32)), int64(@cuda.gridsize.x.int32:int32)) {
  store a[i, 0] = b[i]
})");
}

TEST(Index32, KernelsWithoutPlacesInArraysOfSeveralAxesStay) {
    expect_left("var i: int64\ni = @cuda.grid.x:int64\nstore b[i] = 0.0:float32");
    expect_left("var i: int64\ni = @cuda.grid.x:int64\nstore s[i, i] = 0.0:float32");
}

TEST(Index32, ArraysThatAreValuesStay) { expect_left("var x: float32[:, ::1]\nx = a\nstore x[0, 0] = a[0, 0]"); }

}  // namespace
}  // namespace pyk::test
