// Deep and long programs: no crash, and time in proportion. Run on a large stack, as pykc runs everything.
#include "sema_test.h"
#include "support/large_stack.h"

using namespace pyk::sema_test;
using testing::IsEmpty;

namespace {

std::vector<std::string> on_large_stack(const std::string& source) {
    return pyk::on_large_stack([&] { return analyze_text(source, {"k(int64[::1], int64)"}).findings; });
}

std::string kernel(const std::string& body) { return "@cuda.jit\ndef k(a, n):\n" + body; }

std::string spaces(size_t levels) { return std::string(levels, ' '); }

TEST(Limits, SumOfFiftyThousandTerms) {
    std::string sum = "n";
    for (int i = 0; i < 50'000; ++i) sum += " + n";
    EXPECT_THAT(on_large_stack(kernel("    a[0] = " + sum + "\n")), IsEmpty());
}

TEST(Limits, FiveThousandElifs) {
    std::string body = "    if n == 0:\n        x = 0\n";
    for (int i = 1; i <= 5'000; ++i)
        body += "    elif n == " + std::to_string(i) + ":\n        x = " + std::to_string(i) + "\n";
    EXPECT_THAT(on_large_stack(kernel(body + "    else:\n        x = 2.5\n    a[0] = x\n")), IsEmpty());
}

TEST(Limits, NinetyEightBlocks) {
    std::string body = "    s = 0\n";
    size_t level = 4;
    for (int i = 0; i < 97; ++i, ++level) {
        const std::string statement = i % 3 == 0   ? "if n > " + std::to_string(i)
                                      : i % 3 == 1 ? "for i" + std::to_string(i) + " in range(n)"
                                                   : "while s < n";
        body += spaces(level) + statement + ":\n" + spaces(level + 1) + "s = s * 0.5 + " + std::to_string(i) + "\n";
    }
    EXPECT_THAT(on_large_stack(kernel(body + "    a[0] = s\n")), IsEmpty());
}

TEST(Limits, NestedBrackets) {
    EXPECT_THAT(on_large_stack(kernel("    a[0] = " + std::string(199, '(') + "n" + std::string(199, ')') + "\n")),
                IsEmpty());
    std::string calls = "n";
    for (int i = 0; i < 190; ++i) calls = "abs(" + calls + ")";
    EXPECT_THAT(on_large_stack(kernel("    a[0] = " + calls + "\n")), IsEmpty());
    std::string conditionals = "n";
    for (int i = 0; i < 190; ++i) conditionals = "(" + conditionals + " if n > " + std::to_string(i) + " else 0.5)";
    EXPECT_THAT(on_large_stack(kernel("    a[0] = " + conditionals + "\n")), IsEmpty());
    std::string operands = "n";
    for (int i = 0; i < 190; ++i) operands = "(" + operands + " or a[" + std::to_string(i) + "])";
    EXPECT_THAT(on_large_stack(kernel("    a[0] = " + operands + "\n")), IsEmpty());
}

TEST(Limits, ManyStatementsAndNames) {
    std::string body;
    for (int i = 0; i < 5'000; ++i)
        body += i % 5 == 4 ? "    if n > " + std::to_string(i) + ": x" + std::to_string(i - 1) + " = 1.5\n"
                           : "    x" + std::to_string(i) + " = n + " + std::to_string(i) + "\n    a[" +
                                 std::to_string(i) + "] = x" + std::to_string(i) + "\n";
    EXPECT_THAT(on_large_stack(kernel(body)), IsEmpty());
}

TEST(Limits, ManyFunctions) {
    std::string source = "@cuda.jit(device=True)\ndef f0(v): return v + 1\n";
    for (int i = 1; i < 500; ++i)
        source += "@cuda.jit(device=True)\ndef f" + std::to_string(i) + "(v): return f" + std::to_string(i - 1) +
                  "(v) + f" + std::to_string(i - 1) + "(v * 2)\n";
    EXPECT_THAT(on_large_stack(source + kernel("    a[0] = f499(n)\n")), IsEmpty());
}

// A type that takes a round per name to arrive.
TEST(Limits, LongChainsOfWidenings) {
    std::string before, inside;
    for (int i = 0; i < 200; ++i) {
        before += "    x" + std::to_string(i) + " = 0\n";
        inside += "        x" + std::to_string(i) + " = " +
                  (i + 1 < 200 ? "x" + std::to_string(i + 1) : std::string("0.5")) + "\n";
    }
    EXPECT_THAT(on_large_stack(kernel(before + "    for i in range(n):\n" + inside + "    a[0] = x0\n")), IsEmpty());
}

// Host code of which everything may lead to everything.
TEST(Limits, ManyHostFunctionsAndVariables) {
    std::string source, uses = "0";
    for (int i = 0; i < 60; ++i) uses += " + f" + std::to_string(i) + "(x) + v" + std::to_string(i);
    for (int i = 0; i < 60; ++i) {
        source += "def f" + std::to_string(i) + "(x):\n    return open(x) + " + uses + "\n";
        source += "v" + std::to_string(i) + " = open(" + uses + ")\n";
    }
    EXPECT_THAT(on_large_stack(source + kernel("    a[0] = n\n")), IsEmpty());
}

// A table of pandas' that goes through many calls.
TEST(Limits, LongChainsOfUnknownCalls) {
    std::string source = "n = open('f')", calls;
    for (int i = 0; i < 40; ++i) calls += ".m" + std::to_string(i) + "(" + std::to_string(i) + ")";
    source += calls + "\nx = n" + calls + " + n" + calls + "\n";
    EXPECT_THAT(on_large_stack(source + kernel("    a[0] = n\n")), IsEmpty());
}

TEST(Limits, NamesInTermsOfThemselves) {
    const std::string source =
        "def make(b):\n    b = min(b[0], 0), max(b[1], 0)\n    d = {0: 1}\n    d = {0: d[0], 1: b}\n"
        "    @cuda.jit\n    def inner(a):\n        a[0] = b[0] + d[0]\n    return inner\n"
        "from elsewhere import Task\nclass Task(Task):\n    pass\nx = Task().x\n";
    EXPECT_THAT(on_large_stack(source + kernel("    a[0] = n\n")), IsEmpty());
}

TEST(Limits, ManyFindings) {
    std::string body;
    for (int i = 0; i < 2'000; ++i) body += "    a[" + std::to_string(i) + "] = q" + std::to_string(i) + "z\n";
    EXPECT_EQ(on_large_stack(kernel(body)).size(), 2'000u);
}

}  // namespace
