// What the next iteration loads, in a register.
#include "passes/forward_stores.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

std::string text(const std::string& body, const std::string& more = "") {
    return "kernel k = k_(u: float64[:, ::1], w: float64[:, ::1], m: int64[:, ::1], y: int64, z: int64, n: int64) {\n" +
           std::string("  var v: float64\n  temp x: int64\n") + more + body + "}\n";
}
std::string loop(const std::string& body) { return "  for x in range(1, n, 1) {\n" + body + "  }\n"; }
std::string store(const std::string& place, const std::string& value) {
    return "    store u[" + place + "] = " + value + "\n";
}
const std::string kOther = store("(y + 1), x", "1.0");

void expect_forwarded(const std::string& before, const std::string& first, const std::string& after) {
    expect_pass(forward_stores, text(loop(before)),
                text("  u_at = (u[" + first + "] if (1 < n) else 0.0)\n" + loop(after), "  temp u_at: float64\n"));
}
void expect_kept(const std::string& body) { expect_unchanged(forward_stores, text(body)); }

TEST(ForwardStores, ToTheNextIteration) {
    expect_forwarded(store("y, x", "(u[y, (x - 1)] * 0.5)") + kOther, "y, 0",
                     "    u_at = (u_at * 0.5)\n" + store("y, x", "u_at") + kOther);
    expect_forwarded("    v = u[y, x]\n" + store("y, x", "1.0") + kOther + store("y, (x + 1)", "(u[y, (x + 1)] + v)"),
                     "y, 1",
                     "    v = u_at\n" + store("y, x", "1.0") + kOther + "    u_at = (u[y, (x + 1)] + v)\n" +
                         store("y, (x + 1)", "u_at"));
}

TEST(ForwardStores, OfChoicesWithoutBranches) {
    expect_forwarded("    v = (1.0 if (u[y, (x - 1)] > 0.5) else 0.0)\n" + store("y, x", "(v + u[y, x])") + kOther,
                     "y, 0",
                     "    v = @pyk.chosen((1.0 if (u_at > 0.5) else 0.0)):float64\n    u_at = (v + u[y, x])\n" +
                         store("y, x", "u_at") + kOther);
}

TEST(ForwardStores, NotWhereAnotherStoreMayBeInBetween) {
    const std::string decays = store("y, x", "(u[y, (x - 1)] * 0.5)");
    expect_kept(loop(decays + store("z, x", "1.0")));
    expect_kept(loop(decays + store("y, x", "1.0")));
    expect_kept(loop(store("y, (x - 1)", "1.0") + decays));
    expect_kept(loop(decays + "    store w[y, x] = 1.0\n"));
    expect_kept(loop(decays + store("m[y, x], 0", "1.0")));
}

TEST(ForwardStores, NotOfOthers) {
    const std::string decays = store("y, x", "(u[y, (x - 1)] * 0.5)");
    expect_kept(loop(decays));                                                         // g++ sees it
    expect_kept(loop(store("y, x", "(u[y, (x - 2)] * 0.5)") + kOther));                // of the iteration before
    expect_kept(loop(store("y, x", "2.0") + store("(y + 1), x", "u[y, (x - 1)]")));    // not one of the other
    expect_kept(loop(store("y, x", "(1.0 if (x < 5) else u[y, (x - 1)])") + kOther));  // may not be loaded
    expect_kept(loop("    if (x > 3) {\n  " + decays + "    }\n" + kOther));
    expect_kept("  for x in range(1, n, 2) {\n" + decays + kOther + "  }\n");
    expect_kept(loop(store("y, x", "(u[y, (x - 1)] / v)") + kOther));  // may fail
}

}  // namespace
}  // namespace pyk::test
