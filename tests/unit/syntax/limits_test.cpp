// Large and deep texts: parsed, or refused with a message; never a crash, and in linear time.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "syntax_test.h"

namespace pyk::test {
namespace {

std::string joined(std::string_view item, std::string_view separator, size_t count) {
    std::string out(item);
    for (size_t i = 1; i < count; ++i) out.append(separator).append(item);
    return out;
}

std::string nested_ifs(size_t depth) {
    std::string out;
    for (size_t i = 0; i < depth; ++i) out += std::string(i, ' ') + "if x:\n";
    return out + std::string(depth, ' ') + "pass\n";
}

size_t count_of(const std::string& text, std::string_view part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
    return count;
}

TEST(Limits, ChainsOfAnyLength) {
    for (const size_t n : {10'000u, 50'000u}) {
        EXPECT_EQ(count_of(dump_of(joined("a", " + ", n)), "BinOp("), n - 1);
        EXPECT_EQ(count_of(dump_of(joined("a", " and ", n)), "BoolOp("), 1u);
        EXPECT_EQ(count_of(dump_of(joined("a", " < ", n)), "Lt()"), n - 1);
        EXPECT_EQ(count_of(dump_of("a" + repeat(".b", n)), "Attribute("), n);
        EXPECT_EQ(count_of(dump_of("a" + repeat("()", n)), "Call("), n);
        EXPECT_EQ(count_of(dump_of("x = [" + repeat("a, ", n) + "]"), "Name(id='a'"), n);
        EXPECT_EQ(count_of(dump_of(repeat("a; ", n)), "Expr("), n);
        EXPECT_EQ(count_of(dump_of(repeat("a = ", n) + "1"), "Name("), n);
    }
}

TEST(Limits, ElifChains) {
    const std::string text = "if x: pass\n" + repeat("elif y: pass\n", 5'000) + "else: pass\n";
    EXPECT_EQ(count_of(dump_of(text), "If("), 5'001u);
}

TEST(Limits, TwoHundredBrackets) {
    EXPECT_TRUE(parses(repeat("(", 200) + "x" + repeat(")", 200)));
    EXPECT_TRUE(parses(repeat("f(a=[{1: ", 66) + "x" + repeat("}])", 66)));
    EXPECT_TRUE(parses("with " + repeat("(", 200) + "x" + repeat(")", 200) + ": pass"));
    EXPECT_EQ(error_of(repeat("(", 201) + "x" + repeat(")", 201)), "1:201: too many nested brackets (at most 200)");
    EXPECT_EQ(error_of(repeat("(", 10'000) + repeat(")", 10'000)), "1:201: too many nested brackets (at most 200)");
}

TEST(Limits, HundredColumnsOfIndentation) {
    EXPECT_TRUE(parses(nested_ifs(99)));
    EXPECT_EQ(error_of(nested_ifs(100)), "101:101: too many levels of indentation (at most 99)");
}

TEST(Limits, NestingWithoutBrackets) {
    for (const std::string_view part : {"not ", "-", "lambda: ", "a ** ", "b if c else ", "await a if b else "}) {
        const std::string begin = "async def f():\n    x = ";  // where `await` may stand
        EXPECT_TRUE(parses(begin + repeat(part, 400) + "y\n")) << part;
        for (const size_t n : {2'000u, 10'000u, 200'000u})
            EXPECT_THAT(error_of(begin + repeat(part, n) + "y\n"), testing::HasSubstr("nests too deeply")) << part << n;
    }
}

TEST(Limits, LargeFiles) {
    const std::string line = "x = foo(a, b[1], c + 2)  # comment\n";
    EXPECT_TRUE(parses(repeat(line, 5'000'000 / line.size())));
    EXPECT_TRUE(parses("x = '" + repeat("a", 5'000'000) + "'"));
    EXPECT_FALSE(parses(repeat("$", 5'000'000)));
    EXPECT_FALSE(parses(repeat("'", 4'999'999)));
    EXPECT_FALSE(parses(repeat("[a,", 1'600'000)));
    EXPECT_FALSE(parses(repeat("x = ", 1'200'000)));
}

TEST(Limits, SeveralThreadsMayParse) {
    const std::string good = "def f(a):\n    return [x + 1 for x in a if x]\n", bad = "x = (1,\n";
    const std::string tree = dump_of(good);
    std::atomic<int> right = 0;
    const auto work = [&] {
        for (int i = 0; i < 50; ++i) right += dump_of(good) == tree && error_of(bad) == "1:5: `(` was never closed";
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, 200);
}

TEST(Limits, TimeIsLinear) {
    const auto seconds = [](const std::string& text) {
        const auto start = std::chrono::steady_clock::now();
        EXPECT_TRUE(parses(text));
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    seconds(joined("a", " + ", 1'000));
    const double once = seconds(joined("a", " + ", 10'000)), five_times = seconds(joined("a", " + ", 50'000));
    EXPECT_LT(five_times, 25 * once) << "a quadratic parser takes 25 times as long or more";
}

}  // namespace
}  // namespace pyk::test
