// The copies that stand for host arrays in a launch. Made on the CPU, whose memory the test can look at.
#include "jit/host_arrays.h"

#include <gmock/gmock.h>

#include <numeric>

namespace {

using pyk::jit::Argument;
using pyk::jit::HostArrays;
using ::testing::ElementsAre;

class Copies : public testing::Test {
  protected:
    Copies() { std::iota(v.begin(), v.end(), 0.0f); }
    pyk::View<float> all() { return pyk::host(v.data(), {8}); }
    // Its copy.
    template <class Array>
    float* add(const Array& array, bool written = true) {
        kept.push_back(std::make_unique<Argument>(pyk::jit::make_argument(array)));
        void* address = nullptr;
        copies.add(*kept.back(), written, address).or_throw();
        return static_cast<float*>(address);
    }
    std::vector<float> v = std::vector<float>(8);
    std::vector<std::unique_ptr<Argument>> kept;  // as long as the launch
    HostArrays copies{pyk::Device::cpu().context(), {}};
};

TEST_F(Copies, AnArrayIsThereOnce) {
    float* const copy = add(all());
    EXPECT_NE(copy, v.data());
    EXPECT_EQ(add(all(), false), copy);
    EXPECT_EQ(add(all().reshape({2, 4}).value()), copy) << "the same bytes in another shape";
    EXPECT_EQ(add(all().slice(0, 0, 8, 3)), add(all().slice(0, 0, 8, 3)));
    copy[7] = -1;
    copies.copy_back().or_throw();
    EXPECT_EQ(v[7], -1);
}

TEST_F(Copies, StridedArraysThatBeginTogetherAreApart) {
    float* const every_third = add(all().slice(0, 0, 7, 3));
    float* const every_second = add(all().slice(0, 0, 5, 2));
    ASSERT_NE(every_third, every_second);
    EXPECT_THAT(std::vector<float>(every_third, every_third + 3), ElementsAre(0, 3, 6));
    EXPECT_THAT(std::vector<float>(every_second, every_second + 3), ElementsAre(0, 2, 4));
    every_third[1] = 30;
    every_second[2] = 40;
    copies.copy_back().or_throw();
    EXPECT_THAT(v, ElementsAre(0, 1, 2, 30, 40, 5, 6, 7));
    EXPECT_NE(add(all().slice(0, 0, 3, 1)), every_second) << "as many elements side by side";
}

TEST_F(Copies, WhatOneUseNeedsIsCopied) {
    const float* const copy = add(pyk::out(v));
    EXPECT_EQ(add(pyk::in(v)), copy);
    EXPECT_EQ(copy[5], 5) << "the second use reads it";
    *const_cast<float*>(copy) = 9;
    copies.copy_back().or_throw();
    EXPECT_EQ(v[0], 9) << "the first use wrote it";
}

}  // namespace
