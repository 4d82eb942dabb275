#include "passes/lower_arithmetic.h"
#include "wraps.h"

namespace pyk::test {
namespace {

TEST(Ranges, LaunchIndicesAreNotNegative) {
    expect_wraps(R"(
store a[@cuda.grid.x:int64] = 0
store a[@cuda.threadIdx.x:int32] = 0
i = (int64(@cuda.threadIdx.x:int32) + (int64(@cuda.blockIdx.x:int32) * int64(@cuda.blockDim.x:int32)))
store a[i] = 0
store a[wrap (i - 1)] = 0
store a[(i + 1)] = 0
store a[(i * shape(b, 1))] = 0
store a[wrap (shape(b, 1) - 1)] = 0)");
}

TEST(Ranges, ParametersAndMemoryAreUnknown) {
    expect_wraps(R"(
store a[wrap n] = 0
store a[wrap m] = 0
store a[u] = 0
store a[w] = 0
store a[wrap int64(u)] = 0
store a[int64(w)] = 0
store a[wrap a[0]] = 0
store a[wrap int64(f)] = 0)");
}

TEST(Ranges, GuardsNarrow) {
    expect_wraps(R"(
i = n
if (i > 0) {
  store a[(i - 1)] = 0
  store a[wrap (i - 2)] = 0
} else {
  store a[wrap i] = 0
}
store a[wrap i] = 0
if ((i >= 2) and (a[(i - 2)] == 0)) {
  store a[(i - 2)] = 0
}
if ((i < 0) or (a[i] == 0)) {
  store a[wrap i] = 0
}
if (not (i < 1)) {
  store a[(i - 1)] = 0
}
if (0 <= i) {
  store a[i] = 0
}
if ((i + 3) >= 3) {
  store a[i] = 0
}
if (i == 4) {
  store a[(i - 4)] = 0
})");
}

TEST(Ranges, GuardsOfConvertedOperands) {
    expect_wraps(R"(
if (int64(m) >= 0) {
  store a[m] = 0
}
if (int8(n) >= 0:int8) {
  store a[wrap n] = 0
})");
}

TEST(Ranges, EarlyReturn) {
    expect_wraps(R"(
if (n < 0) {
  return
}
store a[n] = 0
n = (n - 1)
store a[wrap n] = 0)");
}

TEST(Ranges, HandlersFollowAnyPartOfTheBody) {
    expect_wraps(R"(
i = 1
j = 1
try {
  i = -1
  j = 5
  i = 2
  store a[i] = 0
} except {
  store a[wrap i] = 0
  store a[wrap j] = 0
  i = 3
}
store a[i] = 0)");
}

TEST(Ranges, ReturnInOneBranchOfMany) {
    expect_wraps(R"(
if (n < 0) {
  if (m > 0:int32) {
    return
  }
  x = 1
}
store a[wrap n] = 0)");
}

TEST(Ranges, Counters) {
    expect_wraps(R"(
for i in range(0, n, 1) {
  store a[i] = 0
  store a[wrap (i - 1)] = 0
}
for i in range(1, n, 1) {
  store a[(i - 1)] = 0
}
for i in range((n - 1), -1, -1) {
  store a[i] = 0
}
for i in range(n, -2, -1) {
  store a[wrap i] = 0
}
for i in range(-1, n, 1) {
  store a[wrap i] = 0
}
for i in range(0, n, a[0]) {
  store a[wrap i] = 0
})");
}

// `x[i * n + j]` for `j in range(n)`: the body runs where `n` is more than where the loop starts.
TEST(Ranges, WhatALoopCountsTo) {
    expect_wraps(R"(
for i in range(0, shape(a, 0), 1) {
  for j in range(0, n, 1) {
    store a[((i * n) + j)] = 0
    store a[n] = 0
    store a[wrap (n - 2)] = 0
  }
  store a[wrap (i * n)] = 0
}
for j in range(-5, n, 1) {
  store a[wrap n] = 0
}
for j in range(2, n, 1) {
  store a[(n - 2)] = 0
}
for j in range(0, n, a[0]) {
  store a[wrap n] = 0
}
x = a[0]
for j in range(0, x, 1) {
  store a[wrap x] = 0
  x = a[1]
}
store a[wrap n] = 0)");
}

TEST(Ranges, LoopsThatCountDown) {
    expect_wraps(R"(
i = 10
while (i > 0) {
  i = (i - 1)
  store a[i] = 0
}
store a[i] = 0
i = 10
while (i >= 0) {
  store a[i] = 0
  i = (i - 1)
}
store a[wrap i] = 0
i = 0
while (a[0] > 0) {
  store a[wrap i] = 0
  i = (i - 1)
})");
}

// What is set to numbers and moved by small steps counts something that memory holds.
TEST(Ranges, CountersOfTheAuthors) {
    expect_wraps(R"(
i = 0
for j in range(0, n, 1) {
  if (a[j] == 0) {
    store a[(i * 2)] = 0
    store a[((i * 2) + 1)] = 0
    i = (i + 1)
  }
}
x = 1
while (a[0] > 0) {
  store a[wrap (x * 2)] = 0
  x = (x * 2)
}
x = 0
while (a[0] > 0) {
  store a[wrap (x * 2)] = 0
  x = (x + 1)
  x = a[1]
})");
}

TEST(Ranges, WhatIsZeroAndOneInTurn) {
    expect_wraps(R"(
i = 0
for j in range(0, n, 1) {
  store a[i] = 0
  store a[(1 - i)] = 0
  i = (1 - i)
}
i = 0
for j in range(0, n, 1) {
  store a[wrap (1 - i)] = 0
  i = (i + 1)
})");
}

TEST(Ranges, LoopsWhoseRoundsFollowFromNumbers) {
    expect_wraps(R"(
i = 512
x = 1
while (i > 0) {
  store a[((x * ((2 * int64(w)) + 1)) - 1)] = 0
  store a[(2048 - (x * 2))] = 0
  x = (x * 2)
  i = (i // 2)
}
store a[(x - 1024)] = 0
store a[wrap (x - 1025)] = 0
store a[(i + 0)] = 0
store a[wrap (i - 1)] = 0
i = n
x = 1
while (i > 0) {
  store a[wrap (x - 1)] = 0
  x = (x * 2)
  i = (i // 2)
}
i = 512
x = 1
while (i > 0) {
  store a[wrap (x - 1)] = 0
  x = (x * 2)
  i = (i - a[0])
})");
}

TEST(Ranges, TablesHoldWhatTheyHold) {
    const std::string head =
        "constant T: readonly int32[::1] = shape(3) \"010000000000000002000000\"\n"
        "constant S: readonly int8[::1] = shape(2) \"ff01\"\n"
        "kernel k = k_(a: int64[::1], n: int64) {\n  var i: int64\n\n  i = @cuda.grid.x:int64\n";
    expect_pass(elide_wraps,
                head + "store a[wrap (i + int64($T[wrap n]))] = 0\nstore a[wrap (i + int64($S[wrap n]))] = 0\n}",
                head + "store a[(i + int64($T[wrap n]))] = 0\nstore a[wrap (i + int64($S[wrap n]))] = 0\n}");
}

TEST(Ranges, LoopsThatCountUp) {
    expect_wraps(R"(
i = 0
while (a[0] > 0) {
  store a[i] = 0
  i = (i + 1)
}
store a[i] = 0
while (i < n) {
  store a[i] = 0
  i = (i * 2)
}
i = @cuda.grid.x:int64
while (i < n) {
  store a[i] = 0
  i = (i + @cuda.gridsize.x:int64)
})");
}

TEST(Ranges, BranchesMeet) {
    expect_wraps(R"(
i = 5
if (f > 1.0) {
  i = -1
}
store a[wrap i] = 0
i = (3 if (f > 1.0) else 7)
store a[i] = 0
i = (3 if (f > 1.0) else n)
store a[wrap i] = 0
i = (n if (n >= 0) else 0)
store a[i] = 0)");
}

TEST(Ranges, BreakAndContinueCarryTheirValues) {
    expect_wraps(R"(
i = 5
for j in range(0, n, 1) {
  if (a[j] == 0) {
    i = -1
    break
  }
}
store a[wrap i] = 0
i = 5
for j in range(0, n, 1) {
  store a[wrap i] = 0
  if (a[j] == 0) {
    i = -1
    continue
  }
  i = 5
}
i = 5
for j in range(0, n, 1) {
  if (a[j] == 0) {
    i = -1
    return
  }
  store a[i] = 0
}
store a[i] = 0)");
}

TEST(Ranges, WhileTrueEndsByBreak) {
    expect_wraps(R"(
i = n
while True {
  if (i >= 0) {
    break
  }
  i = a[0]
}
store a[i] = 0)");
}

TEST(Ranges, ElseOfLoops) {
    expect_wraps(R"(
i = -1
while (i < 0) {
  i = a[0]
  if (f > 0.0) {
    break
  }
} else {
  store a[i] = 0
}
store a[wrap i] = 0)");
}

TEST(Ranges, NestedLoopsReachAFixedPoint) {
    expect_wraps(R"(
i = 0
x = 0
for j in range(0, n, 1) {
  while (x < n) {
    store a[i] = 0
    store a[wrap x] = 0
    x = (x + 1)
    i = (i + 1)
  }
  x = (x - 3)
})");
}

TEST(Ranges, DeepNestingGivesUpWhatItAssigns) {
    std::string text = "i = 0\nx = 0\n";
    for (int depth = 0; depth < 12; ++depth) text += "while (a[x] > 0) {\n";
    text += "store a[wrap i] = 0\ni = (i + 1)\n" + std::string(12, '}');
    expect_wraps(text);
}

TEST(Ranges, GuardsOfHalves) {
    expect_wraps(R"(
if (0 < (n >> 1)) {
  store a[(n - 2)] = 0
  store a[wrap (n - 3)] = 0
}
if ((n // 10) >= 3) {
  store a[(n - 30)] = 0
  store a[wrap (n - 31)] = 0
}
if ((n // 10) <= -1) {
  store a[((- n) - 1)] = 0
  store a[wrap ((- n) - 2)] = 0
})");
}

TEST(Ranges, BitsOfNumbersThatMayBeNegative) {
    expect_wraps(R"(
store a[((int64(m) & int64(m)) + 2147483648)] = 0
store a[((int64(m) ^ -5) + 2147483648)] = 0
store a[((int64(m) | int64(w)) + 2147483648)] = 0
store a[wrap ((int64(m) ^ 4294967296) + 2147483648)] = 0
store a[wrap ((int64(m) | n) + 2147483648)] = 0)");
}

TEST(Ranges, ArithmeticOfBitsAndRemainders) {
    expect_wraps(R"(
store a[(n & 255)] = 0
store a[(n % 16)] = 0
store a[wrap (n % -16)] = 0
store a[wrap (n % a[0])] = 0
store a[wrap (n // 2)] = 0
store a[wrap (n >> 1)] = 0
i = @cuda.grid.x:int64
store a[(i // 2)] = 0
store a[(i >> 3)] = 0
store a[(i ^ 1)] = 0
store a[(i | 7)] = 0
store a[(i << 4)] = 0
store a[wrap (i ^ n)] = 0
store a[wrap (i << n)] = 0
store a[wrap (i // n)] = 0
store a[wrap (- i)] = 0
store a[wrap (~ i)] = 0
store a[@abs(n):int64] = 0
store a[@max(n, 0):int64] = 0
store a[wrap @min(n, 5):int64] = 0
store a[@min(i, 5):int64] = 0)");
}

// As states of generators of random numbers, and places in rings.
TEST(Ranges, WhatALoopLeavesWhateverItGot) {
    expect_wraps(R"(
i = 1
j = 1
while (n > a[0]) {
  store a[(7 - i)] = 0
  store a[wrap (7 - j)] = 0
  i = (((i * 5) + 3) & 7)
  j = (j + 2)
  x = 0
  while (x < i) {
    store a[(7 - i)] = 0
    x = ((x + i) % 3)
    store a[(2 - x)] = 0
  }
}
store a[(7 - i)] = 0
store a[wrap (6 - i)] = 0)");
}

TEST(Ranges, UnsignedArithmeticWrapsButIsNotNegative) {
    expect_wraps(R"(
store a[(u - 1:uint64)] = 0
v = (u - 5:uint64)
store a[wrap int64(v)] = 0
v = (v & 1023:uint64)
store a[int64(v)] = 0
store a[wrap (int64(v) - 1)] = 0
if (u < 100:uint64) {
  store a[int64(u)] = 0
  store a[wrap int64((u - 1:uint64))] = 0
})");
}

/// `h = h * 31 + c` leaves its type in practice, and Python programs know: its remainder is taken as of any number.
TEST(Ranges, HashesAreTakenToWrap) {
    expect_wraps(R"(
i = 0
for j in range(0, n, 1) {
  i = ((i * 31) + int64(w))
}
store a[wrap i] = 0
x = 1
for j in range(0, n, 1) {
  x = (x + x)
}
store a[wrap x] = 0)");
}

// `s += i` is a place as long as arrays are; `s += i * i` leaves 64 bits where i counts to three million.
TEST(Ranges, SumsOfProductsOfCountersAreTakenToWrap) {
    expect_wraps(R"(
x = 0
for i in range(0, n, 1) {
x = (x + i)
store a[x] = 0
}
x = 0
for i in range(0, n, 1) {
x = (x + (i * i))
store a[wrap x] = 0
store a[(i * i)] = 0
store a[wrap ((i * i) * i)] = 0
})");
}

TEST(Ranges, ViewsAndReferences) {
    expect_pass(elide_wraps, R"(
kernel k = k_(a: float32[:, ::1], n: int64) {
  var row: float32[::1]
  row = view<float32[::1]>(a, wrap @cuda.grid.x:int64)
  row = view<float32[::1]>(a, wrap n, slice(_, n, _))
  eval @cuda.atomic.add(ref(a, wrap n, wrap @cuda.threadIdx.x:int32), 1.0:float32):float32
})",
                R"(
kernel k = k_(a: float32[:, ::1], n: int64) {
  var row: float32[::1]
  row = view<float32[::1]>(a, @cuda.grid.x:int64)
  row = view<float32[::1]>(a, wrap n, slice(_, n, _))
  eval @cuda.atomic.add(ref(a, wrap n, @cuda.threadIdx.x:int32), 1.0:float32):float32
})");
}

TEST(Ranges, UnassignedLocalsAreZero) {
    expect_wraps(R"(
if (f > 0.0) {
  i = 4
}
store a[i] = 0
store a[wrap (i - 1)] = 0)");
}

// --- lower_arithmetic -----------------------------------------------------------------------------------------------
void expect_lowered(const std::string& before, const std::string& after) {
    const std::string head =
        "kernel k = k_(a: int64[::1], n: int64, u: uint64, f: float32, s: int32) {\nvar i: int64\nvar x: uint64\nvar "
        "y: float32\n";
    expect_pass(lower_arithmetic, head + before + "\n}", head + after + "\n}");
}

TEST(LowerArithmetic, Division) {
    expect_lowered(R"(
x = uint64(((@cuda.grid.x:int64 // 16) + (@cuda.grid.x:int64 % 16)))
i = @cuda.grid.x:int64
i = ((i // 16) + (i % 16))
i = ((n // 16) + (n % 16))
i = (@cuda.grid.x:int64 // n)
i = (@cuda.grid.x:int64 % -3)
x = (u // 7:uint64)
x = (7:uint64 % u)
y = (f // 2.0:float32)
if (n > 0) {
  i = (@cuda.grid.x:int64 % n)
})",
                   R"(
x = uint64(((@cuda.grid.x:int64 TruncDiv 16) + (@cuda.grid.x:int64 TruncMod 16)))
i = @cuda.grid.x:int64
i = ((i CShr 4) + (i & 15))
i = ((n CShr 4) + (n & 15))
i = (@cuda.grid.x:int64 // n)
i = (@cuda.grid.x:int64 % -3)
x = (u TruncDiv 7:uint64)
x = (7:uint64 % u)
y = (f // 2.0:float32)
if (n > 0) {
  i = (@cuda.grid.x:int64 TruncMod n)
})");
}

TEST(LowerArithmetic, ChoicesAmongWholeNumbers) {
    expect_lowered(R"(
y = float32(@pyk.lesser(float64(s), 255.0):float64)
y = float32(@max(float64((u & 255:uint64)), float64(s)):float64)
y = float32(@max(@min(float64(s), 255.0):float64, float64((u & 7:uint64))):float64)
y = float32(@min(float64(u), 255.0):float64)
y = float32(@min(float64(n), 255.0):float64)
y = float32(@min(float64(s), 0.5):float64)
y = float32(@min(float64(f), 1.0):float64)
y = float32(@min(1.0, 2.0):float64))",
                   R"(
y = float32(float64(@min(int64(s), 255):int64))
y = float32(float64(@max(int64((u & 255:uint64)), int64(s)):int64))
y = float32(float64(@max(@min(int64(s), 255):int64, int64((u & 7:uint64))):int64))
y = float32(@min(float64(u), 255.0):float64)
y = float32(@min(float64(n), 255.0):float64)
y = float32(@min(float64(s), 0.5):float64)
y = float32(@min(float64(f), 1.0):float64)
y = float32(@min(1.0, 2.0):float64))");
}

TEST(LowerArithmetic, Shifts) {
    expect_lowered(R"(
i = ((n << 3) >> 63)
i = (n << 64)
i = (n >> -1)
i = (n << n)
i = (n >> (n & 31))
i = (n >> (n & 64))
x = (u << 63))",
                   R"(
i = ((n CShl 3) CShr 63)
i = (n << 64)
i = (n >> -1)
i = (n << n)
i = (n CShr (n & 31))
i = (n >> (n & 64))
x = (u CShl 63))");
}

TEST(LowerArithmetic, PowersOfMinusOne) {
    expect_lowered(R"(
i = (-1 ** n)
i = (-1 ** int64(s))
i = (-2 ** n)
y = (-1.0:float32 ** n)
x = (u ** u))",
                   R"(
i = (1 - (2 * (n & 1)))
i = (1 - (2 * (int64(s) & 1)))
i = (-2 ** n)
y = float32((1 - (2 * (n & 1))))
x = (u ** u))");
}

TEST(LowerArithmetic, Powers) {
    expect_lowered(R"(
i = (n ** 2)
i = (int64(s) ** 3)
i = (n ** 4)
i = (n ** -1)
i = (n ** n)
i = ((n + 1) ** 2)
i = ((n + 1) ** 3)
i = (n ** 1)
i = (n ** 0)
y = (f ** 2)
y = (f ** 0)
y = (f ** 2.0:float32)
y = ((f * f) ** 2))",
                   R"(
i = (n * n)
i = ((int64(s) * int64(s)) * int64(s))
i = (n ** 4)
i = (n ** -1)
i = (n ** n)
i = @pyk.square((n + 1)):int64
i = ((n + 1) ** 3)
i = n
i = 1
y = (f * f)
y = 1.0:float32
y = (f ** 2.0:float32)
y = @pyk.square((f * f)):float32)");
}

}  // namespace
}  // namespace pyk::test
