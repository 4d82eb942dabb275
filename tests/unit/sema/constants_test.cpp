// Module constants: Python's arithmetic on them, their types in kernels, `-D`.
#include "sema_test.h"

using namespace pyk::sema_test;
using pyk::Defines;
using testing::ElementsAre;

namespace {

// The text and type of module constant `X` as the kernel sees it.
std::string constant(std::string_view definition, const Defines& defines = {}) {
    const std::string ir =
        module_ir(std::string(definition) + "\n@cuda.jit\ndef k(a):\n    a[0] = X\n", {"k(float64[::1])"}, defines);
    return ir.starts_with("constant ") ? ir.substr(9, ir.find('\n') - 9) : ir;
}

TEST(Constants, PythonsIntegerArithmetic) {
    EXPECT_EQ(constant("X = 16"), "X: int64 = 16");
    EXPECT_EQ(constant("X = -7 // 2"), "X: int64 = -4");
    EXPECT_EQ(constant("X = -7 % 3"), "X: int64 = 2");
    EXPECT_EQ(constant("X = 7 % -3"), "X: int64 = -2");
    EXPECT_EQ(constant("X = 7 // -2"), "X: int64 = -4");
    EXPECT_EQ(constant("X = 2 ** 10"), "X: int64 = 1024");
    EXPECT_EQ(constant("X = -2 ** 2"), "X: int64 = -4");
    EXPECT_EQ(constant("X = 2 ** 3 ** 2"), "X: int64 = 512");
    EXPECT_EQ(constant("X = 1 << 5 | 3 ^ 1 & 7"), "X: int64 = 34");
    EXPECT_EQ(constant("X = -9 >> 1"), "X: int64 = -5");
    EXPECT_EQ(constant("X = ~5"), "X: int64 = -6");
    EXPECT_EQ(constant("X = (1 << 100) >> 98"), "X: int64 = 4");
    EXPECT_EQ(constant("X = (1 << 125) >> 124"), "X: int64 = 2");
    EXPECT_EQ(constant("X = True + True"), "X: int64 = 2");
}

TEST(Constants, PythonsFloatArithmetic) {
    EXPECT_EQ(constant("X = 7 / 2"), "X: float64 = 3.5");
    EXPECT_EQ(constant("X = 2 ** 126 / 3"), "X: float64 = 2.8356863910078204e+37");
    EXPECT_EQ(constant("X = -(2 ** 126) / 7"), "X: float64 = -1.2152941675747802e+37");
    EXPECT_EQ(constant("X = 6 / 2"), "X: float64 = 3.0");
    EXPECT_EQ(constant("X = 2 ** -1"), "X: float64 = 0.5");
    EXPECT_EQ(constant("X = 1.0 // 0.1"), "X: float64 = 9.0");
    EXPECT_EQ(constant("X = -1.5 % 1.0"), "X: float64 = 0.5");
    EXPECT_EQ(constant("X = 4.0 % -2.0"), "X: float64 = -0.0");
    EXPECT_EQ(constant("X = -1.5 // 1"), "X: float64 = -2.0");
    EXPECT_EQ(constant("X = float(3)"), "X: float64 = 3.0");
    EXPECT_EQ(constant("X = int(1e6)"), "X: int64 = 1000000");
    EXPECT_EQ(constant("X = int(-2.7)"), "X: int64 = -2");
    EXPECT_EQ(constant("X = math.pi / 2"), "X: float64 = 1.5707963267948966");
    EXPECT_EQ(constant("X = abs((-9) ** 0.5)"), "X: float64 = 3.0");  // Python's power is complex there
    EXPECT_EQ(constant("X = np.pi"), "X: float64 = 3.141592653589793");
}

TEST(Constants, IntegersOfEverySize) {
    EXPECT_EQ(constant("X = 2 ** 63 - 1"), "X: int64 = 9223372036854775807");
    EXPECT_EQ(constant("X = -2 ** 63"), "X: int64 = -9223372036854775808");
    EXPECT_EQ(constant("X = 2 ** 63"), "X: uint64 = 9223372036854775808");
    EXPECT_EQ(constant("X = 2 ** 64 - 1"), "X: uint64 = 18446744073709551615");
    // `int` is Python's, whose integers have any size.
    EXPECT_EQ(constant("X = int(0x9E3779B97F4A7C15)"), "X: uint64 = 11400714819323198485");
    EXPECT_EQ(constant("X = int(np.iinfo(np.uint64).max)"), "X: uint64 = 18446744073709551615");
    EXPECT_EQ(constant("X = int(0xcbf29ce484222325) % 1000"), "X: int64 = 37");
    EXPECT_EQ(constant("X = int(2.0 ** 63)"), "X: uint64 = 9223372036854775808");
    EXPECT_EQ(constant("X = tuple(map(int, [2 ** 63, 3]))[0]"), "X: uint64 = 9223372036854775808");
    EXPECT_EQ(constant("X = math.gcd(2 ** 64 - 1, 15)"), "X: int64 = 15");
    EXPECT_EQ(constant("X = math.gcd(2 ** 63, -12)"), "X: int64 = 4");
    EXPECT_EQ(constant("X = np.gcd(np.uint64(2 ** 63), np.uint64(12))"), "X: uint64 = 4");
    for (const char* text : {"X = 2 ** 64", "X = -2 ** 63 - 1", "X = 1 << 70"}) {
        const Analysis result =
            analyze_text(std::string(text) + "\n@cuda.jit\ndef k(a):\n    a[0] = X\n", {"k(float64[::1])"});
        EXPECT_THAT(result.findings,
                    ElementsAre("5:12: error: this integer does not fit into 64 bits [integer-too-large]"))
            << text;
    }
}

TEST(Constants, BooleansConditionsAndOtherNames) {
    EXPECT_EQ(constant("X = True"), "X: boolean = True");
    EXPECT_EQ(constant("X = 3 > 2"), "X: boolean = True");
    EXPECT_EQ(constant("X = not 3"), "X: boolean = False");
    EXPECT_EQ(constant("N = 4\nX = 1 if N > 3 else 2.5"), "X: int64 = 1");
    EXPECT_EQ(constant("N = 4\nM = N * 2\nX = M + N"), "X: int64 = 12");
    EXPECT_EQ(constant("X: int = 5"), "X: int64 = 5");
    EXPECT_EQ(constant("X = 1\nX = 2"), "X: int64 = 2");
    EXPECT_EQ(constant("Y = X = 9"), "X: int64 = 9");
}

TEST(Constants, Tuples) {
    EXPECT_EQ(constant("X, Y = 3, 4"), "X: int64 = 3");
    EXPECT_EQ(constant("[Y, X] = 3, 4"), "X: int64 = 4");
    EXPECT_EQ(constant("SHAPE = (8, 2.5)\nX = SHAPE[1]"), "X: float64 = 2.5");
    EXPECT_EQ(constant("SHAPE = (8, 2.5)\nX = SHAPE[-2]"), "X: int64 = 8");
    EXPECT_EQ(constant("X = ((1, 2) + (3,))[2]"), "X: int64 = 3");
    EXPECT_EQ(type_of("n: int32", "T", "T = (1, 2.5, True)"), "(int64, float64, boolean)");
    EXPECT_EQ(type_of("n: int32", "T[n]", "T = (1, 2, 3)"), "int64");
    EXPECT_EQ(type_of("n: int32", "T[1]", "T = (1, 2.5)"), "float64");
    EXPECT_EQ(body("a: int64[::1]", "a[0] = T[1][0]", "T = (1, (2, 3))"), "store a[wrap 0] = 2\n");
}

// NumPy's scalars keep their type; Python's numbers beside them take it (NEP 50).
TEST(Constants, TypedByNumPysConstructors) {
    EXPECT_EQ(constant("X = np.float32(0.5)"), "X: float32 = 0.5");
    EXPECT_EQ(constant("X = np.int8(5)"), "X: int8 = 5");
    EXPECT_EQ(constant("X = np.uint8(200) + np.uint8(100)"), "X: uint8 = 44");
    EXPECT_EQ(constant("X = np.bool_(True) * 3"), "X: int64 = 3");
    EXPECT_EQ(constant("X = 2 - np.bool_(True)"), "X: int64 = 1");
    EXPECT_EQ(constant("X = np.bool_(True) + True"), "X: boolean = True");
    EXPECT_EQ(constant("X = np.float32(3) * 2"), "X: float32 = 6.0");
    EXPECT_EQ(constant("X = np.int32(5) / 2"), "X: float64 = 2.5");
    EXPECT_EQ(constant("X = np.int16(3) * np.float64(2)"), "X: float64 = 6.0");
    EXPECT_EQ(constant("X = float32(2.5)"), "X: float32 = 2.5");
    EXPECT_EQ(type_of("n: int32", "X", "X = np.float32(0.1)"), "float32");
    // 0.1 becomes a float32 before it is multiplied.
    EXPECT_EQ(constant("X = np.float32(9) * 0.1"), "X: float32 = 0.9000000357627869");
}

TEST(Constants, DefinesWin) {
    EXPECT_EQ(constant("X = 1", {{"X", int64_t(5)}}), "X: int64 = 5");
    EXPECT_EQ(constant("X = 1", {{"X", 2.5}}), "X: float64 = 2.5");
    EXPECT_EQ(constant("X = 1", {{"X", true}}), "X: boolean = True");
    EXPECT_EQ(constant("X = 1", {{"X", uint64_t(1) << 63}}), "X: uint64 = 9223372036854775808");
    EXPECT_EQ(constant("N = 1\nX = N * 2", {{"N", int64_t(8)}}), "X: int64 = 16");
    EXPECT_EQ(constant("import sys\nX = int(sys.argv[1])", {{"X", int64_t(7)}}), "X: int64 = 7");
    EXPECT_EQ(constant("", {{"X", int64_t(7)}}), "X: int64 = 7");
    EXPECT_EQ(constant("if N > 2:\n    X = 1\nelse:\n    X = 2\nN = 0", {{"N", int64_t(3)}}), "X: int64 = 1");
}

// What host code may change has no value that a compiler could know.
TEST(Constants, UnknownValues) {
    for (const char* definition : {"X = open('f').read()", "X = [1, 2]", "X = 1\nX += f()", "for X in f():\n    pass",
                                   "X = 1\nwhile f():\n    X = 2", "X = 1\nif __name__ == '__main__':\n    X = 2",
                                   "try:\n    import cupy\n    X = 1\nexcept ImportError:\n    X = 0", "X = X + 1",
                                   "X = 1 // 0", "*Y, X = f()"}) {
        const Analysis result =
            analyze_text(std::string(definition) + "\n@cuda.jit\ndef k(a):\n    a[0] = X\n", {"k(float64[::1])"});
        ASSERT_GE(result.findings.size(), 2u) << definition;
        EXPECT_THAT(result.findings[0], testing::HasSubstr("[not-a-constant]")) << definition;
        EXPECT_THAT(result.findings[1], testing::ContainsRegex("`X` (gets|is changed)")) << definition;
    }
}

// The innermost part without a value is told, also in the variables and functions that lead to it.
TEST(Constants, WhatIsNotComputed) {
    const auto part_of = [](const std::string& definition) {
        const Analysis result =
            analyze_text(definition + "\n@cuda.jit\ndef k(a):\n    a[0] = X\n", {"k(float64[::1])"});
        return result.findings.size() == 3 ? result.findings[2].substr(result.findings[2].find('`')) : "";
    };
    const auto is_not = [](const std::string& part) { return "`" + part + "` is not computed before kernels run"; };
    EXPECT_EQ(part_of("X = int(open('f').read()) + 1"), is_not("open('f')"));
    EXPECT_EQ(part_of("X = 2 * max(1, math.sqrt(f(3)))"), is_not("f(3)"));
    EXPECT_EQ(part_of("N = read(1)\nM = N + 1\nX = M * 2"), is_not("read(1)"));
    EXPECT_EQ(part_of("def f(n):\n    return n + len(load(n))\nX = f(3)"), is_not("load(n)"));
    EXPECT_EQ(part_of("X = sum([load(n) for n in range(3)])"), is_not("[load(n) for n in range(3)]"));
    EXPECT_EQ(part_of("X = sum([n for n in load()])"), is_not("load()"));
}

TEST(Constants, BranchesOfTheModuleThatAreKnown) {
    EXPECT_EQ(constant("N = 3\nif N > 2:\n    X = 1\nelse:\n    X = 2"), "X: int64 = 1");
    EXPECT_EQ(constant("N = 1\nif N > 2:\n    X = 1\nelif N:\n    X = 2\nelse:\n    X = 3"), "X: int64 = 2");
    EXPECT_EQ(constant("try:\n    X = 1\nfinally:\n    pass"), "X: int64 = 1");
    EXPECT_EQ(constant("with open('f') as f:\n    X = 4"), "X: int64 = 4");
}

// Numba folds what Python folds: literals have the types of their values, not of their operators.
TEST(Constants, LiteralsInKernels) {
    EXPECT_EQ(type_of("n: int32", "1 << 63"), "uint64");
    EXPECT_EQ(type_of("n: int32", "-9223372036854775808"), "int64");
    EXPECT_EQ(type_of("n: int32", "0xFFFFFFFFFFFFFFFF"), "uint64");
    EXPECT_EQ(type_of("n: int32", "1 / 2"), "float64");
    EXPECT_EQ(body("a: float64[::1], n: int64", "a[0] = 2 ** -1 + n"), "store a[wrap 0] = (0.5 + float64(n))\n");
    EXPECT_EQ(body("a: int64[::1], n: int64", "a[0] = n - 2 * 3 + 4"), "store a[wrap 0] = ((n - 6) + 4)\n");
    EXPECT_EQ(body("a: int64[::1], n: int64", "a[0] = 1 // 0 + n"), "store a[wrap 0] = ((1 // 0) + n)\n");
    EXPECT_EQ(type_of("n: int32", "2 ** -1"), "float64");
    EXPECT_EQ(type_of("n: int32", "True"), "boolean");
    EXPECT_EQ(type_of("n: int32", "not 1"), "boolean");
    EXPECT_EQ(type_of("n: int32", "~True"), "int64");
    EXPECT_EQ(body("a: float64[::1]", "a[0] = -7 // 2"), "store a[wrap 0] = -4.0\n");
    EXPECT_EQ(body("a: float64[::1]", "a[0] = 1.0 // 0.1"), "store a[wrap 0] = 9.0\n");
    EXPECT_THAT(findings("a: float64[::1]", "a[0] = 18446744073709551616"),
                ElementsAre("1:8: error: this integer does not fit into 64 bits [integer-too-large]"));
    EXPECT_THAT(findings("a: float64[::1]", "a[0] = 1 << 70"),
                ElementsAre("1:8: error: this integer does not fit into 64 bits [integer-too-large]"));
}

// Variables are no literals: their operators have Numba's types and wrap.
TEST(Constants, VariablesWithKnownValues) {
    EXPECT_EQ(body("a: int64[::1]", "one = 1\na[0] = one << 63"), text(R"py(
        one = 1
        store a[wrap 0] = (one << 63)
    )py"));
    EXPECT_EQ(type_of("n: int32", "float32(2.5)"), "float32");
    EXPECT_EQ(type_of("n: int32", "float32(2.5) * 2"), "float64");
    EXPECT_EQ(type_of("n: int32", "int32(5) + int32(3)"), "int64");
}

}  // namespace
