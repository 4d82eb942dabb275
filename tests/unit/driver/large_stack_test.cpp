#include "support/large_stack.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace pyk {
namespace {

// One frame of about 4 KiB per level.
int depth(int levels) {
    volatile char frame[4000];
    frame[0] = 1;
    return levels == 0 ? 0 : depth(levels - 1) + frame[0];
}

TEST(LargeStack, HoldsWhatTheUsualOneDoesNot) {
    EXPECT_EQ(on_large_stack([] { return depth(50000); }), 50000);
}

TEST(LargeStack, PassesExceptionsOn) {
    EXPECT_THROW(on_large_stack([]() -> int { throw std::runtime_error("x"); }), std::runtime_error);
}

TEST(LargeStack, WithinItselfItOnlyCalls) {
    const bool same = on_large_stack([] {
        const auto outer = std::this_thread::get_id();
        return on_large_stack([&] { return std::this_thread::get_id() == outer; });
    });
    EXPECT_TRUE(same);
}

}  // namespace
}  // namespace pyk
