// Comparisons of floats that are both made.
#include "passes/join_conditions.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

void expect_joined(const std::string& before, const std::string& after) {
    const auto text = [](const std::string& condition) {
        return "kernel k = k_(a: float64[::1], b: boolean[::1], i: int64, x: float64, y: float32) {\n  store b[i] = " +
               condition + "\n}\n";
    };
    expect_pass(join_conditions, text(before), text(after));
}

TEST(JoinConditions, OfWhatIsAtHand) {
    expect_joined("((0.0:float64 <= x) and (x < 1.0:float64))", "((0.0:float64 <= x) & (x < 1.0:float64))");
    expect_joined("((x < 0.0:float64) or (x > float64(y)))", "((x < 0.0:float64) | (x > float64(y)))");
    expect_joined("((a[i] > x) and (a[i] < 1.0:float64))", "((a[i] > x) & (a[i] < 1.0:float64))");
    expect_joined("(((x > 0.0:float64) and (x < 1.0:float64)) and (y < 1.0:float32))",
                  "(((x > 0.0:float64) & (x < 1.0:float64)) & (y < 1.0:float32))");
}

TEST(JoinConditions, NotOfWhatMustNotBeReadOrCosts) {
    for (const std::string condition : {
             "((x > 0.0:float64) and (a[i] > x))",               // may be out of range
             "((a[(i + 1)] > x) and (a[i] > x))",                // another element
             "((a[wrap i] > x) and (a[i] > x))",                 // another, too, of a negative i
             "((x > 0.0:float64) and ((x * x) < 4.0:float64))",  // computes
             "((i > 0) and (x > 0.0:float64))",                  // g++ joins integers by itself
             "((x > 0.0:float64) and b[i])",
         })
        expect_joined(condition, condition);
}

}  // namespace
}  // namespace pyk::test
