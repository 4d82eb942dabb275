// Which launches may take the variant for arrays apart.
#include <gtest/gtest.h>

#include <vector>

#include "memory_range.h"

namespace {

struct Array {
    std::uintptr_t at;
    std::size_t element_bytes;
    std::vector<long long> shape, strides = {};
    bool written = true;
};

bool are_apart(const std::vector<Array>& all, bool index32 = false, unsigned blocks = 1) {
    pyk::ApartArrays arrays(index32, blocks);
    for (const Array& a : all)
        arrays.add(reinterpret_cast<const void*>(a.at), a.element_bytes, a.shape.data(),
                   a.strides.empty() ? nullptr : a.strides.data(), static_cast<int>(a.shape.size()), a.written);
    return bool(arrays);
}

constexpr std::uintptr_t kBase = 0x10000;

TEST(ApartArrays, WhatIsWrittenSharesNoMemory) {
    const Array read{kBase, 4, {100}, {}, false};
    EXPECT_TRUE(are_apart({}));
    EXPECT_TRUE(are_apart({read, read, read}));
    EXPECT_TRUE(are_apart({read, {kBase + 400, 4, {100}}}));
    EXPECT_FALSE(are_apart({read, {kBase + 396, 4, {100}}}));
    EXPECT_FALSE(are_apart({{kBase + 396, 4, {1}}, read}));
    EXPECT_FALSE(are_apart({{kBase, 4, {100}}, {kBase + 600, 4, {100}}, {kBase + 800, 4, {100}}}));
}

TEST(ApartArrays, StridesSayHowFarAnArrayReaches) {
    const Array first{kBase, 4, {10, 10}};
    EXPECT_FALSE(are_apart({first, {kBase + 436, 4, {10}, {-8}}}));
    EXPECT_TRUE(are_apart({first, {kBase + 472, 4, {10}, {-8}}}));
    EXPECT_FALSE(are_apart({{kBase, 4, {10}, {80}}, {kBase + 720, 4, {1}}}));
    EXPECT_TRUE(are_apart({{kBase, 4, {10}, {80}}, {kBase + 724, 4, {1}}}));
    EXPECT_TRUE(are_apart({{kBase, 4, {0, 10}, {-400, 4}}, {kBase - 4, 4, {1}}})) << "it has no elements";
}

TEST(ApartArrays, ElementsOf8And16BytesLieAtMultiplesOfTheirSize) {
    EXPECT_TRUE(are_apart({{kBase + 4, 4, {10}}}));
    EXPECT_FALSE(are_apart({{kBase + 4, 8, {10}}}));
    EXPECT_FALSE(are_apart({{kBase + 8, 16, {10}}}));
    EXPECT_TRUE(are_apart({{kBase + 4, 12, {10}}}));
}

TEST(ApartArrays, Of32BitsAreSmallOnes) {
    const long long most = 1LL << 30;
    EXPECT_TRUE(are_apart({{kBase, 1, {most}}}, true, 1u << 20));
    EXPECT_FALSE(are_apart({{kBase, 1, {most}}}, true, (1u << 20) + 1));
    EXPECT_FALSE(are_apart({{kBase, 1, {most + 1}}}, true));
    EXPECT_FALSE(are_apart({{kBase, 1, {1 << 16, 1 << 15}}}, true));
    EXPECT_FALSE(are_apart({{kBase, 1, {most + 1, 0}}}, true));
    EXPECT_FALSE(are_apart({{kBase, 1, {1LL << 32, 1LL << 32}}}, true)) << "2^64 is no 0";
    EXPECT_TRUE(are_apart({{kBase, 1, {most + 1}}}, false, ~0u));
}

TEST(ApartArrays, MoreThanAreLookedAtAreNot) {
    std::vector<Array> many;
    for (std::uintptr_t i = 0; i < 64; ++i) many.push_back({kBase + 64 * i, 4, {16}});
    EXPECT_TRUE(are_apart(many));
    many.push_back({kBase + 64 * 64, 4, {16}});
    EXPECT_FALSE(are_apart(many));
}

}  // namespace
