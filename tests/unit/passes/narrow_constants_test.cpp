// Constants that are ints.
#include "passes/narrow_constants.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

std::string kernel(const std::string& constants, const std::string& body) {
    return constants + "kernel k = k_(a: int64[::1], n: int64, s: int32) {\nvar i: int64\n" + body + "\n}";
}

TEST(NarrowConstants, IntsEverywhere) {
    expect_pass(
        narrow_constants,
        kernel("constant A: int64 = -5\nconstant B: int64 = 7\n",
               "i = int64((s // int32($A)))\ni = (n * $A)\ni = (shape(a, 0) - $A)\ni = int64((s + int32($B)))"),
        kernel("constant A: int32 = -5\nconstant B: int32 = 7\n",
               "i = int64((s // $A))\ni = (n * int64($A))\ni = (shape(a, 0) - int64($A))\ni = int64((s + $B))"));
}

// Where an int would have to be converted, or nothing asks for one.
TEST(NarrowConstants, OthersStay) {
    const std::string text = kernel("constant A: int64 = 5\nconstant B: int64 = 5\nconstant C: float64 = 2.0\n",
                                    "i = int64((s // int32($A)))\ni = (int64(s) * $A)\ni = (n * $B)\ni = int64($C)");
    expect_unchanged(narrow_constants, text);
}

}  // namespace
}  // namespace pyk::test
