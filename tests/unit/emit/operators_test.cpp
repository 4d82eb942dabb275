// Parentheses and casts: what C++ reads as the IR means it, and no more.
#include "emitted.h"

namespace pyk::test {
namespace {

// m holds float64, a float32, s int32.
std::string f8(std::string_view value) { return stored("m[0, 0]", value); }
std::string f4(std::string_view value) { return stored("a[0]", value); }
std::string i4(std::string_view value) { return stored("s[0]", value); }
/// An int64 in a place of its own.
std::string i8(std::string_view value) {
    const std::string text = body("  var r: int64\n", "  r = " + std::string(value) + "\n  store s[0] = int32(r)\n");
    const size_t begin = text.find(" = ") + 3;
    return text.substr(begin, text.find(';') - begin);
}
std::string condition(std::string_view value) {
    const std::string text = body("", "  if " + std::string(value) + " {\n    return\n  }\n");
    return text.substr(text.find('(') + 1, text.rfind(')') - text.find('(') - 1);
}

TEST(EmitOperators, ParenthesesOnlyWhereTheyAreNeeded) {
    EXPECT_EQ(f8("((d + (d * d)) - d)"), "d + d * d - d");
    EXPECT_EQ(f8("(d - (d + d))"), "d - (d + d)");
    EXPECT_EQ(f8("((d + d) * d)"), "(d + d) * d");
    EXPECT_EQ(f8("(d TrueDiv (d * d))"), "d / (d * d)");
    EXPECT_EQ(f8("(- (- d))"), "-(-d)");
    EXPECT_EQ(f8("((- d) * d)"), "-d * d");
    EXPECT_EQ(f8("(- (d * d))"), "-(d * d)");
}

TEST(EmitOperators, ParenthesesWhereReadersStumble) {
    EXPECT_EQ(i8("((n & 3) | (n & 4))"), "(n & 3) | (n & 4)");
    EXPECT_EQ(i8("((n | 3) | 4)"), "n | 3 | 4");
    EXPECT_EQ(i8("(n & (n + 1))"), "n & (n + 1)");
    EXPECT_EQ(i8("((n + 1) CShl 2:uint64)"), "(n + 1) << 2");
    EXPECT_EQ(condition("((n < 3) == (n < 4))"), "(n < 3) == (n < 4)");
    EXPECT_EQ(condition("((not flag) == flag)"), "(!flag) == flag");
}

TEST(EmitOperators, AndInsideOr) {
    EXPECT_EQ(condition("(((n < 1) and flag) or (n > 2))"), "(n < 1 && flag) || n > 2");
    EXPECT_EQ(condition("(((n < 1) or flag) and (n > 2))"), "(n < 1 || flag) && n > 2");
    EXPECT_EQ(condition("(((n < 1) and flag) and (n > 2))"), "n < 1 && flag && n > 2");
    EXPECT_EQ(condition("(not ((n < 1) and flag))"), "!(n < 1 && flag)");
}

TEST(EmitOperators, WideningByTheOtherOperand) {
    EXPECT_EQ(i8("(n + int64(ii))"), "n + ii");
    EXPECT_EQ(i8("(int64(ii) * $N)"), "ii * N");
    EXPECT_EQ(f8("(float64(x) * d)"), "x * d");
    EXPECT_EQ(f8("(float64(n) TrueDiv d)"), "n / d");
    EXPECT_EQ(f4("(float32(ii) * x)"), "ii * x");
}

TEST(EmitOperators, WideningThatNeedsACast) {
    EXPECT_EQ(i8("(int64(ii) + int64(ii))"), "(long long)ii + ii");
    EXPECT_EQ(i8("((int64(ii) + int64(ii)) + int64(ii))"), "(long long)ii + ii + ii");
    EXPECT_EQ(i8("(int64(ii) + 1)"), "ii + 1LL");
    EXPECT_EQ(i8("(int64(uu) * int64(ii))"), "(long long)uu * ii");
    EXPECT_EQ(f8("(float64(n) TrueDiv float64(n))"), "double(n) / n");
    EXPECT_EQ(f8("(float64(x) * float64(x))"), "double(x) * x");
    EXPECT_EQ(i8("(int64(d) + n)"), "(long long)d + n");
    EXPECT_EQ(i8("(int64((d * d)) + n)"), "(long long)(d * d) + n");
    EXPECT_EQ(f4("(float32(d) * x)"), "float(d) * x");
}

TEST(EmitOperators, NoCastWhereTheContextConverts) {
    EXPECT_EQ(f4("float32((d * d))"), "d * d");
    EXPECT_EQ(i4("int32(n)"), "n");
    EXPECT_EQ(f8("float64(n)"), "n");
    EXPECT_EQ(i8("int64(int32(d))"), "int(d)");
}

TEST(EmitOperators, NarrowArithmeticHappensInInt) {
    EXPECT_EQ(i8("int64((- bb))"), "(signed char)-bb");
    EXPECT_EQ(i4("int32((bb & bb))"), "bb & bb");
    EXPECT_EQ(i8("int64((~ uu))"), "~uu");
}

TEST(EmitOperators, Comparisons) {
    EXPECT_EQ(condition("(n < 5)"), "n < 5");
    EXPECT_EQ(condition("(int64(ii) < n)"), "ii < n");
    EXPECT_EQ(condition("(int64(ii) < int64(bb))"), "ii < bb");
    EXPECT_EQ(condition("(int64(uu) < int64(ii))"), "(long long)uu < ii");
    EXPECT_EQ(condition("(float64(n) < float64(uw))"), "double(n) < uw");
    EXPECT_EQ(condition("(d > 0.5)"), "d > 0.5");
    EXPECT_EQ(condition("(@cuda.threadIdx.x:int32 == 0:int32)"), "threadIdx.x == 0");
    EXPECT_EQ(condition("(@cuda.threadIdx.x:int32 > -1:int32)"), "int(threadIdx.x) > -1");
    EXPECT_EQ(condition("(ii < @cuda.gridDim.x:int32)"), "ii < int(gridDim.x)");
    EXPECT_EQ(condition("(int64(@cuda.threadIdx.x:int32) < n)"), "threadIdx.x < n");
}

TEST(EmitOperators, TruthOfNumbers) {
    EXPECT_EQ(condition("boolean(n)"), "n");
    EXPECT_EQ(condition("boolean((n TruncMod 2))"), "n % 2 != 0");
    EXPECT_EQ(condition("(not boolean(n))"), "!n");
    EXPECT_EQ(condition("(boolean(n) and boolean((n & 1)))"), "n && (n & 1) != 0");
    EXPECT_EQ(condition("(boolean(n) == flag)"), "(n != 0) == flag");
}

TEST(EmitOperators, Selections) {
    EXPECT_EQ(f4("(x if flag else 0:float32)"), "flag ? x : 0.0f");
    EXPECT_EQ(f8("((d if flag else 1.0) * d)"), "(flag ? d : 1.0) * d");
    EXPECT_EQ(f8("(d if flag else (1.0 if (n < 2) else 2.0))"), "flag ? d : n < 2 ? 1.0 : 2.0");
    EXPECT_EQ(i8("(int64(ii) if flag else n)"), "flag ? ii : n");
    EXPECT_EQ(i8("(1 if flag else 2)"), "flag ? 1 : 2");
    EXPECT_EQ(i8("(int64(d) if flag else int64(x))"), "flag ? (long long)d : (long long)x");
}

TEST(EmitOperators, Shifts) {
    EXPECT_EQ(i8("(1 CShl uint64(n))"), "1LL << n");
    EXPECT_EQ(i8("(n CShr 3:uint64)"), "n >> 3");
    EXPECT_EQ(i8("(int64(ii) CShl 3:uint64)"), "(long long)ii << 3");
    EXPECT_EQ(i8("(n << uint64(n))"), "pyk::shl(n, (unsigned long long)n)");
}

TEST(EmitOperators, PythonsOwn) {
    EXPECT_EQ(i8("(n // int64(ii))"), "pyk::floor_div(n, (long long)ii)");
    EXPECT_EQ(i8("(n % 3)"), "pyk::mod(n, 3LL)");
    EXPECT_EQ(f8("(d ** 2)"), "pyk::pow(d, 2LL)");
}

// A divisor that C++ compilers know is multiplied by.
TEST(EmitOperators, DivisionsOf64BitsAreCallsOnTheCpu) {
    const auto on_cpu = [](std::string_view value) {
        return emit_text(kernel_ir("", "  store s[0] = int32(" + std::string(value) + ")\n"), cpu_target());
    };
    EXPECT_NE(on_cpu("(n TruncMod int64(uu))").find("pyk::positive_mod(n, (long long)uu)"), std::string::npos);
    EXPECT_NE(on_cpu("(n TruncDiv n)").find("pyk::positive_div(n, n)"), std::string::npos);
    EXPECT_NE(on_cpu("(n TruncDiv 3)").find("n / 3"), std::string::npos);
    EXPECT_NE(on_cpu("int64((ii TruncMod ii))").find("ii % ii"), std::string::npos);
    EXPECT_EQ(i8("(n TruncMod int64(uu))"), "n % uu");
}

TEST(EmitOperators, Literals) {
    EXPECT_EQ(f4("0.1:float32"), "0.1f");
    EXPECT_EQ(f4("-2.5:float32"), "-2.5f");
    EXPECT_EQ(f8("1e+30"), "1e+30");
    EXPECT_EQ(f8("3.0"), "3.0");
    EXPECT_EQ(f8("inf"), "pyk::inf()");
    EXPECT_EQ(f4("-inf:float32"), "-pyk::inf<float>()");
    EXPECT_EQ(f8("nan"), "pyk::nan()");
    EXPECT_EQ(f4("nan:float32"), "pyk::nan<float>()");
    EXPECT_EQ(i8("5000000000"), "5000000000LL");
    EXPECT_EQ(i8("-9223372036854775808"), "(-9223372036854775807LL - 1)");
    EXPECT_EQ(i4("-2147483648:int32"), "(-2147483647 - 1)");
    EXPECT_EQ(condition("(uw < 18446744073709551615:uint64)"), "uw < 18446744073709551615ULL");
    EXPECT_EQ(condition("(uu < 4000000000:uint32)"), "uu < 4000000000u");
}

}  // namespace
}  // namespace pyk::test
