// Tuples that become variables.
#include "passes/split_tuples.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

void expect_split(const std::string& locals, const std::string& before, const std::string& locals_after,
                  const std::string& after) {
    const std::string head = "kernel k = k_(a: int64[::1], n: int64) {\n  var i: int64\n";
    expect_pass(split_tuples, head + locals + before + "\n}", head + locals + locals_after + after + "\n}");
}
void expect_whole(const std::string& locals, const std::string& text) { expect_split(locals, text, "", text); }

const std::string kPair = "  var t: (int64, int64)\n";
const std::string kItems = "  var t_0: int64\n  var t_1: int64\n";

TEST(SplitTuples, WhereItemsAreAllThatIsRead) {
    expect_split(kPair, "t = tuple(n, 2)\nstore a[item(t, 0)] = item(t, 1)", kItems,
                 "t_0 = n\nt_1 = 2\nstore a[t_0] = t_1");
    expect_split(kPair,
                 "t = tuple(n, 2)\nwhile (item(t, 1) < n) {\nt = tuple((item(t, 0) + 1), (item(t, 1) + item(t, 1)))\n}",
                 kItems, "t_0 = n\nt_1 = 2\nwhile (t_1 < n) {\nt_0 = (t_0 + 1)\nt_1 = (t_1 + t_1)\n}");
}

TEST(SplitTuples, TuplesInTuples) {
    expect_split("  var t: (int64, (int64, float64))\n",
                 "t = tuple(n, tuple(3, 0.5))\nstore a[0] = item(item(t, 1), 0)",
                 "  var t_0: int64\n  var t_1: (int64, float64)\n  var t_1_0: int64\n  var t_1_1: float64\n",
                 "t_0 = n\nt_1_0 = 3\nt_1_1 = 0.5\nstore a[0] = t_1_0");
}

TEST(SplitTuples, NotWhereItIsReadAsOne) {
    expect_whole(kPair + "  var u: (int64, int64)\n", "t = tuple(n, 2)\nu = t\nstore a[item(u, 0)] = item(u, 1)");
    expect_whole(kPair, "t = tuple(n, 2)\nstore a[0] = at(t, n)");
}

TEST(SplitTuples, NotWhereAnItemIsReadBehindItsNewValue) {
    expect_whole(kPair, "t = tuple(n, 2)\nt = tuple(item(t, 1), item(t, 0))\nstore a[item(t, 0)] = item(t, 1)");
}

TEST(SplitTuples, NotWhereAHandlerSeesThem) {
    expect_whole(kPair, "try {\nt = tuple(n, (1 // n))\n} except {\n}\nstore a[item(t, 0)] = item(t, 1)");
}

}  // namespace
}  // namespace pyk::test
