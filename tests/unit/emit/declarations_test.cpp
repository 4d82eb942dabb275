// Where locals are declared.
#include "emitted.h"

namespace pyk::test {
namespace {

TEST(EmitDeclarations, AtTheFirstAssignment) {
    EXPECT_EQ(body("  var i: int64\n  var t: float32\n", R"(  i = n
  t = x
  t = (t + x)
  store a[i] = t
)"),
              R"(    const long long i = n;
    float t = x;
    t += x;
    a(i) = t;
)");
}

TEST(EmitDeclarations, InTheBlockThatUsesThem) {
    EXPECT_EQ(body("  var t: float32\n", R"(  if flag {
    t = x
    store a[n] = t
  }
)"),
              R"(    if (flag) {
        const float t = x;
        a(n) = t;
    }
)");
}

TEST(EmitDeclarations, BeforeTheBranchesThatAssignThem) {
    EXPECT_EQ(body("  var t: float32\n", R"(  if flag {
    t = x
  } else {
    t = 1:float32
  }
  store a[n] = t
)"),
              R"(    float t;
    if (flag)
        t = x;
    else
        t = 1.0f;
    a(n) = t;
)");
}

TEST(EmitDeclarations, OnceInEachBlockThatNeedsNoValueFromElsewhere) {
    EXPECT_EQ(body("  var t: float32\n", R"(  if flag {
    t = x
    store a[n] = t
  } else {
    t = 1:float32
    store a[0] = t
  }
)"),
              R"(    if (flag) {
        const float t = x;
        a(n) = t;
    } else {
        const float t = 1.0f;
        a(0) = t;
    }
)");
}

TEST(EmitDeclarations, ZeroWhereAPathDoesNotAssign) {
    EXPECT_EQ(body("  var t: float32 unassigned\n  var k: int64 unassigned\n", R"(  if flag {
    t = x
    k = 2
  }
  store a[k] = t
)"),
              R"(    float t = 0.0f;
    long long k = 0;
    if (flag) {
        t = x;
        k = 2;
    }
    a(k) = t;
)");
}

TEST(EmitDeclarations, OutsideOfALoopThatCarriesThem) {
    EXPECT_EQ(body("  var i: int64\n  var t: float32 unassigned\n", R"(  for i in range(0, n, 1) {
    if (i == 0) {
      t = x
    }
    store a[i] = t
  }
)"),
              R"(    float t = 0.0f;
    for (long long i = 0; i < n; ++i) {
        if (i == 0)
            t = x;
        a(i) = t;
    }
)");
}

TEST(EmitDeclarations, InsideOfALoopThatDoesNot) {
    EXPECT_EQ(body("  var i: int64\n  var t: float32\n", R"(  for i in range(0, n, 1) {
    if (i == 0) {
      t = x
    } else {
      t = 2:float32
    }
    store a[i] = t
  }
)"),
              R"(    for (long long i = 0; i < n; ++i) {
        float t;
        if (i == 0)
            t = x;
        else
            t = 2.0f;
        a(i) = t;
    }
)");
}

TEST(EmitDeclarations, WhileConditionsBelongToTheBlockAround) {
    EXPECT_EQ(body("  var k: int64\n", R"(  k = n
  while (k > 0) {
    k = (k - 1)
  }
)"),
              R"(    long long k = n;
    while (k > 0)
        k -= 1;
)");
}

TEST(EmitDeclarations, CountersOfLoopsThatFollowEachOther) {
    EXPECT_EQ(body("  var i: int64\n", R"(  for i in range(0, n, 1) {
    store a[i] = x
  }
  for i in range(n, 0, -1) {
    store a[i] = x
  }
)"),
              R"(    for (long long i = 0; i < n; ++i)
        a(i) = x;
    for (long long i = n; i > 0; --i)
        a(i) = x;
)");
}

TEST(EmitDeclarations, OneNameSeveralTypes) {
    EXPECT_EQ(body("  var t.1: int64\n  var t.2: float64\n", R"(  t.1 = n
  t.2 = (d * float64(t.1))
  store m[0, t.1] = t.2
)"),
              R"(    const long long t = n;
    const double t_1 = d * t;
    m(0, t) = t_1;
)");
}

TEST(EmitDeclarations, NumberedNamesAvoidTheAuthors) {
    EXPECT_EQ(body("  var t.1: int64\n  var t.2: float64\n  var t_1: int64\n", R"(  t.1 = n
  t.2 = (d * float64(t.1))
  t_1 = (n + t.1)
  store m[t_1, t.1] = t.2
)"),
              R"(    const long long t = n;
    const double t_2 = d * t;
    const long long t_1 = n + t;
    m(t_1, t) = t_2;
)");
}

TEST(EmitDeclarations, OneNameInSeparateBlocks) {
    EXPECT_EQ(body("  var t.1: int64\n  var t.2: float32\n", R"(  if flag {
    t.1 = n
    store a[t.1] = x
  } else {
    t.2 = x
    store a[0] = t.2
  }
)"),
              R"(    if (flag) {
        const long long t = n;
        a(t) = x;
    } else {
        const float t = x;
        a(0) = t;
    }
)");
}

TEST(EmitDeclarations, AReturnEndsAPath) {
    EXPECT_EQ(body("  var i: int64\n  var t: float32\n", R"(  for i in range(0, n, 1) {
    if flag {
      t = x
    } else {
      continue
    }
    store a[i] = t
  }
)"),
              R"(    for (long long i = 0; i < n; ++i) {
        float t;
        if (flag)
            t = x;
        else
            continue;
        a(i) = t;
    }
)");
}

}  // namespace
}  // namespace pyk::test
