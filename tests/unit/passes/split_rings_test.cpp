// Loops over rings, whose inner part meets no end.
#include "passes/split_rings.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

std::string text(const std::string& body) {
    return "kernel k = k_(x: float64[::1], out: float64[::1], n: int64, m: int64) {\n"
           "  temp i: int64\n  temp d: int64\n  temp j: int64\n" +
           body + "}\n";
}
void expect_split(const std::string& before, const std::string& after) {
    expect_pass(split_rings, text(before), text(after));
}
void expect_whole(const std::string& body) { expect_split(body, body); }
std::string loop(const std::string& first, const std::string& end, const std::string& body) {
    return "  for i in range(" + first + ", " + end + ", 1) {\n" + body + "  }\n";
}
std::string whole(const std::string& body) { return loop("0", "n", body); }
std::string store(const std::string& index) { return "    store out[i] = x[" + index + "]\n"; }

TEST(SplitRings, NeighboursOnBothSides) {
    const std::string both = "    store out[i] = (x[wrap (i - 1)] + x[((i + 1) % n)])\n";
    expect_split(whole(both), loop("0", "@min(1, n):int64", both) +
                                  loop("1", "(n - 1)", "    store out[i] = (x[(i - 1)] + x[(i + 1)])\n") +
                                  loop("@max(1, (n - 1)):int64", "n", both));
}

TEST(SplitRings, NeighboursOnOneSide) {
    const std::string below = store("wrap (i - 2)"), above = store("((3 + i) % n)"),
                      around = store("(((i - 1) + n) % n)"), kept = "    store out[wrap (i - 1)] = x[i]\n";
    expect_split(whole(below), loop("0", "@min(2, n):int64", below) + loop("2", "n", store("(i - 2)")));
    expect_split(whole(above), loop("0", "(n - 3)", store("(3 + i)")) + loop("@max(0, (n - 3)):int64", "n", above));
    expect_split(whole(around), loop("0", "@min(1, n):int64", around) + loop("1", "n", store("(i - 1)")));
    expect_split(whole(kept), loop("0", "@min(1, n):int64", kept) + loop("1", "n", "    store out[(i - 1)] = x[i]\n"));
    // The loop begins behind the first.
    expect_split(loop("1", "n", below), loop("1", "@min(2, n):int64", below) + loop("2", "n", store("(i - 2)")));
    expect_whole(loop("2", "n", below));
}

TEST(SplitRings, NeighboursThatALoopVisits) {
    const auto visit = [](const std::string& index) {
        return "    for d in range(-1, 2, 1) {\n" + store(index) + "    }\n";
    };
    const std::string ring = visit("((i + d) % n)");
    expect_split(whole(ring), loop("0", "@min(1, n):int64", ring) + loop("1", "(n - 1)", visit("(i + d)")) +
                                  loop("@max(1, (n - 1)):int64", "n", ring));
}

// What is around a neighbour is farther away than the neighbour.
TEST(SplitRings, NeighboursOfNeighbours) {
    const auto expect_inner = [](const std::string& before, const std::string& after) {
        expect_split(whole(store(before)),
                     loop("0", "(n - 1)", store(after)) + loop("@max(0, (n - 1)):int64", "n", store(before)));
    };
    expect_inner("((((i + 1) % n) + 3) % n)", "(((i + 1) + 3) % n)");
    expect_inner("wrap (((i + 1) % n) - 2)", "wrap ((i + 1) - 2)");
}

TEST(SplitRings, NotOfOthers) {
    expect_whole(whole(store("((i + 1) % m)")));  // another ring
    expect_whole(whole(store("wrap (i - 9)")));   // far away
    expect_whole(whole(store("wrap (m - i)")));
    expect_whole(whole(store("wrap (i - m)")));
    expect_whole(whole(store("(i + 1)")));
    expect_whole(loop("0", "9", store("wrap (i - 1)")));  // over soon
    expect_whole(loop("m", "n", store("wrap (i - 1)")));
    expect_whole(whole(store("wrap (i - 1)") + "    if (out[i] > 9.0) {\n      break\n    }\n"));
    expect_whole(whole("    for j in range(0, m, 1) {\n" + store("wrap (i - 1)") + "    }\n"));
    expect_whole("  for i in range(0, n, 2) {\n" + store("wrap (i - 1)") + "  }\n");
}

}  // namespace
}  // namespace pyk::test
