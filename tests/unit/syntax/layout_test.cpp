#include "syntax_test.h"

namespace pyk::test {
namespace {

const std::string kIfPass =
    "Module(body=[If(test=Name(id='x', ctx=Load()), body=[Pass()], orelse=[])], type_ignores=[])";

TEST(Layout, EmptyFilesAreModules) {
    for (const char* text :
         {"", "\n", "# only a comment", "   \n\t\n", "\f\n", "\xEF\xBB\xBF", "\r\n\r\n", "    # indented comment\n"})
        EXPECT_EQ(dump_of(text), "Module(body=[], type_ignores=[])") << text;
}

TEST(Layout, LineEndsOfAllKinds) {
    for (const char* text : {"if x:\n    pass\n", "if x:\r\n    pass\r\n", "if x:\r    pass\r", "if x:\n    pass",
                             "if x:\n    pass  # end", "if x:\n\n  # comment\n\n    pass\n", "if x: pass",
                             "\xEF\xBB\xBFif x:\n pass", "if x:\n\tpass\n"})
        EXPECT_EQ(dump_of(text), kIfPass) << text;
}

TEST(Layout, JoinedLines) {
    EXPECT_EQ(dump_of("if \\\nx:\\\n pass"), kIfPass);
    EXPECT_EQ(dump_of("if \\\r\nx:\\\r\n pass"), kIfPass);
    EXPECT_EQ(dump_of("if (\n  # comment\n x\n\n):\n    pass"), kIfPass);
    EXPECT_EQ(dump_of("if x:\n  \\\n      pass\n"), kIfPass);
    EXPECT_EQ(error_of("x = 1 \\"), "1:7: unexpected end of file after `\\`");
    EXPECT_EQ(error_of("x = 1 \\\n"), "2:1: unexpected end of file after `\\`");
    EXPECT_EQ(error_of("x = \\ 1"),
              "1:5: unexpected character after `\\`; it joins lines only as a line's last character");
    EXPECT_TRUE(parses("x = 1  # a comment may end so: \\\n"));
}

TEST(Layout, BlocksAreDecidedByColumns) {
    EXPECT_TRUE(parses("if x:\n  if y:\n    a\n  b\nc\n"));
    EXPECT_EQ(error_of("if x:\n    a\n  b\n"),
              "3:3: this line's indentation does not match any outer indentation level");
    EXPECT_EQ(error_of("a\n  b\n"), "2:3: unexpected indentation; only the lines of a block are indented");
    EXPECT_EQ(error_of("  a\n"), "1:3: unexpected indentation; only the lines of a block are indented");
    EXPECT_EQ(error_of("if x:\na\n"), "2:1: expected an indented block after this `if`");
}

TEST(Layout, TabsCountToEightAndMustAgreeWithTabsAsOneColumn) {
    EXPECT_TRUE(parses("if x:\n\ta\n\tb\n"));
    EXPECT_TRUE(parses("if x:\n  \ta\n  \tb\n"));
    EXPECT_TRUE(parses("if x:\n\tif y:\n\t  a\n\tb\n"));
    const std::string message = "inconsistent use of tabs and spaces in indentation; indent with spaces only";
    EXPECT_EQ(error_of("if x:\n\ta\n        b\n"), "3:9: " + message);
    EXPECT_EQ(error_of("if x:\n        a\n\tb\n"), "3:2: " + message);
    EXPECT_EQ(error_of("if x:\n  \ta\n\tb\n"), "3:2: " + message);
    EXPECT_EQ(error_of("if x:\n    if y:\n\ta\n"), "3:2: " + message);
}

TEST(Layout, FormFeedResetsTheColumn) {
    EXPECT_EQ(dump_of("if x:\n    pass\n\f"), kIfPass);
    EXPECT_EQ(dump_of("  \fif x:\n    pass\n"), kIfPass);
    EXPECT_EQ(dump_of("if x:\n \f    pass\n"), kIfPass);
}

TEST(Layout, Brackets) {
    EXPECT_EQ(error_of("f(a, b\nx = 1\n"), "1:2: `(` was never closed");
    EXPECT_EQ(error_of("a = )\n"), "1:5: unmatched `)`");
    EXPECT_EQ(error_of("x = [1, 2)\n"), "1:10: closing `)` does not match opening `[`");
    EXPECT_TRUE(parses("x = [1,\n2,\n\n   3\n]\n"));
}

TEST(Layout, SoftKeywords) {
    EXPECT_EQ(dump_of("match = case\n"),
              "Module(body=[Assign(targets=[Name(id='match', ctx=Store())], value=Name(id='case', ctx=Load()))], "
              "type_ignores=[])");
    EXPECT_TRUE(parses("match(x)\nmatch[x]: int\nmatch.case(_)\nprint(match, case, _)\n"));
    EXPECT_TRUE(parses(
        "match x:\n    case case if _: case\n    case _:\n        case = match\n        match case:\n            "
        "case 1: pass\n"));
    EXPECT_EQ(
        dump_of("match x:\n case _: pass\n"),
        "Module(body=[Match(subject=Name(id='x', ctx=Load()), cases=[match_case(pattern=MatchAs(), body=[Pass()])])], "
        "type_ignores=[])");
    EXPECT_FALSE(parses("match x:\n    pass\n"));
    EXPECT_FALSE(parses("match x: case 1: pass\n"));
    EXPECT_FALSE(parses("match x:\n case _.a: pass\n"));
    EXPECT_FALSE(parses("match x:\n case _(): pass\n"));
    EXPECT_TRUE(parses("match x:\n case {_.a: 1} | a._ | _: pass\n"));
    EXPECT_TRUE(parses("if x:\n    case: int = 3\n"));
}

}  // namespace
}  // namespace pyk::test
