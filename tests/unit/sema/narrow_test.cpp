// Narrow typing: how it is asked for, and what it makes of names, calls and loops. The operators' types are tested
// against NumPy in tests/unit/builtins/narrow_test.cpp.
#include "sema_test.h"

using namespace pyk::sema_test;
using testing::ContainsRegex;
using testing::HasSubstr;

namespace {

constexpr std::string_view kParams =
    "a: float32[::1], d: float64[::1], b: uint8[::1], i: int32, u: uint32, j: int64, x: float32, y: float64";
constexpr std::string_view kNarrow = "# pyk: typing=narrow\nN = 16\nALPHA = 0.5\n";

std::string narrow(std::string_view expression) { return type_of(kParams, expression, kNarrow); }

TEST(Narrow, Expressions) {
    EXPECT_EQ(narrow("i + 1"), "int32");
    EXPECT_EQ(narrow("i * N"), "int32");
    EXPECT_EQ(narrow("u + 1"), "uint32");
    EXPECT_EQ(narrow("i + u"), "int64");
    EXPECT_EQ(narrow("x * 2.0"), "float32");
    EXPECT_EQ(narrow("x * i"), "float32");
    EXPECT_EQ(narrow("x * j"), "float32");
    EXPECT_EQ(narrow("y * 0.1"), "float64");
    EXPECT_EQ(narrow("y * x"), "float64");
    EXPECT_EQ(narrow("x ** 2"), "float32");
    EXPECT_EQ(narrow("i ** 2"), "int32");
    EXPECT_EQ(narrow("i / 2"), "float32");
    EXPECT_EQ(narrow("ALPHA * x"), "float32");
    EXPECT_EQ(narrow("np.float64(0.5) * x"), "float64");
    EXPECT_EQ(narrow("x if i else 0.0"), "float32");
    EXPECT_EQ(narrow("y if i else 0.0"), "float64");
    EXPECT_EQ(narrow("b[0] + 1"), "uint8");
    EXPECT_EQ(narrow("50000 * 50000"), "int64");
    EXPECT_EQ(narrow("-i"), "int32");
    EXPECT_EQ(narrow("~b[0]"), "uint8");
}

TEST(Narrow, Calls) {
    EXPECT_EQ(narrow("cuda.grid(1)"), "int32");
    EXPECT_EQ(narrow("cuda.grid(2)"), "(int32, int32)");
    EXPECT_EQ(narrow("cuda.gridsize(1)"), "int32");
    EXPECT_EQ(narrow("math.sqrt(i)"), "float32");
    EXPECT_EQ(narrow("math.sqrt(y)"), "float64");
    EXPECT_EQ(narrow("math.hypot(x, 2)"), "float32");
    EXPECT_EQ(narrow("math.pi * x"), "float32");
    EXPECT_EQ(narrow("min(i, 3)"), "int32");
    EXPECT_EQ(narrow("max(x, 0)"), "float32");
    EXPECT_EQ(narrow("abs(i)"), "int32");
    EXPECT_EQ(narrow("int(x)"), "int32");
    EXPECT_EQ(narrow("float(i)"), "float32");
    EXPECT_EQ(narrow("round(x)"), "int32");
    EXPECT_EQ(narrow("len(a)"), "int32");
    EXPECT_EQ(narrow("a.shape[0]"), "int32");
    EXPECT_EQ(narrow("a.size + j"), "int64");
    EXPECT_EQ(narrow("divmod(i, 3)"), "(int32, int32)");
    EXPECT_EQ(narrow("complex(x, 1)"), "complex64");
    EXPECT_EQ(narrow("complex(i, x)"), "complex64");
    EXPECT_EQ(narrow("complex(x, y)"), "complex128");
    EXPECT_EQ(narrow("complex(1, 2) * complex(x, x)"), "complex64");
}

TEST(Narrow, ANameThatStartsFromALiteralTakesTheTypeOfWhatItMeets) {
    const auto last = [](std::string_view loop) {
        return locals_and_body(
            kParams, std::string("v = 0\nfor k in range(i):\n    v += ") + std::string(loop) + "\na[0] = v", kNarrow);
    };
    EXPECT_THAT(last("a[k]"), ContainsRegex("v(.10)?: float32"));
    EXPECT_THAT(last("d[k]"), ContainsRegex("v(.10)?: float64"));
    EXPECT_THAT(last("b[k]"), ContainsRegex("v(.10)?: int32"));
    EXPECT_THAT(last("u"), ContainsRegex("v(.10)?: uint32"));
    EXPECT_THAT(last("j"), ContainsRegex("v(.10)?: int64"));
    EXPECT_THAT(last("k"), HasSubstr("var k: int32"));
    EXPECT_THAT(last("0.5"), ContainsRegex("v(.10)?: float32"));
}

TEST(Narrow, AWeakFloatIsOfTheTypeThatItMeetsThroughFunctionsAndChoices) {
    const auto ir_for = [](const std::string& real) {
        return module_ir(R"(# pyk: typing=narrow
@cuda.jit(device=True)
def scaled(a, b=0.1):
    return a * b

@cuda.jit
def k(x, a):
    d = 0.1
    if x > 3:
        d = 0.2
    a[0] = scaled(x, d) + scaled(x) + scaled(x, x) + x * d + x * (0.3 if x > 4 else d)
)",
                         {"k(" + real + ", " + real + "[::1])"});
    };
    const std::string single = ir_for("float32");
    EXPECT_THAT(single, Not(HasSubstr("float64")));
    EXPECT_EQ(single.find("scaled(a: float32"), single.rfind("scaled(a: float32"));  // one for weak and strong floats
    EXPECT_THAT(ir_for("float64"), Not(HasSubstr("float64(")));                      // no float32 on the way
}

TEST(Narrow, IsAskedForPerFunctionToo) {
    const std::string ir = module_ir(R"(
@cuda.jit(device=True, typing="narrow")
def thin(i):
    return i + 1

@cuda.jit
def k(a, i):
    a[0] = thin(i)
    a[1] = i + 1
)",
                                     {"k(int64[::1], int32)"});
    EXPECT_THAT(ir, HasSubstr("thin(i: int32) -> int32"));
    EXPECT_THAT(ir, HasSubstr("(int64(i) + 1)"));
}

TEST(Narrow, AFunctionMayStayNumbas) {
    EXPECT_THAT(module_ir("# pyk: typing=narrow\n@cuda.jit(typing='numba')\ndef k(a, x):\n    a[0] = x * 2.0\n",
                          {"k(float64[::1], float32)"}),
                HasSubstr("float64(x)"));
}

}  // namespace
