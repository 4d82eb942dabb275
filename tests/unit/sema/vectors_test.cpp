// CUDA's vector types and Dim3: what they are made of, and what they are not.
#include "sema_test.h"

using namespace pyk::sema_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr std::string_view kParams = "a: float32[::1], n: int32, v: float32x2";

std::vector<std::string> said(std::string_view expr) { return findings(kParams, "a[0] = " + std::string(expr)); }

TEST(Vectors, AreMadeOfScalarsAndVectorsOfTheirComponent) {
    for (const char* expr : {"cuda.float32x4(v, v).w", "cuda.float3(n, v).z", "cuda.float4(v, 1, True).x",
                             "cuda.ulonglong1(2.5).x", "cuda.float2(cuda.float1(1), 2).y"})
        EXPECT_THAT(said(expr), IsEmpty()) << expr;
    EXPECT_THAT(said("cuda.float4(v, 1).x"),
                ElementsAre("1:8: error: `float32x4` does not take (float32x2, int64) [no-overload]"));
    EXPECT_THAT(said("cuda.double2(v).x"),
                ElementsAre("1:8: error: `float64x2` does not take (float32x2) [no-overload]"));
    EXPECT_THAT(said("cuda.float1(1j).x"),
                ElementsAre("1:8: error: `float32x1` does not take (complex128) [no-overload]"));
    EXPECT_THAT(said("cuda.float1(x=1).x"),
                ElementsAre("1:20: error: `float32x1` takes no keyword arguments [no-keywords]"));
}

TEST(Vectors, AreNoTuples) {
    EXPECT_THAT(said("v[0]"), ElementsAre("1:8: error: float32x2 cannot be subscripted [not-subscriptable]"));
    EXPECT_THAT(said("len(v)"), ElementsAre("1:8: error: `len` does not take (float32x2) [no-overload]"));
    EXPECT_THAT(said("v.z"), ElementsAre("1:10: error: `float32x2` has no attribute `z` [unknown-attribute]"));
    EXPECT_THAT(said("v + v"), ElementsAre(HasSubstr("[no-operator]")));
    EXPECT_THAT(said("v == v"), ElementsAre(HasSubstr("[no-operator]")));
    EXPECT_THAT(said("1 if v else 2"), ElementsAre(HasSubstr("[no-truth]")));
    EXPECT_THAT(said("1 in v"), ElementsAre(HasSubstr("[not-iterable]")));
    EXPECT_THAT(said("sum(v)"), ElementsAre(HasSubstr("[no-overload]")));
    EXPECT_THAT(findings(kParams, "p, q = v"), ElementsAre(HasSubstr("[cannot-unpack]")));
    EXPECT_THAT(findings(kParams, "for x in v: pass"), ElementsAre(HasSubstr("[not-iterable]")));
    EXPECT_THAT(findings(kParams, "v.x = 1"), ElementsAre(HasSubstr("assignments to attributes")));
    EXPECT_THAT(findings(kParams, "print(v)"), ElementsAre(HasSubstr("[no-overload]")));
    EXPECT_THAT(findings(kParams, "if n:\n    v = cuda.float3(v, 1)\na[0] = v.x"),
                ElementsAre(HasSubstr("[cannot-unify]"), HasSubstr("`v` became float32x3 here")));
}

TEST(Dim3, IsAValueWhereOneIsNeeded) {
    const std::string f = "@cuda.jit(device=True)\ndef f(t): return t.x\n";
    EXPECT_EQ(body(kParams, "t = cuda.threadIdx\na[t.y] = 1", f),
              "store a[wrap @cuda.threadIdx.y:int32] = 1.0:float32\n");
    EXPECT_THAT(findings(kParams, "a[0] = f(cuda.blockIdx)", f), IsEmpty());
    EXPECT_THAT(findings(kParams, "t = cuda.threadIdx\nif n:\n    t = cuda.blockIdx\na[0] = f(t)", f), IsEmpty());
    EXPECT_THAT(findings(kParams, "t = cuda.threadIdx\nfor i in range(n):\n    t = cuda.blockIdx\na[0] = t.z"),
                IsEmpty());
    EXPECT_THAT(findings(kParams, "t = cuda.threadIdx\nif n:\n    t = 1\na[0] = 2"), IsEmpty());
    EXPECT_THAT(findings(kParams, "t = (cuda.threadIdx, 1)\na[0] = t[0][1]"),
                ElementsAre(HasSubstr("Dim3 cannot be subscripted")));
}

}  // namespace
