// Which loops over whole arrays run on several cores.
#include "passes/share_array_loops.h"

#include "ir/walk.h"
#include "pass_test.h"

namespace pyk::test {
namespace {

const std::string kHead = R"(module "t.pyk"

device g = g_a1f8(a: float64[:]) -> float64 effects(writes) {
  store a[0] = 1.0
  return 0.0
}
)";
const std::string kLocals = R"(
  temp t: float64[::1]
  temp i: int64
  temp j: int64
  var k: int64
  temp s: float64
  temp e: float64
  var r: float64
)";

/// The counters of loops that are parallel once the pass ran.
std::string shared(const std::string& body, const std::string& options = " parallel") {
    ir::Module module = parse_valid_ir(kHead + "device f = f_(x: float64[:], y: float64[:], m: float64[:, :])" +
                                       options + " effects(reads, writes, ordered) {" + kLocals + body + "}");
    run_pass(share_array_loops, module);
    EXPECT_EQ(problems_of(module), "");
    const ir::Function& function = module.functions.back();
    std::string counters;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* loop = stmt.as<ir::ForRange>();
        if (loop && loop->is_parallel) counters += function.local(loop->counter).name;
    });
    return counters;
}

TEST(ShareArrayLoops, OverAllElements) {
    EXPECT_EQ(shared("for i in range(0, shape(x, 0), 1) {\nstore x[i] = (y[i] * 2.0)\n}\n"), "i");
    EXPECT_EQ(shared("for i in range(0, shape(x, 0), 1) {\nstore x[i] = 2.0\n}\n"), "i");
    EXPECT_EQ(shared("for i in range(0, shape(x, 0), 1) {\nstore x[i] = float64(i)\n}\n"), "i");
    const std::string both = "for i in range(0, shape(m, 0), 1) {\nfor j in range(0, shape(m, 1), 1) {\n";
    EXPECT_EQ(shared(both + "store m[i, j] = (m[i, j] * 2.0)\n}\n}\n"), "i");
}

TEST(ShareArrayLoops, WhatBuildsUpNumbers) {
    const std::string loop = "for i in range(0, shape(x, 0), 1) {\n";
    EXPECT_EQ(shared("s = 0.0\n" + loop + "s = (s + x[i])\n}\nr = s\n"), "i");
    EXPECT_EQ(shared("s = 0.0\n" + loop + "e = x[i]\ns = (s + (e * e))\n}\nr = s\n"), "i");
    // An element from one iteration to the next, or beyond the last; a local of the author's.
    EXPECT_EQ(shared("s = 0.0\ne = 0.0\n" + loop + "s = (s + e)\ne = x[i]\n}\nr = s\n"), "");
    EXPECT_EQ(shared("s = 0.0\ne = 0.0\n" + loop + "e = x[i]\ns = (s + e)\n}\nr = (s + e)\n"), "");
    EXPECT_EQ(shared("r = 0.0\n" + loop + "r = (r + x[i])\n}\ns = r\n"), "");
    EXPECT_EQ(shared("s = 0.0\n" + loop + "s = (s + x[i])\nstore y[i] = s\n}\nr = s\n"), "");
}

TEST(ShareArrayLoops, InParallelFunctionsAlone) {
    EXPECT_EQ(shared("for i in range(0, shape(x, 0), 1) {\nstore x[i] = y[i]\n}\n", ""), "");
}

TEST(ShareArrayLoops, NotTheAuthorsOwn) {
    EXPECT_EQ(shared("for k in range(0, shape(x, 0), 1) {\nstore x[k] = y[k]\n}\n"), "");
}

TEST(ShareArrayLoops, NotOverAPart) {
    EXPECT_EQ(shared("for i in range(1, shape(x, 0), 1) {\nstore x[i] = y[i]\n}\n"), "");
    EXPECT_EQ(shared("for i in range(0, shape(x, 0), 2) {\nstore x[i] = y[i]\n}\n"), "");
    EXPECT_EQ(shared("for i in range(0, shape(y, 0), 1) {\nstore x[i] = y[i]\n}\n"), "");
}

TEST(ShareArrayLoops, NotWhatReadsOtherElements) {
    EXPECT_EQ(shared("for i in range(0, shape(x, 0), 1) {\nstore x[i] = y[0]\n}\n"), "");
    EXPECT_EQ(shared("for i in range(0, shape(x, 0), 1) {\nstore x[i] = m[i, i]\n}\n"), "");
}

TEST(ShareArrayLoops, NotWhatDoesMore) {
    EXPECT_EQ(shared("for i in range(0, shape(x, 0), 1) {\nstore x[i] = call g_a1f8(y)\n}\n"), "");
}

TEST(ShareArrayLoops, WithinOthersButNotWithinParallelOnes) {
    EXPECT_EQ(shared("for k in range(0, 3, 1) {\nfor i in range(0, shape(x, 0), 1) {\nstore x[i] = y[i]\n}\n}\n"), "i");
}

}  // namespace
}  // namespace pyk::test
