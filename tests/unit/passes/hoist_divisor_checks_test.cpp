// Divisors that a loop leaves alone are looked at before it.
#include "passes/hoist_divisor_checks.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

TEST(HoistDivisorChecks, OfWhatTheFirstIterationSurelyDividesBy) {
    expect_pass(hoist_divisor_checks, R"(
kernel k = k_(a: float64[::1], dx: float64, n: int64) {
  temp i: int64
  for i in range(1, n, 1) {
    store a[i] = ((a[i] / (dx * dx)) + (2.0:float64 / dx))
    store a[i] = (a[i] / dx)
  }
})",
                R"(
kernel k = k_(a: float64[::1], dx: float64, n: int64) {
  temp i: int64
  if ((1 < n) and ((dx * dx) == 0.0:float64)) {
    raise "ZeroDivisionError: division by zero"
  }
  if ((1 < n) and (dx == 0.0:float64)) {
    raise "ZeroDivisionError: division by zero"
  }
  for i in range(1, n, 1) {
    store a[i] = ((a[i] CDiv (dx * dx)) + (2.0:float64 CDiv dx))
    store a[i] = (a[i] CDiv dx)
  }
})");
}

TEST(HoistDivisorChecks, DownwardsAndBehindAssignments) {
    expect_pass(hoist_divisor_checks, R"(
kernel k = k_(a: float64[::1], dx: float64, n: int64) {
  temp i: int64
  var t: float64
  for i in range(n, 0, -2) {
    t = (a[i] * 2.0:float64)
    t = (t / dx)
    store a[i] = t
  }
})",
                R"(
kernel k = k_(a: float64[::1], dx: float64, n: int64) {
  temp i: int64
  var t: float64
  if ((n > 0) and (dx == 0.0:float64)) {
    raise "ZeroDivisionError: division by zero"
  }
  for i in range(n, 0, -2) {
    t = (a[i] * 2.0:float64)
    t = (t CDiv dx)
    store a[i] = t
  }
})");
}

TEST(HoistDivisorChecks, NotOfWhatTheLoopChangesOrReads) {
    expect_unchanged(hoist_divisor_checks, R"(
kernel k = k_(a: float64[::1], n: int64) {
  temp i: int64
  var t: float64
  t = 1.0:float64
  for i in range(0, n, 1) {
    store a[i] = ((a[i] / t) + (1.0:float64 / a[0]))
    t = a[i]
  }
})");
}

TEST(HoistDivisorChecks, NotBehindAStoreAConditionOrAnotherError) {
    expect_unchanged(hoist_divisor_checks, R"(
kernel k = k_(a: float64[::1], b: float64[::1], dx: float64, n: int64) {
  temp i: int64
  var t: float64
  for i in range(0, n, 1) {
    store a[i] = 1.0:float64
    store b[i] = (2.0:float64 / dx)
  }
  for i in range(0, n, 1) {
    if (a[i] > 0.0:float64) {
      store a[i] = (a[i] / dx)
    }
  }
  for i in range(0, n, 1) {
    t = ((a[i] / dx) if (a[i] > 0.0:float64) else 0.0:float64)
    store a[i] = (t / dx)
  }
  for i in range(0, n, 1) {
    t = (1.0:float64 / a[i])
    store a[i] = (t / dx)
  }
})");
}

TEST(HoistDivisorChecks, OfInnermostLoopsAlone) {
    expect_unchanged(hoist_divisor_checks, R"(
kernel k = k_(a: float64[::1], dx: float64, n: int64) {
  temp i: int64
  temp j: int64
  for i in range(0, n, 1) {
    store a[i] = (a[i] / dx)
    for j in range(0, i, 1) {
      store a[j] = a[i]
    }
  }
})");
}

}  // namespace
}  // namespace pyk::test
