// Rows of bytes whose ends are computed with what is ahead of them.
#include "passes/overlap_tails.h"

#include <regex>

#include "pass_test.h"

namespace pyk::test {
namespace {

std::string text(const std::string& body, const std::string& more = "") {
    return "kernel k = k_(a: uint8[:, ::1], b: uint8[:, ::1], wide: int32[:, ::1], any: uint8[:, :], out: uint8[:, "
           "::1], h: int64, n: int64) {\n  var v: uint8\n  temp y: int64\n  temp x: int64\n  temp d: int64\n" +
           more + body + "}\n";
}
std::string rows(const std::string& body) { return "  for y in range(0, h, 1) {\n" + body + "  }\n"; }
std::string row(const std::string& body, const std::string& end = "n") {
    return "    for x in range(1, " + end + ", 1) {\n" + body + "    }\n";
}
std::string store(const std::string& value) { return "      store out[y, x] = " + value + "\n"; }
std::string mean(const std::string& array) {
    return store("((" + array + "[y, (x - 1)] + " + array + "[y, x]) >> 1:uint8)");
}

void expect_tail(const std::string& body, const std::string& disjoint) {
    const std::string at_tail = std::regex_replace(body, std::regex(R"(\bx\b)"), "x.2");
    expect_pass(overlap_tails, text(rows(row(body))),
                text("  x_end = @pyk.tail_at(1, n, " + disjoint + "):int64\n" +
                         rows(row(body, "x_end") + "    if (x_end < n) {\n      for k in range(0, 64, 1) {\n" +
                              "      x.2 = ((n - 64) + k)\n" + at_tail + "      }\n    }\n"),
                     "  temp x_end: int64\n  temp k: int64\n  temp x.2: int64\n"));
}
void expect_kept(const std::string& body) { expect_unchanged(overlap_tails, text(body)); }

TEST(OverlapTails, OfRowsOfBytes) {
    expect_tail(mean("a"), "@pyk.disjoint(out, a):boolean");
    expect_tail(store("(a[y, x] ^ b[(y + 1), (x + 2)])"),
                "(@pyk.disjoint(out, a):boolean and @pyk.disjoint(out, b):boolean)");
    expect_tail("      v = a[y, x]\n      if (v < a[y, (x + 1)]) {\n        v = 0:uint8\n      }\n" + store("v"),
                "@pyk.disjoint(out, a):boolean");
    expect_tail(
        "      v = 0:uint8\n      for d in range(-1, 2, 1) {\n        v = @max(v, a[(y + d), (x - d)]):uint8\n" +
            std::string("      }\n") + store("v"),
        "@pyk.disjoint(out, a):boolean");
}

TEST(OverlapTails, NotWhereAnIterationNeedsAnother) {
    expect_kept(rows(row(store("(out[y, (x - 1)] + a[y, x])"))));
    expect_kept(rows(row("      v = (v + (a[y, x] ^ a[y, (x + 1)]))\n" + store("v"))));
    expect_kept(rows(row("      if (a[y, x] < a[y, (x + 1)]) {\n        v = 1:uint8\n      }\n" + store("v"))));
}

TEST(OverlapTails, NotOfOthers) {
    expect_kept(row(mean("a")));                     // one row
    expect_kept(rows(row(store("a[y, x]"))));        // little work
    expect_kept(rows(row(store("a[y, a[y, x]]"))));  // anywhere
    expect_kept(rows(row(mean("any"))));
    expect_kept(rows(row(store("uint8((wide[y, x] + wide[y, (x + 1)]))"))));
    expect_kept(rows(row(store("(a[y, x] // a[y, (x + 1)])"))));  // may fail
    expect_kept(rows(row("      if (a[y, x] < a[y, (x + 1)]) {\n" + store("1:uint8") + "      }\n")));
    expect_kept(rows(row(mean("a") + "      if (a[y, x] > 9:uint8) {\n        break\n      }\n")));
    expect_kept(rows(row(mean("a"), "int64(a[y, 0])")));  // rows of other lengths
    expect_kept(rows("    for x in range(1, n, 2) {\n" + mean("a") + "    }\n"));
    expect_kept(rows("    for x in range(0, 100, 1) {\n" + mean("a") + "    }\n"));
}

}  // namespace
}  // namespace pyk::test
