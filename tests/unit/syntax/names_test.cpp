#include "syntax/characters.h"
#include "syntax_test.h"

namespace pyk::test {
namespace {

TEST(Names, AreNormalisedByNfkc) {
    EXPECT_EQ(expr("ﬁ"), "Name(id='fi', ctx=Load())");
    EXPECT_EQ(expr("ℌello"), "Name(id='Hello', ctx=Load())");
    EXPECT_EQ(expr("e\u0301"), "Name(id='é', ctx=Load())");
    EXPECT_EQ(expr("x²"), error_of("x²").substr(5));
    EXPECT_EQ(expr("𝐚.𝐛"), "Attribute(value=Name(id='a', ctx=Load()), attr='b', ctx=Load())");
    EXPECT_EQ(expr("変数_1"), "Name(id='変数_1', ctx=Load())");
    EXPECT_EQ(expr("ｉｆ"), "Name(id='if', ctx=Load())") << "a keyword is one as written";
}

TEST(Names, CharactersThatNoNameHas) {
    EXPECT_EQ(error_of("x = “a”"), "1:5: invalid character `“` (U+201C); write `\"`");
    EXPECT_EQ(error_of("x²= 1"), "1:2: invalid character `²` (U+00B2); write `**2`");
    EXPECT_EQ(error_of("a\u00a0= 1"), "1:2: invalid non-printable character U+00A0; write a plain space");
    EXPECT_EQ(error_of("é = 1 € 2"), "1:7: invalid character `€` (U+20AC)");
    EXPECT_EQ(error_of("a ? b"), "1:3: Python has no `?:`; write `a if condition else b`");
    EXPECT_EQ(error_of("a \x01 b"), "1:3: invalid non-printable character U+0001");
    EXPECT_EQ(error_of("a\x7F = b"), "1:2: invalid non-printable character U+007F");
}

TEST(Names, TextMustBeUtf8WithoutNul) {
    EXPECT_EQ(error_of(std::string("a = 1\0", 6)), "1:6: source text cannot contain NUL bytes");
    EXPECT_EQ(error_of("# \xE9\n"), "1:3: byte 0xe9 is not UTF-8; save the file as UTF-8");
    EXPECT_EQ(error_of("'\xED\xA0\x80'"), "1:2: byte 0xed is not UTF-8; save the file as UTF-8");
    EXPECT_EQ(error_of("'\xC0\x80'"), "1:2: byte 0xc0 is not UTF-8; save the file as UTF-8");
    EXPECT_EQ(error_of("'\xF4\x90\x80\x80'"), "1:2: byte 0xf4 is not UTF-8; save the file as UTF-8");
    EXPECT_EQ(error_of("'\xE2\x82"), "1:2: byte 0xe2 is not UTF-8; save the file as UTF-8");
    EXPECT_TRUE(parses("'\xF4\x8F\xBF\xBF'"));
}

}  // namespace
}  // namespace pyk::test
