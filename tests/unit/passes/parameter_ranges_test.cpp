// What callers pass, seen in the parameters of what they call and in its indices.
#include "pass_test.h"
#include "passes/passes.h"

namespace pyk::test {
namespace {

void raised_closed(ir::Module& module) { raise(module, {.closed = true}); }
void raised_open(ir::Module& module) { raise(module); }

const std::string kKernel = R"(
kernel k = k_(a: int64[::1], n: int32) effects(reads, writes) {
  var x: int64

  x = @cuda.grid.x:int64
  if (x < shape(a, 0)) {
    store a[x] = (call f(a, x) + call f(a, 7))
  }
})";

TEST(ParameterRanges, PlacesThatAllCallersPassNeedNoWrap) {
    expect_pass(raised_closed, R"(
device f = f(a: int64[::1], i: int64) -> int64 effects(reads) {
  return a[wrap i]
})" + kKernel,
                R"(
device f = f(a: int64[::1], i: int64 passed(0, 2199023254527)) -> int64 effects(reads) {
  return a[i]
})" + kKernel);
}

TEST(ParameterRanges, WhatOtherCodeMayCallGetsAnything) {
    const std::string text = R"(
device f = f(a: int64[::1], i: int64) -> int64 effects(reads) {
  return a[wrap i]
})" + kKernel;
    expect_pass(raised_open, text, text);
    const std::string exported = R"(
device f = f(a: int64[::1], i: int64) -> int64 exported effects(reads) {
  return a[wrap i]
})" + kKernel;
    expect_pass(raised_closed, exported, exported);
}

TEST(ParameterRanges, ThroughSeveralCalls) {
    expect_pass(raised_closed, R"(
device f = f(a: int64[::1], i: int64) -> int64 effects(reads) {
  return a[wrap i]
}
device g = g(a: int64[::1], i: int64, j: int64) -> int64 effects(reads) {
  return (call f(a, (i + 2)) + a[wrap j])
}
kernel k = k_(a: int64[::1], n: int32) effects(reads, writes) {
  store a[0] = call g(a, int64(@cuda.threadIdx.x:int32), int64(n))
})",
                R"(
device f = f(a: int64[::1], i: int64 passed(2, 1025)) -> int64 effects(reads) {
  return a[i]
}
device g = g(a: int64[::1], i: int64 passed(0, 1023), j: int64 passed(-2147483648, 2147483647) place) -> int64 effects(reads) {
  return (call f(a, (i + 2)) + a[wrap j])
}
kernel k = k_(a: int64[::1], n: int32) effects(reads, writes) {
  store a[0] = call g(a, int64(@cuda.threadIdx.x:int32), int64(n))
})");
}

TEST(ParameterRanges, WhatCallsItselfGetsAnything) {
    const std::string text = R"(
device f = f(a: int64[::1], i: int64) -> int64 effects(reads) {
  if (a[wrap i] > 0) {
    return call f(a, (i - 1))
  }
  return i
}
kernel k = k_(a: int64[::1], n: int32) effects(reads, writes) {
  store a[0] = call f(a, 5)
})";
    expect_pass(raised_closed, text, text);
}

}  // namespace
}  // namespace pyk::test
