// Small integers compared with what a loop leaves alone.
#include "passes/clamp_bounds.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

void expect_clamped(const std::string& before, const std::string& after) {
    const auto text = [](const std::string& body) {
        return "kernel k = k_(a: uint8[::1], b: int16[::1], c: int32[::1], out: boolean[::1], n: int64) {\n"
               "  var level: int64\n  temp i: int64\n  level = 3\n" +
               body + "}\n";
    };
    expect_pass(clamp_bounds, text(before), text(after));
}
std::string in_loop(const std::string& condition) {
    return "  for i in range(0, n, 1) {\n    store out[i] = " + condition + "\n  }\n";
}

TEST(ClampBounds, OfWhatTheLoopLeavesAlone) {
    expect_clamped(in_loop("(int64(a[i]) > level)"),
                   in_loop("(int32(a[i]) > @pyk.clamped(level, -1:int32, 256:int32):int32)"));
    expect_clamped(in_loop("(n != int64(b[i]))"),
                   in_loop("(@pyk.clamped(n, -32769:int32, 32768:int32):int32 != int32(b[i]))"));
}

TEST(ClampBounds, OfSumsThatAreClamped) {
    const auto stored = [](const std::string& value) { return in_loop("(0 != " + value + ")"); };
    const auto expect_kept = [&](const std::string& value) { expect_clamped(stored(value), stored(value)); };
    const auto expect = [&](const std::string& before, const std::string& after) {
        expect_clamped(stored(before), "  if ((n >= -4611686018427387904) and (n <= 4611686018427387904)) {\n" +
                                           stored(after) + "  } else {\n" + stored(before) + "  }\n");
    };
    expect("@min(255, @max(0, (int64(a[i]) + n)):int64):int64",
           "@min(255, @max(0, int64((int32(a[i]) + @pyk.clamped(n, -255:int32, 255:int32):int32))):int64):int64");
    expect("@max(@min((n - int64(a[i])), 9):int64, -5):int64",
           "@max(@min(int64((@pyk.clamped(n, -5:int32, 264:int32):int32 - int32(a[i]))), 9):int64, -5):int64");
    expect("@max(0, @min((int64(a[i]) - n), 255):int64):int64",
           "@max(0, @min(int64((int32(a[i]) - @pyk.clamped(n, -255:int32, 255:int32):int32)), 255):int64):int64");
    for (const std::string other :
         {"@min(255, @min(0, (int64(a[i]) + n)):int64):int64", "@max(9, @min(0, (int64(a[i]) + n)):int64):int64",
          "@min(255, (int64(a[i]) + n)):int64", "@min(255, @max(0, (int64(a[i]) * n)):int64):int64",
          "@min(255, @max(i, (int64(a[i]) + n)):int64):int64", "@min(255, @max(0, (int64(a[i]) + i)):int64):int64"})
        expect_kept(other);
    // Nothing wraps there.
    expect_clamped(stored("@min(255, @max(0, (int64(a[i]) + level)):int64):int64"),
                   stored("@min(255, @max(0, int64((int32(a[i]) + @pyk.clamped(level, -255:int32, "
                          "255:int32):int32))):int64):int64"));
}

TEST(ClampBounds, NotOfOthers) {
    for (const std::string condition : {
             "(int64(a[i]) > i)",        // the loop's own
             "(int64(c[i]) > level)",    // no int32 is beyond an int32
             "((int64(a[i]) + 1) > n)",  // computes
             "(int64(a[i]) > (n + 1))",
         })
        expect_clamped(in_loop(condition), in_loop(condition));
    const std::string once = "  store out[n] = (int64(a[n]) > level)\n";
    expect_clamped(once, once);
    const std::string changes =
        "  for i in range(0, n, 1) {\n    store out[i] = (int64(a[i]) > level)\n    level = i\n  }\n";
    expect_clamped(changes, changes);
}

}  // namespace
}  // namespace pyk::test
