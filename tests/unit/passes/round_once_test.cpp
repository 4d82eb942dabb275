// Operations of float32 numbers in float64, of which only a float32 is left.
#include "passes/round_once.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

const std::string kHead =
    "kernel k = k_(o: float32[::1], x: float32[::1], b: uint8[::1], d: float64[::1], s: float32, n: int32) {\n"
    "var v: float32\nvar w: float32\nvar row: float32[::1]\n";

void expect_once(const std::string& before, const std::string& after) {
    expect_pass(round_once, kHead + before + "\n}", kHead + after + "\n}");
}
void expect_twice(const std::string& text) { expect_once(text, text); }

TEST(RoundOnce, OneOperationWithANumber) {
    expect_once("store o[n] = float32((float64(x[n]) * 0.5))", "store o[n] = (x[n] * 0.5:float32)");
    expect_once("store o[n] = float32((1.0 - float64(x[n])))", "store o[n] = (1.0:float32 - x[n])");
    expect_once("store o[n] = float32((float64(o[n]) + 1.0))", "store o[n] = (o[n] + 1.0:float32)");
    expect_once("store o[n] = float32((float64(b[n]) / 255.0))", "store o[n] = (float32(b[n]) / 255.0:float32)");
    expect_once("store o[n] = float32((float64(s) + float64(b[0])))", "store o[n] = (s + float32(b[0]))");
    expect_once("store o[n] = float32((float64((x[n] + s)) * 0.5))", "store o[n] = ((x[n] + s) * 0.5:float32)");
    expect_once("store o[n] = float32((@max(float64(x[n]), 0.0):float64 * 3.0))",
                "store o[n] = (@max(x[n], 0.0:float32):float32 * 3.0:float32)");
    expect_once("v = float32((float64(x[n]) - 1.0))\nstore o[n] = v", "v = (x[n] - 1.0:float32)\nstore o[n] = v");
    expect_once("v = x[n]\nw = v\nstore o[n] = float32((float64(w) + 1.0))",
                "v = x[n]\nw = v\nstore o[n] = (w + 1.0:float32)");
}

TEST(RoundOnce, NotWhatFloat32DoesNotHold) {
    for (const char* text :
         {"store o[n] = float32((float64(x[n]) * 0.1))", "store o[n] = float32((float64(x[n]) * float64(n)))",
          "store o[n] = float32((float64(x[n]) * d[n]))", "store o[n] = float32(((float64(x[n]) * 0.5) + 1.0))",
          "store d[n] = (float64(x[n]) * 0.5)", "store o[n] = float32((float64(x[n]) ** 0.5))"})
        expect_twice(text);
}

// `x[n] * 0.5` is rounded before something is added.
TEST(RoundOnce, NotAProductThatASumMayMeet) {
    for (const char* text : {"store o[n] = float32((float64(x[n]) * 3.0))\nstore o[n] = (o[n] + s)",
                             "v = float32((float64(x[n]) * 3.0))\nstore o[n] = (v + s)",
                             "row = view<float32[::1]>(o, slice(1, _, _))\nstore o[n] = float32((float64(x[n]) * "
                             "3.0))\nstore x[0] = (row[0] + s)",
                             "row = view<float32[::1]>(o, slice(1, _, _))\nstore row[n] = float32((float64(x[n]) / "
                             "3.0))\nstore x[0] = (o[0] + s)"})
        expect_twice(text);
}

// What may be contracted with the sum in which it is a term.
TEST(RoundOnce, NotASumOfAProduct) {
    for (const char* text :
         {"store o[n] = float32((float64((x[n] * s)) + 1.0))",
          "v = (x[n] * s)\nstore o[n] = float32((1.0 - float64(v)))",
          "v = x[n]\nw = v\nstore o[n] = float32((float64(w) + 1.0))\nwhile (v > s) {\nw = v\nv = (v * s)\n}",
          "s = (s * s)\nstore o[n] = float32((float64(s) + 1.0))",
          "store o[n] = (x[n] * s)\nstore o[n] = float32((float64(o[n]) + 1.0))",
          "row = view<float32[::1]>(o, slice(1, _, _))\nstore row[n] = (x[n] * s)\nstore x[n] = float32((float64(o[n]) "
          "+ 1.0))"})
        expect_twice(text);
}

// It may become a part of what calls it.
TEST(RoundOnce, NotInDeviceFunctions) {
    expect_unchanged(round_once,
                     "device f = f_(o: float32[::1], x: float32) {\nstore o[0] = float32((float64(x) * 0.5))\n}");
}

}  // namespace
}  // namespace pyk::test
