// What the tests of algorithms have in common.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pyk/algorithms.hpp"

namespace pyk::test {

/// A test that runs on the CPU, and on a GPU where there is one.
class Algorithms : public testing::TestWithParam<jit::Backend> {
  protected:
    void SetUp() override {
        if (const auto why = jit::why_unavailable(GetParam())) {
            if (GetParam() == jit::Backend::cuda) GTEST_SKIP() << *why;
            FAIL() << *why;
        }
        device_ = GetParam() == jit::Backend::cpu ? Device::cpu() : Device::get(0).value();
    }
    jit::Module load(const char* text, bool debug = false) const {
        jit::Options options;
        options.backend = GetParam();
        options.debug = debug;
        return load_text("algorithms.pyk", text, options).value();
    }
    template <class T>
    Array<T> on_device(const std::vector<T>& host) const {
        return Array<T>::from_host(device_, host).value();
    }

    Device device_ = Device::cpu();
};

#define PYK_ON_DEVICES(Suite)                                                                             \
    INSTANTIATE_TEST_SUITE_P(On, Suite, testing::Values(pyk::jit::Backend::cpu, pyk::jit::Backend::cuda), \
                             [](const auto& info) { return info.param == pyk::jit::Backend::cpu ? "cpu" : "gpu"; })

/// All elements.
template <class T>
std::vector<T> all(const Result<AnyArray>& result) {
    EXPECT_TRUE(result) << result.message();
    if (!result) return {};
    return result->template to_host<T>().value();
}

/// The only element of an array without axes.
template <class T>
T item(const Result<AnyArray>& result) {
    EXPECT_TRUE(result) << result.message();
    if (!result) return {};
    EXPECT_TRUE(result->shape().empty());
    return result->template item<T>().value();
}

template <class Call>
std::string failure(const Call& result) {
    return result ? "" : result.message();
}

}  // namespace pyk::test
