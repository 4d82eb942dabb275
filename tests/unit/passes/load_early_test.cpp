// Conditions whose second part is loaded before the first has decided.
#include "passes/load_early.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

std::string text(const std::string& body) {
    return "kernel k = k_(a: boolean[::1], b: boolean[::1], x: float64[::1], m: uint8[:, ::1], out: boolean[::1], n: "
           "int64, "
           "y: int64) {\n  temp i: int64\n" +
           body + "}\n";
}
std::string loop(const std::string& body) { return "  for i in range(0, n, 1) {\n" + body + "  }\n"; }
std::string store(const std::string& value) { return "    store out[i] = " + value + "\n"; }
/// Both forms of a loop.
void expect_choice(const std::string& before, const std::string& bounds, const std::string& after) {
    expect_pass(load_early, text(loop(before)),
                text("  if " + bounds + " {\n" + loop(after) + "  } else {\n" + loop(before) + "  }\n"));
}
void expect_kept(const std::string& body) { expect_unchanged(load_early, text(body)); }

TEST(LoadEarly, WhereArraysAreLongEnough) {
    expect_choice(store("(a[i] and b[i])"), "(n <= shape(b, 0))", store("(a[i] & b[i])"));
    expect_choice(store("(a[i] or (not b[i]))"), "(n <= shape(b, 0))", store("(a[i] | (not b[i]))"));
    expect_choice(store("(a[i] and (x[(i + 2)] > 0.5))"), "((n + 2) <= shape(x, 0))",
                  store("(a[i] & (x[(i + 2)] > 0.5))"));
    expect_choice(store("((a[i] and b[i]) and b[(i + 1)])"), "((n <= shape(b, 0)) and ((n + 1) <= shape(b, 0)))",
                  store("((a[i] & b[i]) & b[(i + 1)])"));
    expect_choice("    if (a[i] and (m[y, i] == 3:uint8)) {\n" + store("a[i]") + "    }\n",
                  "(((y < shape(m, 0)) and (y >= 0)) and (n <= shape(m, 1)))",
                  "    if (a[i] & (m[y, i] == 3:uint8)) {\n" + store("a[i]") + "    }\n");
}

TEST(LoadEarly, WhereTheLoopEndsWithTheArray) {
    const auto over = [](const std::string& end, const std::string& value) {
        return text("  for i in range(0, " + end + ", 1) {\n" + store(value) + "  }\n");
    };
    for (const std::string end : {"shape(b, 0)", "@min(n, shape(b, 0)):int64"})
        expect_pass(load_early, over(end, "(a[i] and b[i])"), over(end, "(a[i] & b[i])"));
}

// The first part of the condition may be what says that the index is not negative.
TEST(LoadEarly, BeforeTheArray) {
    const auto from = [](const std::string& start, const std::string& value) {
        return "  for i in range(" + start + ", n, 1) {\n" + store(value) + "  }\n";
    };
    const auto expect_choice_from = [&](const std::string& start, const std::string& bounds) {
        const std::string before = from(start, "(a[i] and b[(i - 2)])"), after = from(start, "(a[i] & b[(i - 2)])");
        expect_pass(load_early, text(before),
                    text("  if " + bounds + " {\n" + after + "  } else {\n" + before + "  }\n"));
    };
    expect_choice_from("2", "((n - 2) <= shape(b, 0))");
    expect_choice_from("y", "(((n - 2) <= shape(b, 0)) and ((y - 2) >= 0))");
    expect_kept(from("0", "((i > 1) and b[(i - 2)])"));
    expect_kept(from("1", "((i > 1) and b[(i - 2)])"));
    expect_choice(store("((y >= 0) and b[y])"), "((y < shape(b, 0)) and (y >= 0))", store("((y >= 0) & b[y])"));
}

TEST(LoadEarly, NotOfOthers) {
    expect_kept(loop(store("(a[i] and b[wrap i])")));
    expect_kept(loop(store("(a[i] and b[(2 * i)])")));
    expect_kept(loop(store("(a[i] and b[int64(m[0, i])])")));
    expect_kept(loop(store("(a[i] and ((y // n) > 3))")));  // may fail
    expect_kept(loop(store("(a[i] and (@math.sqrt(x[i]):float64 > 3.0))")));
    expect_kept(loop("    if (a[i] and b[i]) {\n      break\n    }\n"));
    expect_kept("  while (a[y] and b[y]) {\n    y = (y + 1)\n  }\n");
    expect_kept("  for i in range(0, n, 2) {\n" + store("(a[i] and b[i])") + "  }\n");
    expect_kept("  store out[0] = (a[0] and b[0])\n");
}

}  // namespace
}  // namespace pyk::test
