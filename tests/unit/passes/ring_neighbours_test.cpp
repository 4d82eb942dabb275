// Places beside a loop's on a ring.
#include "passes/ring_neighbours.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

void expect_in_loop(const std::string& head, const std::string& before, const std::string& after) {
    const auto text = [&](const std::string& value) {
        return "kernel k = k_(a: int64[::1], n: int64, m: int64) {\n  var i: int64\n  var d: int64\n  var p: int64\n" +
               head + "    p = " + value + "\n    store a[i] = p\n  }\n}\n";
    };
    expect_pass(lower_ring_neighbours, text(before), text(after));
}
void expect_stays(const std::string& head, const std::string& value) { expect_in_loop(head, value, value); }

constexpr const char* kRing = "  for i in range(0, n, 1) {\n";

TEST(RingNeighbours, NeedNoDivision) {
    expect_in_loop(kRing, "((i + 1) % n)", "(0 if ((i + 1) == n) else (i + 1))");
    expect_in_loop(kRing, "((1 + i) % n)", "(0 if ((i + 1) == n) else (i + 1))");
    expect_in_loop(kRing, "((i - 1) % n)", "((n - 1) if (i == 0) else (i - 1))");
    expect_in_loop(kRing, "((i + -1) % n)", "((n - 1) if (i == 0) else (i + -1))");
    expect_in_loop("  for i in range(3, shape(a, 0), 2) {\n", "((i + 1) % shape(a, 0))",
                   "(0 if ((i + 1) == shape(a, 0)) else (i + 1))");
}

TEST(RingNeighbours, ByAStepOfALoopOfItsOwn) {
    expect_in_loop("  for i in range(0, n, 1) {\n  for d in range(-1, 2, 1) {\n    eval a[0]\n  }\n  d = -1\n",
                   "((i + d) % n)", "((n - 1) if ((i + d) < 0) else (i + d))");
}

TEST(RingNeighbours, OnceMoreAroundIsTheSame) {
    for (const char* place : {"((i - 1) + n)", "((i + n) - 1)", "((n + i) - 1)", "(n + (i - 1))"})
        expect_in_loop(kRing, "(" + std::string(place) + " % n)", "((n - 1) if (i == 0) else (i - 1))");
}

// --- where a condition says so ---------------------------------------------------------------------------------------

constexpr const char* kOnRing = "(0 if ((i + 1) == n) else (i + 1))";

/// `head` opens blocks, `closing` ends them.
void expect_guarded(const std::string& head, const std::string& closing, const std::string& after) {
    const auto text = [&](const std::string& value) {
        return "kernel k = k_(a: int64[::1], n: int64, m: int64) {\n  var i: int64\n  var p: int64\n"
               "  i = int64(@cuda.threadIdx.x:int32)\n" +
               head + "\n    p = " + value + "\n    store a[i] = p\n" + closing + "}\n";
    };
    expect_pass(lower_ring_neighbours, text("((i + 1) % n)"), text(after));
}

TEST(RingNeighbours, WhereAConditionSaysThatThePlaceIsOne) {
    expect_guarded("  if (i < n) {", "  }\n", kOnRing);
    expect_guarded("  if ((n > i) and (m < 3)) {", "  }\n", kOnRing);
    expect_guarded("  if ((i >= n) or (m < 3)) {\n  } else {", "  }\n", kOnRing);
    expect_guarded("  if ((i >= n) or (m < 3)) {\n    return\n  }", "", kOnRing);
    expect_guarded("  if (not (i < n)) {\n    return\n  }", "", "((i + 1) % n)");  // fold makes `i >= n` of it
}

TEST(RingNeighbours, OtherConditionsSayNothing) {
    for (const char* head : {"  if (i <= n) {", "  if (i < m) {", "  if ((i < n) or (m < 3)) {", "  if (i >= n) {"})
        expect_guarded(head, "  }\n", "((i + 1) % n)");
    expect_guarded("  if (i < n) {\n    p = 1\n  }", "", "((i + 1) % n)");
    expect_guarded("  if (i >= n) {\n    p = 1\n  }", "", "((i + 1) % n)");
    expect_guarded("  if (i < n) {\n    i = (i + 3)", "  }\n", "((i + 1) % n)");  // another i
}

TEST(RingNeighbours, OtherPlacesStay) {
    expect_stays(kRing, "((i + 2) % n)");
    expect_stays(kRing, "((i + 1) % m)");
    expect_stays(kRing, "((i + m) % n)");
    expect_stays(kRing, "((1 - i) % n)");
    expect_stays("  for i in range(m, n, 1) {\n", "((i - 1) % n)");
    expect_stays("  for i in range(n, 0, -1) {\n", "((i - 1) % n)");
    expect_stays("  for i in range(0, m, 1) {\n    m = (m + 1)\n", "((i + 1) % m)");
}

}  // namespace
}  // namespace pyk::test
