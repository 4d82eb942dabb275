// What comparisons, loops and assignments say of two integers, seen through the indices that need not wrap.
#include "wraps.h"

namespace pyk::test {
namespace {

/// i, j, x and n may be negative, but none is so great that a difference wraps.
void expect_wraps_of_unknown(const std::string& after) {
    expect_wraps(R"(
i = (@cuda.grid.x:int64 - 1000)
j = (@cuda.grid.y:int64 - 1000)
x = (@cuda.grid.z:int64 - 1000)
n = int64(m)
v = uint64(w))" + after);
}

TEST(Differences, AGuardOfTwoVariables) {
    expect_wraps_of_unknown(R"(
if (i < n) {
  store a[((n - 1) - i)] = 0
  store a[((n - i) - 1)] = 0
  store a[wrap ((n - i) - 2)] = 0
  store a[wrap (i - n)] = 0
} else {
  store a[(i - n)] = 0
  store a[wrap ((i - n) - 1)] = 0
  store a[wrap (n - i)] = 0
}
store a[wrap (n - i)] = 0
if (i == n) {
  store a[(n - i)] = 0
  store a[(i - n)] = 0
}
if (i != n) {
  store a[wrap (n - i)] = 0
})");
}

TEST(Differences, NumbersAreCarriedAlong) {
    expect_wraps_of_unknown(R"(
if ((i + 3) <= n) {
  store a[(n - i)] = 0
  store a[((n - i) - 3)] = 0
  store a[wrap ((n - i) - 4)] = 0
  store a[((n - 1) - (i + 2))] = 0
})");
}

TEST(Differences, GuardsOfDifferences) {
    expect_wraps_of_unknown(R"(
c = @cuda.threadIdx.x:int32
if (c >= m) {
  store a[(int64(c) - n)] = 0
  store a[(c - m)] = 0
}
if (int64(@cuda.threadIdx.x:int32) > n) {
  store a[((int64(@cuda.threadIdx.x:int32) - n) - 1)] = 0
}
if ((i < n) and (n <= j)) {
  store a[(j - i)] = 0
  store a[((j - i) - 1)] = 0
  store a[wrap ((j - i) - 2)] = 0
}
if (v >= u) {
  store a[int64((v - u))] = 0
})");
}

TEST(Differences, GuardsThatAdd) {
    expect_wraps_of_unknown(R"(
if (((i + j) - 1) >= 0) {
  store a[((i + j) - 1)] = 0
  store a[(i + j)] = 0
  store a[wrap ((i + j) - 2)] = 0
  store a[wrap (i - j)] = 0
  i = (i - 1)
  store a[(i + j)] = 0
  store a[wrap ((i + j) - 1)] = 0
  j = (j + 2)
  store a[((i + j) - 2)] = 0
  store a[wrap ((i + j) - 3)] = 0
  j = x
  store a[wrap (i + j)] = 0
} else {
  store a[wrap (i + j)] = 0
}
if ((x + x) >= 4) {
  x = (x - 1)
  store a[((x + x) - 2)] = 0
  store a[wrap ((x + x) - 3)] = 0
})");
}

TEST(Differences, GuardsThatSubtract) {
    expect_wraps_of_unknown(R"(
if ((i - j) >= 2) {
  store a[(i - j)] = 0
  store a[((i - j) - 2)] = 0
  store a[wrap ((i - j) - 3)] = 0
} else {
  store a[((j - i) + 1)] = 0
  store a[wrap (j - i)] = 0
}
if ((u - v) > 1:uint64) {
  store a[wrap (int64(w) - i)] = 0
})");
}

TEST(Differences, ThreadsAreInTheirBlocks) {
    expect_wraps_of_unknown(R"(
store a[((@cuda.blockDim.x:int32 - 1:int32) - @cuda.threadIdx.x:int32)] = 0
store a[wrap ((@cuda.blockDim.x:int32 - 2:int32) - @cuda.threadIdx.x:int32)] = 0
store a[wrap ((@cuda.blockDim.x:int32 - 1:int32) - @cuda.threadIdx.y:int32)] = 0
store a[((@cuda.gridsize.x:int64 - 1) - @cuda.grid.x:int64)] = 0
c = @cuda.threadIdx.x:int32
store a[((@cuda.blockDim.x:int32 - c) - 1:int32)] = 0)");
}

TEST(Differences, ExtentsAndTheirNames) {
    expect_wraps_of_unknown(R"(
n = shape(a, 0)
if (i < n) {
  store a[((shape(a, 0) - i) - 1)] = 0
}
if (j < size(a)) {
  store a[((n - 1) - j)] = 0
}
if (x < shape(b, 1)) {
  store b[wrap ((shape(b, 0) - 1) - x), ((shape(b, 1) - 1) - x)] = 0.0:float32
})");
}

TEST(Differences, AssignmentsEndAndMoveThem) {
    expect_wraps_of_unknown(R"(
if (i < n) {
  i = (i + 1)
  store a[(n - i)] = 0
  store a[wrap ((n - i) - 1)] = 0
  j = (i - 2)
  store a[(n - j)] = 0
  store a[((n - j) - 2)] = 0
  store a[wrap ((n - j) - 3)] = 0
  n = a[0]
  store a[wrap (n - i)] = 0
}
j = i
i = (i - 4)
store a[(j - i)] = 0
store a[((j - i) - 4)] = 0
store a[wrap ((j - i) - 5)] = 0)");
}

TEST(Differences, CountersAreBetweenTheirBounds) {
    expect_wraps_of_unknown(R"(
for i in range(n, j, 1) {
  store a[(i - n)] = 0
  store a[((j - i) - 1)] = 0
  store a[wrap ((j - i) - 2)] = 0
}
for i in range((n + 2), j, 1) {
  store a[((i - n) - 2)] = 0
}
for i in range(n, j, -1) {
  store a[(n - i)] = 0
  store a[((i - j) - 1)] = 0
  store a[wrap (i - n)] = 0
}
for i in range(n, j, a[0]) {
  store a[wrap (i - n)] = 0
}
store a[wrap (i - n)] = 0)");
}

TEST(Differences, BoundsThatTheLoopChangesAreNone) {
    expect_wraps_of_unknown(R"(
for i in range(n, j, 1) {
  store a[wrap (i - n)] = 0
  store a[wrap (j - i)] = 0
  n = (n + 1)
  j = a[wrap i]
}
for i in range(i, n, 1) {
  store a[((n - i) - 1)] = 0
})");
}

TEST(Differences, LoopsKeepWhatTheyDoNotAssign) {
    expect_wraps_of_unknown(R"(
if (i < n) {
  x = 0
  while (x < 10) {
    store a[((n - 1) - i)] = 0
    store a[wrap (j - x)] = 0
    x = (x + 1)
    j = (x + 1)
  }
  while (x > 0) {
    store a[wrap (n - i)] = 0
    i = (i + x)
    x = (x - 1)
  }
  store a[wrap (n - i)] = 0
})");
}

TEST(Differences, TheConditionOfALoop) {
    expect_wraps_of_unknown(R"(
i = 0
j = shape(a, 0)
while (i < j) {
  x = (i + ((j - i) // 2))
  if (a[x] < n) {
    i = (x + 1)
  } else {
    j = x
  }
}
while True {
  if (i >= n) {
    break
  }
  store a[((n - i) - 1)] = 0
  i = (i + 1)
}
store a[(i - n)] = 0)");
}

TEST(Differences, WaysThatMeetKnowWhatBothDo) {
    expect_wraps_of_unknown(R"(
if (f > 1.0) {
  j = (i + 2)
} else {
  j = (i + 5)
}
store a[(j - i)] = 0
store a[((j - i) - 2)] = 0
store a[wrap ((j - i) - 3)] = 0
store a[((i - j) + 5)] = 0
store a[wrap ((i - j) + 4)] = 0
if (f > 2.0) {
  j = a[0]
}
store a[wrap (j - i)] = 0
if ((i < n) or (f > 1.0)) {
  store a[wrap (n - i)] = 0
}
if (n <= i) {
  return
}
store a[((n - i) - 1)] = 0)");
}

TEST(Differences, HandlersFollowAnyPartOfTheBody) {
    expect_wraps_of_unknown(R"(
if (i < n) {
  try {
    store a[((n - i) - 1)] = 0
    i = (n + 5)
  } except {
    store a[wrap (n - i)] = 0
  }
  store a[wrap (n - i)] = 0
})");
}

// A sum with a large number may have wrapped, and so may the difference of any two numbers.
TEST(Differences, WhatMayWrapSaysNothing) {
    expect_wraps_of_unknown(R"(
if ((i + 4611686018427387904) < n) {
  store a[wrap (n - i)] = 0
}
if (v < (u - 1:uint64)) {
  store a[wrap int64((u - v))] = 0
})");
}

// `min(i, n - 1)` is -1 in an axis that has no elements, where every index is out of range.
TEST(Places, ClampedToTheAxis) {
    expect_wraps_of_unknown(R"(
i = @cuda.grid.x:int64
n = shape(a, 0)
store a[@min((i + 1), (n - 1)):int64] = 0
store a[@min(@max((j - 1), 0):int64, (shape(a, 0) - 1)):int64] = 0
store a[wrap @min((i + 1), (n - 2)):int64] = 0
store a[wrap @min((j + 1), (n - 1)):int64] = 0
store a[((i - 1) if (i > 0) else (n - 1))] = 0
store b[wrap @min(i, (n - 1)):int64, @min(i, (shape(b, 1) - 1)):int64] = 0.0:float32
x = @min((i + 1), (n - 1)):int64
store a[x] = 0
x = (x - 1)
store a[wrap x] = 0)");
}

TEST(Places, ClampedByStatements) {
    expect_wraps_of_unknown(R"(
n = shape(a, 0)
if (i < 0) {
  i = 0
}
if (i >= n) {
  i = (n - 1)
}
store a[i] = 0
store b[wrap i, 0] = 0.0:float32
if (f > 1.0) {
  i = a[0]
}
store a[wrap i] = 0)");
}

TEST(Places, OfAnAxisThatIsAnotherOne) {
    expect_wraps_of_unknown(R"(
n = shape(a, 0)
x = @min(@cuda.grid.x:int64, (n - 1)):int64
n = shape(b, 0)
store a[wrap x] = 0
store b[wrap x, wrap x] = 0.0:float32
x = @min(@cuda.grid.x:int64, (n - 1)):int64
for j in range(0, 4, 1) {
  store b[wrap x, 0] = 0.0:float32
  x = (x - 1)
}
x = @min(@cuda.grid.x:int64, (n - 1)):int64
for j in range(0, 4, 1) {
  store b[x, 0] = 0.0:float32
})");
}

}  // namespace
}  // namespace pyk::test
