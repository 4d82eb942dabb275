// What float64 stands for that float32 holds.
#include "passes/narrow_floats.h"

#include <fmt/format.h>

#include <tuple>

#include "pass_test.h"
#include "passes/simplify_conversions.h"

namespace pyk::test {
namespace {

const std::string kHead = "kernel k = k_(a: float32[::1], d: float64[::1], b: uint8[::1], n: int64) {\n";

void expect_choice(const std::string& before, const std::string& after) {
    expect_pass(simplify_conversions, kHead + before + "\n}", kHead + after + "\n}");
}
void expect_condition(const std::string& before, const std::string& after) {
    expect_choice("store b[0] = uint8(" + before + ")", "store b[0] = uint8(" + after + ")");
}
void expect_locals(const std::string& type, const std::string& before, const std::string& after) {
    const auto head = [&](const std::string& x) { return kHead + "  var x: " + x + "\n  var y: float64\n"; };
    expect_pass(narrow_float_locals, head("float64") + before + "\n}", head(type) + after + "\n}");
}

TEST(NarrowFloats, ChoicesThatAreConverted) {
    expect_choice("store a[0] = float32(@max(float64(a[1]), 0.0):float64)",
                  "store a[0] = @max(a[1], 0.0:float32):float32");
    expect_choice("store a[0] = float32(@min(@max(float64(a[1]), -1.5):float64, 1.5):float64)",
                  "store a[0] = @min(@max(a[1], -1.5:float32):float32, 1.5:float32):float32");
    expect_choice("store a[0] = float32((float64(a[1]) if (n > 0) else (- 2.0)))",
                  "store a[0] = (a[1] if (n > 0) else (- 2.0:float32))");
    expect_choice("store a[0] = float32(@math.floor(@abs(float64(a[1])):float64):float64)",
                  "store a[0] = @math.floor(@abs(a[1]):float32):float32");
    expect_choice("store b[0] = uint8(@min(float64(a[1]), 255.0):float64)",
                  "store b[0] = uint8(@min(a[1], 255.0:float32):float32)");
    expect_choice("store a[0] = float32(@max(float64(b[1]), float64(a[0])):float64)",
                  "store a[0] = @max(float32(b[1]), a[0]):float32");
}

TEST(NarrowFloats, NotWhereFloat32DoesNotHoldAll) {
    for (const char* text :
         {"store a[0] = float32(@max(float64(a[1]), 0.1):float64)",
          "store a[0] = float32(@max(float64(n), 0.0):float64)", "store a[0] = float32(@max(d[1], 0.0):float64)",
          "store a[0] = float32(@max((float64(a[1]) * 2.0), 0.0):float64)",
          "store a[0] = float32(@math.exp(float64(a[1])):float64)", "store d[0] = @max(float64(a[1]), 0.0):float64",
          "store a[0] = float32((float64(a[1]) + 1.0))"})
        expect_choice(text, text);
}

TEST(NarrowFloats, Comparisons) {
    expect_condition("(float64(a[0]) > 0.5)", "(a[0] > 0.5:float32)");
    expect_condition("(0.0 != float64(a[0]))", "(0.0:float32 != a[0])");
    expect_condition("(float64(a[0]) < (- float64(a[1])))", "(a[0] < (- a[1]))");
    expect_condition("(@abs(float64(a[0])):float64 <= 1.5)", "(@abs(a[0]):float32 <= 1.5:float32)");
    expect_condition("(float64(b[0]) < float64(a[1]))", "(float32(b[0]) < a[1])");
    expect_condition("(float64(b[0]) < 3.0)", "(b[0] < 3:uint8)");
    for (const char* text : {"(float64(a[0]) < float64(n))", "(float64(a[0]) < d[0])", "((float64(a[0]) * 2.0) > 1.0)"})
        expect_condition(text, text);
}

// 0.1 is less than the float32 nearest to it, and 0.7 greater.
TEST(NarrowFloats, ComparisonsWithWhatLiesBetweenTwoFloat32) {
    const std::string x = "float64(a[0])";
    for (const auto& [op, above, below] :
         {std::tuple("<", "<", "<="), {"<=", "<", "<="}, {">", ">=", ">"}, {">=", ">=", ">"}}) {
        expect_condition(fmt::format("({} {} 0.1)", x, op),
                         fmt::format("(a[0] {} 0.10000000149011612:float32)", above));
        expect_condition(fmt::format("({} {} 0.7)", x, op), fmt::format("(a[0] {} 0.699999988079071:float32)", below));
        expect_condition(fmt::format("({} {} -0.1)", x, op),
                         fmt::format("(a[0] {} -0.10000000149011612:float32)", below));
        expect_condition(fmt::format("({} {} 1e-60)", x, op), fmt::format("(a[0] {} 0.0:float32)", below));
    }
    for (const auto& [op, above, below] :
         {std::tuple("<", "<=", "<"), {"<=", "<=", "<"}, {">", ">", ">="}, {">=", ">", ">="}}) {
        expect_condition(fmt::format("(0.1 {} {})", op, x),
                         fmt::format("(0.10000000149011612:float32 {} a[0])", above));
        expect_condition(fmt::format("(0.7 {} {})", op, x), fmt::format("(0.699999988079071:float32 {} a[0])", below));
    }
    for (const char* text : {"(float64(a[0]) == 0.1)", "(0.1 != float64(a[0]))", "(float64(a[0]) < 1e39)",
                             "(-3.402823567e38 <= float64(a[0]))"})
        expect_condition(text, text);
}

TEST(NarrowFloats, VariablesThatHoldNothingElse) {
    expect_locals("float32", "x = 0.0\nx = @max(x, float64(a[1])):float64\nstore d[0] = x",
                  "x = 0.0:float32\nx = @max(x, a[1]):float32\nstore d[0] = float64(x)");
    expect_locals("float32", "x = float64(a[0])\nif (x < 0.0) {\nx = 0.0\n}\nstore a[0] = float32(x)",
                  "x = a[0]\nif (float64(x) < 0.0) {\nx = 0.0:float32\n}\nstore a[0] = float32(float64(x))");
}

TEST(NarrowFloats, VariablesOfEachOther) {
    const std::string locals = "  var x: float64\n  var y: float64\n", narrow = "  var x: float32\n  var y: float32\n";
    expect_pass(narrow_float_locals, kHead + locals + "x = 1.0\ny = float64(a[0])\nwhile (x < y) {\nx = y\ny = x\n}\n}",
                kHead + narrow + "x = 1.0:float32\ny = a[0]\nwhile (float64(x) < float64(y)) {\nx = y\ny = x\n}\n}");
    const std::string wide =
        kHead + locals + "x = 1.0\ny = d[0]\nwhile (x < y) {\nx = @max(x, float64(a[0])):float64\nx = y\n}\n}";
    expect_pass(narrow_float_locals, wide, wide);
}

TEST(NarrowFloats, NotVariablesWithOtherValues) {
    for (const char* text :
         {"x = float64(a[0])\nx = 0.1\nstore d[0] = x", "x = float64(a[0])\nx = (x + 1.0)\nstore d[0] = x",
          "x = 0.5\nstore d[0] = x", "x = 0.5\nif (n > 1) {\nx = float64(b[0])\n}\nstore d[0] = x",
          "y = 0.5\nx = y\nstore d[0] = x"})
        expect_locals("float64", text, text);
}

}  // namespace
}  // namespace pyk::test
