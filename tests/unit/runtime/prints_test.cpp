// The host's side of the ring in which a GPU's kernels leave their lines: here the test is the GPU.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <limits>

#include "prints.h"

namespace {

using Words = std::vector<unsigned long long>;

Words line(const std::string& format, const std::vector<unsigned long long>& values = {}) {
    Words words(1 + (format.size() + 7) / 8);
    std::memcpy(words.data() + 1, format.data(), format.size());
    words.insert(words.end(), values.begin(), values.end());
    words[0] = static_cast<unsigned long long>(format.size()) << 32 | words.size();
    return words;
}
unsigned long long bits(double value) {
    unsigned long long word;
    std::memcpy(&word, &value, sizeof word);
    return word;
}

TEST(Prints, ALineIsWhatPrintfSays) {
    const double doubles[] = {0.0, 1.5, -2.0000005, 1e300, 123456.7890125};
    for (const double x : doubles) {
        char expected[400];
        std::snprintf(expected, sizeof expected, "x = %f, %lld, %llu, %d%%\n", x, -5LL, 1ull << 63, 7);
        const auto words =
            line("x = %f, %lld, %llu, %lld%%\n", {bits(x), static_cast<unsigned long long>(-5), 1ull << 63, 7});
        EXPECT_EQ(pyk::driver::rendered_line(words.data()), expected);
    }
    EXPECT_EQ(pyk::driver::rendered_line(line("%s %s", {1, 0}).data()), "True False");
    EXPECT_EQ(pyk::driver::rendered_line(line("").data()), "");
}

// Flags, widths and precisions, against the C library.
TEST(Prints, NumbersAreWrittenAsPrintfWritesThem) {
    const auto check = [](const std::string& format, auto value) {
        char expected[1000];
        std::snprintf(expected, sizeof expected, format.c_str(), value);
        unsigned long long word;
        std::memcpy(&word, &value, sizeof word);
        EXPECT_EQ(pyk::driver::rendered_line(line(format, {word}).data()), expected) << format << " of " << value;
    };
    const double infinity = std::numeric_limits<double>::infinity();
    for (const std::string flags : {"", "-", "+", " ", "0", "+0", "-+"})
        for (const char* width : {"", "1", "8", "30"}) {
            const std::string start = "%" + flags + width;
            for (const long long value : {0ll, 5ll, -5ll, 1234567890123ll, std::numeric_limits<long long>::min()})
                check(start + "lld", value);
            for (const char* kind : {"llu", "llx", "llX", "llo"})
                for (const unsigned long long value : {0ull, 10ull, 0xDEADBEEFull, ~0ull})
                    if (flags.find_first_of("+ ") == std::string::npos) check(start + kind, value);
            for (const char* kind : {".0f", ".3f", ".6e", ".2E", ".6g", ".3g", ".1G", ".20f", ".0e"})
                for (const double value :
                     {0.0, -0.0, 1.0, -2.5, 0.1, 123456.789, 1e-9, -1e300, 5e-324, infinity, -infinity})
                    check(start + kind, value);
        }
}

class Ring : public ::testing::Test {
  protected:
    static constexpr unsigned long long capacity = 16;

    // The words but the first, which says that the line is there.
    void begin(const Words& words, unsigned long long at) {
        for (std::size_t i = 1; i < words.size(); ++i) ring[(at + i) % capacity] = words[i];
    }
    void commit(const Words& words, unsigned long long at) { ring[at % capacity] = words[0]; }

    std::array<unsigned long long, capacity> ring{};
    unsigned long long freed = 0, lost = 0;
    pyk::driver::LineRing lines{ring.data(), capacity, &freed, &lost};
    std::string text;
};

TEST_F(Ring, LinesComeOnceAndWhole) {
    EXPECT_FALSE(lines.take(text));
    unsigned long long at = 0;
    for (unsigned long long k = 0; k < 40; ++k) {  // again and again over the end
        const Words words = line("line %lld of many\n", {k});
        begin(words, at);
        EXPECT_FALSE(lines.take(text)) << "not all of it is there";
        commit(words, at);
        ASSERT_TRUE(lines.take(text));
        EXPECT_EQ(text, "line " + std::to_string(k) + " of many\n");
        at += words.size();
        EXPECT_EQ(freed, at);
    }
    EXPECT_FALSE(lines.take(text));
    EXPECT_EQ(ring, (std::array<unsigned long long, capacity>{})) << "zeros for the next";
}

TEST_F(Ring, InTheOrderOfTheirPlaces) {
    const Words first = line("first"), second = line("second");
    begin(first, 0);
    begin(second, first.size());
    commit(second, first.size());
    EXPECT_FALSE(lines.take(text)) << "the one before is still being written";
    commit(first, 0);
    ASSERT_TRUE(lines.take(text));
    EXPECT_EQ(text, "first");
    ASSERT_TRUE(lines.take(text));
    EXPECT_EQ(text, "second");
}

TEST_F(Ring, WhatWasLostIsSaidOnce) {
    const Words words = line("kept");
    begin(words, 0);
    commit(words, 0);
    lost = 3;
    ASSERT_TRUE(lines.take(text));
    EXPECT_EQ(text, "kept");
    ASSERT_TRUE(lines.take(text));
    EXPECT_EQ(text, "pyk: 3 lines are missing here: the buffer for what kernels print was full\n");
    EXPECT_FALSE(lines.take(text));
    lost = 4;
    ASSERT_TRUE(lines.take(text));
    EXPECT_EQ(text, "pyk: 1 line is missing here: the buffer for what kernels print was full\n");
}

}  // namespace
