// Recurrences in lower bits.
#include "passes/mask_late.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

std::string text(const std::string& body, const std::string& behind = "") {
    return "kernel k = k_(a: int64[::1], n: int64) {\n  var s: int64\n  var t: int64\n  temp i: int64\n  s = n\n"
           "  t = 0\n  for i in range(0, n, 1) {\n" +
           body + "  }\n" + behind + "  store a[0] = t\n}\n";
}
void expect_kept(const std::string& body, const std::string& behind = "") {
    expect_unchanged(mask_late, text(body, behind));
}
const std::string kNext = "    s = (((5 * s) + n) & 255)\n";

TEST(MaskLate, WhereItIsRead) {
    expect_pass(mask_late, text(kNext + "    t = (t + s)\n"), text("    s = ((5 * s) + n)\n    t = (t + (s & 255))\n"));
    expect_pass(mask_late, text(kNext + "    if ((s & 3) == 0) {\n      t = (t + (s & 4095))\n    }\n"),
                text("    s = ((5 * s) + n)\n    if ((s & 3) == 0) {\n      t = (t + (s & 255))\n    }\n"));
}

TEST(MaskLate, MasksOfTheAuthorsStay) {
    expect_pass(mask_late, text(kNext + "    t = ((s & 3) & 7)\n"), text("    s = ((5 * s) + n)\n    t = (s & 3)\n"));
    expect_pass(mask_late, text(kNext + "    t = ((s & n) & 7)\n"),
                text("    s = ((5 * s) + n)\n    t = (((s & 255) & n) & 7)\n"));
}

TEST(MaskLate, NotOfWhatIsReadBeforeOrBehind) {
    expect_kept(kNext, "  t = s\n");
    expect_kept("    t = s\n" + kNext);
    expect_kept(kNext + "    s = (s + t)\n");
}

TEST(MaskLate, NotWhereUpperBitsCount) {
    expect_kept("    s = (((s >> 3) + n) & 255)\n    t = (t + s)\n");
    expect_kept("    s = ((5 * s) & 254)\n    t = (t + s)\n");
    expect_kept("    s = (a[s] & 255)\n    t = (t + s)\n");
    expect_kept("    s = (n & 255)\n    t = (t + s)\n");
}

}  // namespace
}  // namespace pyk::test
