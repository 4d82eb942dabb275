// Tests that run on the CPU, and on a GPU where there is one.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "pyk/pyk.hpp"

/// Of SetUp: without a compiler for the CPU the test fails.
inline void need_cpu() {
    const auto why = pyk::jit::why_unavailable(pyk::jit::Backend::cpu);
    ASSERT_FALSE(why) << *why;
}

/// Skipped without a GPU; without a compiler for the CPU it fails.
class OnBackend : public testing::TestWithParam<pyk::jit::Backend> {
  protected:
    void SetUp() override {
        if (GetParam() == pyk::jit::Backend::cpu) return need_cpu();
        if (const auto why = pyk::jit::why_unavailable(GetParam())) GTEST_SKIP() << *why;
    }
};
