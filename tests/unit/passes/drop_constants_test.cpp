// Constants that nobody names are gone.
#include "passes/drop_constants.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

TEST(DropConstants, OnlyWhatIsNamedIsKept) {
    const std::string kernel = "kernel k = k_(a: int64[::1]) {\nstore a[0] = $C\nstore a[1] = $E\n}";
    const std::string kept = "constant C: int64 = 3\nconstant E: int64 = 5\n";
    expect_pass(drop_constants,
                "constant A: int64 = 1\nconstant C: int64 = 3\nconstant D: int64 = 4\nconstant E: int64 = 5\n" + kernel,
                kept + kernel);
    expect_unchanged(drop_constants, kept + kernel);
}

}  // namespace
}  // namespace pyk::test
