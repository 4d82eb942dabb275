// Packed arguments as the message of an error shows them.
#include <gtest/gtest.h>

#include <cstring>

#include "described.h"

namespace pyk {
namespace {

struct Bytes {
    unsigned char at[64] = {};
    template <class T>
    Bytes& put(std::size_t offset, T value) {
        std::memcpy(at + offset, &value, sizeof value);
        return *this;
    }
};

TEST(Described, ShowsNumbersAndArrays) {
    const Bytes args = Bytes().put(0, 2.5f).put(8, 0x7f00ll).put(16, 1000ll);
    EXPECT_EQ(described("pyk_saxpy_f4_a1f4c", args.at, 24, 24), "pyk_saxpy_f4_a1f4c(2.5, float32[1000] at 0x7f00)");
}

TEST(Described, ANameMayEndLikeACode) {
    const Bytes args = Bytes().put(0, 7);
    EXPECT_EQ(described("pyk_to_f4_i4", args.at, 4, 4), "pyk_to_f4_i4(7)");
}

// float16 is not among the types that are shown: what follows it must not be read at the wrong place.
TEST(Described, NothingWhereATypeIsUnknown) {
    const Bytes args = Bytes().put(8, 0x7f00ll).put(16, 1000ll);
    EXPECT_EQ(described("pyk_k_f2_a1f4c", args.at, 24, 24), "pyk_k_f2_a1f4c(…)");
    EXPECT_EQ(described("pyk_k_f2_i4", args.at, 8, 8), "pyk_k_f2_i4(…)");
}

TEST(Described, WhatWasNotKeptIsLeftOut) {
    const Bytes args = Bytes().put(0, 1).put(4, 2);
    EXPECT_EQ(described("pyk_k_i4_i4_i4", args.at, 8, 12), "pyk_k_i4_i4_i4(1, 2, …)");
}

TEST(Described, NoArguments) { EXPECT_EQ(described("pyk_k_", nullptr, 0, 0), "pyk_k_()"); }

}  // namespace
}  // namespace pyk
