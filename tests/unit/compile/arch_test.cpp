#include "compile/arch.h"

#include <gtest/gtest.h>

namespace pyk {
namespace {

TEST(Arch, ReadsWhatToolsWrite) {
    EXPECT_EQ(parse_arch("sm_90"), (Arch{90, 0, false}));
    EXPECT_EQ(parse_arch("90"), (Arch{90, 0, false}));
    EXPECT_EQ(parse_arch("sm_90a"), (Arch{90, 'a', false}));
    EXPECT_EQ(parse_arch("compute_100f"), (Arch{100, 'f', true}));
}

TEST(Arch, RefusesTheRest) {
    for (const char* text : {"", "sm_", "sm90", "sm_9", "sm_90b", "sm_90aa", "sm_9000", "compute_", "native", "sm_-90"})
        EXPECT_EQ(parse_arch(text), std::nullopt) << text;
}

TEST(Arch, Names) {
    EXPECT_EQ(parse_arch("compute_90a")->real_name(), "sm_90a");
    EXPECT_EQ(parse_arch("sm_75")->virtual_name(), "compute_75");
}

}  // namespace
}  // namespace pyk
