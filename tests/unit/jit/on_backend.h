// Tests of array functions that run on the CPU, and on a GPU where there is one.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "pyk/pyk.hpp"

/// Skipped without a GPU; without a compiler for the CPU it fails.
class OnBackend : public testing::TestWithParam<pyk::jit::Backend> {
  protected:
    void SetUp() override {
        if (const auto why = pyk::jit::why_unavailable(GetParam())) {
            if (GetParam() == pyk::jit::Backend::cuda) GTEST_SKIP() << *why;
            FAIL() << *why;
        }
    }
};
