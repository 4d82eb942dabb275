#include "emitted.h"

namespace pyk::test {
namespace {

TEST(EmitStatements, CompoundAssignment) {
    EXPECT_EQ(body("  var t: float32\n", R"(  t = x
  t = (t + (x * x))
  t = (t - (x - x))
  t = (x + t)
  t = float32((float64(t) * d))
  store a[n] = (a[n] + t)
  store a[n] = (a[0] + t)
  store s[0] = int32((int64(s[0]) TruncDiv n))
)"),
              R"(    float t = x;
    t += x * x;
    t -= x - x;
    t = x + t;
    t *= d;
    a(n) += t;
    a(n) = a(0) + t;
    s(0) /= n;
)");
}

TEST(EmitStatements, CompoundAssignmentInTheTypeOfTheOperation) {
    EXPECT_EQ(body("  var k: int64\n", R"(  k = n
  k = (k + int64((d * d)))
  k = (k CShr 1:uint64)
  store s[0] = int32((int64(s[0]) + int64(ii)))
  store s[k] = int32(k)
)"),
              R"(    long long k = n;
    k += (long long)(d * d);
    k >>= 1;
    s(0) += (long long)ii;
    s(k) = k;
)");
}

TEST(EmitStatements, Branches) {
    EXPECT_EQ(body("", R"(  if (n < 1) {
    store a[0] = x
  } else if (n < 2) {
    store a[1] = x
    store a[2] = x
  } else {
    store a[3] = x
  }
)"),
              R"(    if (n < 1) {
        a(0) = x;
    } else if (n < 2) {
        a(1) = x;
        a(2) = x;
    } else {
        a(3) = x;
    }
)");
}

TEST(EmitStatements, Jumps) {
    EXPECT_EQ(body("  var i: int64\n", R"(  if (n < 1) {
    return
  }
  for i in range(0, n, 2) {
    if flag {
      break
    }
    if (not flag) {
      continue
    } else {
      return
    }
  }
)"),
              R"(    if (n < 1) return;
    for (long long i = 0; i < n; i += 2) {
        if (flag) break;
        if (!flag)
            continue;
        else
            return;
    }
)");
}

TEST(EmitStatements, ABodyOfOneBranchKeepsItsBraces) {
    EXPECT_EQ(body("  var i: int64\n", R"(  for i in range(0, n, 1) {
    if flag {
      store a[i] = x
    }
  }
)"),
              R"(    for (long long i = 0; i < n; ++i) {
        if (flag)
            a(i) = x;
    }
)");
}

TEST(EmitStatements, Loops) {
    EXPECT_EQ(body("  var i: int32\n  var j: int64\n", R"(  for i in range(0:int32, ii, 1:int32) {
    eval @cuda.syncthreads:none
  }
  for j in range(n, -1, -2) {
    eval @cuda.syncthreads:none
  }
  for j in range(@cuda.grid.x:int64, n, @cuda.gridsize.x:int64) {
    eval @cuda.syncthreads:none
  }
  while True {
    break
  }
)"),
              R"(    for (int i = 0; i < ii; ++i)
        __syncthreads();
    for (long long j = n; j >= 0; j -= 2)
        __syncthreads();
    for (long long j = pyk::grid_x(); j < n; j += pyk::gridsize_x())
        __syncthreads();
    while (true)
        break;
)");
}

TEST(EmitStatements, EmptyBodies) { EXPECT_EQ(body("", "  if flag {\n  }\n"), "    if (flag) {\n    }\n"); }

}  // namespace
}  // namespace pyk::test
