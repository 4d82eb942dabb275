#include "driver/archs.h"

#include <gtest/gtest.h>

namespace pyk {
namespace {

Unit unit(int min_sm) {
    Unit result;
    EntryPoint& entry = result.entries.emplace_back();
    entry.kernel = "k";
    entry.min_sm = min_sm;
    return result;
}

// arch-too-low
TEST(Archs, AKernelThatNeedsMoreIsAnError) {
    Diagnostics diagnostics;
    check_archs(unit(90), {{90, 0, false}, {100, 'a', false}}, Program(), diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    check_archs(unit(90), {{75, 0, false}, {90, 0, false}}, Program(), diagnostics);
    ASSERT_EQ(diagnostics.error_count(), 1u);
    EXPECT_EQ(render(diagnostics),
              "pykc: error: kernel `k` needs sm_90 or later, but sm_75 was asked for [arch-too-low]\n");
}

TEST(Archs, TheDefaultCanRunEveryKernel) {
    EXPECT_GE(default_arch(unit(0), true).number, 50);
    EXPECT_EQ(default_arch(unit(999), false), (Arch{999, 0, false}));
}

}  // namespace
}  // namespace pyk
