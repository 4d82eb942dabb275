// Choices that the next load waits for.
#include "passes/keep_branches.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

void expect_kept(const std::string& before, const std::string& after) {
    const auto text = [](const std::string& body) {
        return "kernel k = k_(a: float64[::1], n: int64) {\n  var best: int64\n  temp i: int64\n  best = 0\n" + body +
               "  store a[best] = 0.0:float64\n}\n";
    };
    expect_pass(keep_branches, text(before), text(after));
}
std::string in_loop(const std::string& choice) { return "  for i in range(0, n, 1) {\n" + choice + "  }\n"; }

TEST(KeepBranches, WhereTheConditionLoadsWhatWasChosen) {
    expect_kept(in_loop("    if (a[i] > a[best]) {\n      best = i\n    }\n"),
                in_loop("    if (a[i] > a[best]) {\n      best = @pyk.branched(i):int64\n    }\n"));
}

TEST(KeepBranches, NotOfOtherChoices) {
    for (const std::string choice : {
             "    if (a[i] > 0.0:float64) {\n      best = i\n    }\n",
             "    if (a[i] > a[best]) {\n      best = (best + 1)\n    }\n",
             "    if (a[i] > a[best]) {\n      best = i\n    } else {\n      best = n\n    }\n",
         })
        expect_kept(in_loop(choice), in_loop(choice));
    const std::string once = "  if (a[n] > a[best]) {\n    best = n\n  }\n";
    expect_kept(once, once);
}

}  // namespace
}  // namespace pyk::test
