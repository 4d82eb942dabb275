#include <gmock/gmock.h>

#include <string>

#include "compile/process.h"
#include "compile/temp_folder.h"
#include "support/files.h"

namespace pyk {
namespace {

using namespace std::string_literals;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

std::string repeated(const std::string& text, int count) {
    std::string all;
    all.reserve(text.size() * static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

// A kernel with this body line.
std::string kernel(const std::string& line) {
    return "from numba import cuda\n\n\n@cuda.jit('void(float32[::1], int32)')\ndef k(a, n):\n    " + line + "\n";
}

struct Said {
    int exit_code;
    std::string output, messages;
};

Said pykc(const std::string& text, const std::vector<std::string>& options = {"--emit=cu", "-o", "-"}) {
    const TempFolder folder;
    const std::string file = folder.file("bad.pyk");
    EXPECT_TRUE(write_file(file, text));
    std::vector<std::string> argv = {PYKC, file};
    argv.insert(argv.end(), options.begin(), options.end());
    const auto result = run_process(argv);
    if (!result) return {-1, "", "pykc could not be started"};
    return {result->exit_code, result->output, result->messages};
}

// Refused, with a place, in our own words, and nothing half-written.
void expect_error(const std::string& text, const std::string& place) {
    const Said said = pykc(text);
    EXPECT_EQ(said.exit_code, 1) << said.messages.substr(0, 2000);
    EXPECT_THAT(said.messages, HasSubstr("bad.pyk:" + place));
    EXPECT_THAT(said.messages, HasSubstr(" error: "));
    EXPECT_EQ(said.output, "");
    for (const char* of_antlr : {"mismatched input", "extraneous input", "no viable alternative", "token recognition"})
        EXPECT_THAT(said.messages, Not(HasSubstr(of_antlr)));
}

void expect_fine(const std::string& text) {
    const Said said = pykc(text);
    EXPECT_EQ(said.exit_code, 0) << said.messages.substr(0, 2000);
    EXPECT_THAT(said.output, HasSubstr("pyk_k_"));
}

// Whatever it is, it is answered.
void expect_answer(const std::string& text) {
    const Said said = pykc(text);
    EXPECT_THAT(said.exit_code, AnyOf(0, 1)) << said.messages.substr(0, 2000);
    if (said.exit_code == 1) {
        EXPECT_THAT(said.messages, HasSubstr(" error: "));
    }
}

TEST(BadInput, EmptyFile) { expect_answer(""); }
TEST(BadInput, OnlyBlankLines) { expect_answer("\n\n\n"); }
TEST(BadInput, OnlyAByteOrderMark) { expect_answer("\xEF\xBB\xBF"); }
TEST(BadInput, NulByte) { expect_error("x = 1\ny = \0 2\n"s, "2:"); }
TEST(BadInput, NulBytesOnly) { expect_error(std::string(1000, '\0'), "1:1:"); }
TEST(BadInput, NotUtf8) { expect_error("x = '\xFF\xFE'\n", "1:"); }
TEST(BadInput, TabsMixedWithSpaces) { expect_error("if x:\n        a = 1\n\tb = 2\n", "3:"); }
TEST(BadInput, UnknownIndent) { expect_error("if x:\n    a = 1\n  b = 2\n", "3:"); }
TEST(BadInput, UnterminatedString) { expect_error("x = 'abc\n", "1:5:"); }
TEST(BadInput, UnterminatedTripleString) { expect_error("x = '''abc\n\n\n", "1:5:"); }
TEST(BadInput, UnclosedBracket) { expect_error("x = (1,\n", "1:5:"); }
TEST(BadInput, UnknownName) { expect_error(kernel("a[0] = nowhere"), "6:12:"); }
TEST(BadInput, WrongTypes) { expect_error(kernel("a[0] = a"), "6:"); }
TEST(BadInput, UnknownAttribute) { expect_error(kernel("a[0] = cuda.threadIdx.w"), "6:"); }
TEST(BadInput, HugeInteger) { expect_error(kernel("a[0] = " + std::string(5000, '9')), "6:12:"); }

TEST(BadInput, HugeConstants) {
    for (const std::string value : {"'abcd' * (1 << 62)", "b'ab' * (1 << 62)", "[1, 2, 3, 4] * (1 << 62)",
                                    "10 ** 10 ** 10", "1 << (1 << 40)", "list(range(1 << 62))", "'a'.ljust(1 << 62)",
                                    "bytes(1 << 50)", "'{:{}}'.format(1, 1 << 40)", "[i for i in range(1 << 60)]"})
        expect_answer("X = " + value + "\n" + kernel("a[0] = len(X)"));
    for (const std::string doubled : {"(x, x)", "x + x", "[*x, *x]", "x * 2"})
        for (const std::string first : {"(1,)", "[1]", "'a'", "b'a'"})
            expect_answer("x = " + first + "\nfor i in range(90):\n    x = " + doubled + "\n" +
                          kernel("a[0] = len(x)"));
    expect_answer("x = 'ab' * 30000\nfor i in range(6):\n    x = x + x\ny = x.encode()\n" + kernel("a[0] = len(y)"));
}

TEST(BadInput, NestedParentheses) {
    expect_error(kernel("a[0] = " + std::string(10000, '(') + "1" + std::string(10000, ')')), "6:");
    expect_error(std::string(10000, '('), "1:");
    expect_fine(kernel("a[0] = " + std::string(199, '(') + "1" + std::string(199, ')')));
}

TEST(BadInput, DeepOperators) {
    expect_answer(kernel("a[0] = " + std::string(20000, '-') + "n"));
    expect_answer(kernel("a[0] = " + repeated("not ", 20000) + "n"));
    expect_answer(kernel("a[0] = " + repeated("n if n else ", 5000) + "1"));
    expect_answer(kernel("a[0] = n" + repeated(" ** n", 5000)));
    expect_answer("x = a" + repeated(".b", 50000) + "\n");
    expect_answer("x = a" + repeated("[0]", 50000) + "\n");
    expect_answer("x = " + repeated("lambda: ", 20000) + "1\n");
}

TEST(BadInput, LongSums) {
    expect_fine(kernel("a[0] = n" + repeated(" + n", 10000)));
    expect_fine(kernel("a[0] = n" + repeated(" and n", 5000)));
}

TEST(BadInput, ManyElifs) {
    expect_fine(kernel("if n == 0:\n        a[0] = 1" + repeated("\n    elif n == 1:\n        a[0] = 2", 2000)));
}

TEST(BadInput, DeepIndents) {
    std::string text, indent;
    for (int i = 0; i < 150; ++i, indent += " ") text += indent + "if x:\n";
    expect_error(text + indent + "pass\n", "10");
}

TEST(BadInput, FiveMegabytes) {
    expect_fine(kernel("a[0] = 1") + repeated("value = [1, 2, 3]  # as a file of constants may have it\n", 91000));
    expect_fine(kernel("a[0] = 1") + "text = '''" + repeated("0123456789abcdef", 330000) + "'''\n");
    expect_error(std::string(5'000'000, '('), "1:");
    expect_answer(std::string(5'000'000, 'x'));
}

// Prefixes of a good file: each is answered, and none brings pykc down.
TEST(BadInput, TruncatedAnywhere) {
    const std::string good =
        kernel("for i in range(n):\n        if a[i] > 0.5 and i != 3:\n            a[i] += float(i) ** 2");
    for (size_t size = 0; size < good.size(); size += 7) expect_answer(good.substr(0, size));
}

TEST(BadInput, RandomBytes) {
    uint32_t state = 1;
    for (int round = 0; round < 40; ++round) {
        std::string text;
        for (int i = 0; i < 400; ++i) {
            state = state * 1664525u + 1013904223u;
            text += static_cast<char>(round % 2 ? state >> 24 : " \n\t()[]:=+-*.,abif'\"0#@\\"[(state >> 24) % 25]);
        }
        expect_answer(text);
    }
}

}  // namespace
}  // namespace pyk
