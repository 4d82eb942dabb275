// What an expression names twice is one local.
#include "passes/join_broadcasts.h"
#include "pass_test.h"

namespace pyk::test {
namespace {

std::string function(const std::string& body) {
    return R"(
device f = f_(x: float64[:], y: float64[:], t: float64[::1]) effects(reads, writes, ordered) {
  temp v: float64[:]
  temp w: float64[:]
  temp i: int64
)" + body + "}";
}

const std::string kV = "v = @pyk.broadcast(x, t):float64[:]\n", kW = "w = @pyk.broadcast(x, t):float64[:]\n";

std::string loop(const std::string& value) {
    return "for i in range(0, shape(t, 0), 1) {\nstore t[i] = " + value + "\n}\n";
}

void expect_unchanged(const std::string& body) { expect_pass(join_broadcasts, function(body), function(body)); }

TEST(JoinBroadcasts, OfOneArray) {
    expect_pass(join_broadcasts, function(kV + kW + loop("(v[i] * w[i])")), function(kV + loop("(v[i] * v[i])")));
    const std::string between = loop("(v[i] + 1.0)");
    expect_pass(join_broadcasts, function(kV + between + kW + loop("w[i]")), function(kV + between + loop("v[i]")));
}

TEST(JoinBroadcasts, OfOthersStay) {
    expect_unchanged(kV + "w = @pyk.broadcast(y, t):float64[:]\n" + loop("(v[i] * w[i])"));
    expect_unchanged(kV + "w = @pyk.broadcast(x, y):float64[:]\n" + loop("(v[i] * w[0])"));
}

TEST(JoinBroadcasts, WhatIsAssignedBetweenIsAnotherArray) {
    expect_unchanged(kV + "x = y\n" + kW + loop("(v[i] * w[i])"));
    expect_unchanged(kV + "for i in range(0, 3, 1) {\nx = y\n}\n" + kW + loop("(v[i] * w[i])"));
    // A local that is assigned twice is not one array.
    expect_unchanged(kV + kW + loop("w[i]") + "w = y\n" + loop("w[i]"));
}

TEST(JoinBroadcasts, OneThatAnotherBranchHasIsNotThere) {
    expect_unchanged("for i in range(0, 3, 1) {\n" + kV + "store t[i] = v[i]\n}\n" + kW + loop("w[i]"));
}

TEST(JoinBroadcasts, OfWhatIsKeptApart) {
    const std::string apart = "p = @pyk.apart(x, t):float64[:]\nv = @pyk.broadcast(p, t):float64[:]\n";
    const std::string again = "q = @pyk.apart(x, t):float64[:]\nw = @pyk.broadcast(q, t):float64[:]\n";
    const std::string locals = "  temp p: float64[:]\n  temp q: float64[:]\n";
    expect_pass(join_broadcasts, function(locals + apart + again + loop("(v[i] * w[i])")),
                function(locals + apart + loop("(v[i] * v[i])")));
}

}  // namespace
}  // namespace pyk::test
