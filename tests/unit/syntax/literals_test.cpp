// Expected values are CPython 3.11's.
#include <bit>
#include <optional>

#include "syntax/literals.h"
#include "syntax_test.h"

namespace pyk::test {
namespace {

/// The value of a text that is one constant. Its views live until the next call.
ast::ConstantValue constant(const std::string& text) {
    static std::optional<ast::Module> module;
    Diagnostics diagnostics;
    module = parse(source(text), diagnostics);
    if (!module) {
        ADD_FAILURE() << text << ": " << diagnostics.all().at(0).text;
        return {};
    }
    const auto* expr = module->body.front()->as<ast::ExprStmt>();
    const auto* node = expr->value->as<ast::Constant>();
    return node ? node->value : ast::ConstantValue{};
}

uint64_t bits_of(const std::string& text) { return std::bit_cast<uint64_t>(std::get<double>(constant(text))); }

TEST(Numbers, Integers) {
    const auto value = [](const char* text) {
        const auto v = std::get<ast::IntValue>(constant(text));
        EXPECT_TRUE(v.fits) << text;
        return v.value;
    };
    EXPECT_EQ(value("0"), 0u);
    EXPECT_EQ(value("00_0"), 0u);
    EXPECT_EQ(value("1_000_000"), 1'000'000u);
    EXPECT_EQ(value("0xDead_Beef"), 0xDEADBEEFu);
    EXPECT_EQ(value("0X_ff"), 255u);
    EXPECT_EQ(value("0o17"), 15u);
    EXPECT_EQ(value("0b1010"), 10u);
    EXPECT_EQ(value("18446744073709551615"), ~uint64_t{0});
    EXPECT_EQ(value("0xFFFF_FFFF_FFFF_FFFF"), ~uint64_t{0});
}

TEST(Numbers, IntegersBeyond64BitsKeepTheirDigits) {
    const auto v = std::get<ast::IntValue>(constant("0x1_0000_0000_0000_0000"));
    EXPECT_FALSE(v.fits);
    EXPECT_EQ(v.digits, "0x1_0000_0000_0000_0000");
    EXPECT_EQ(v.value, 0u);
    EXPECT_EQ(std::get<ast::IntValue>(constant("18446744073709551623")).value, 7u) << "the low 64 bits";
    EXPECT_FALSE(std::get<ast::IntValue>(constant("18446744073709551616")).fits);
    EXPECT_EQ(expr("0x1_0000_0000_0000_0000"), "Constant(value=18446744073709551616)");
    EXPECT_EQ(expr("0o7777777777777777777777777"), "Constant(value=37778931862957161709567)");
    EXPECT_EQ(expr("0x" + repeat("f", 40)), "Constant(value=1461501637330902918203684832716283019655932542975)");
    EXPECT_EQ(expr("1_0" + repeat("0", 30)), "Constant(value=10" + repeat("0", 30) + ")");
}

TEST(Numbers, FloatsToTheBit) {
    EXPECT_EQ(bits_of("0.1"), 0x3fb999999999999au);
    EXPECT_EQ(bits_of("1e23"), 0x44b52d02c7e14af6u);
    EXPECT_EQ(bits_of("9007199254740993.0"), 0x4340000000000000u);
    EXPECT_EQ(bits_of("2.2250738585072011e-308"), 0x000fffffffffffffu);
    EXPECT_EQ(bits_of("5e-324"), 0x0000000000000001u);
    EXPECT_EQ(bits_of("2.4703282292062327e-324"), 0x0000000000000000u);
    EXPECT_EQ(bits_of("2.4703282292062328e-324"), 0x0000000000000001u);
    EXPECT_EQ(bits_of("1.7976931348623157e308"), 0x7fefffffffffffffu);
    EXPECT_EQ(bits_of("1.7976931348623159e308"), 0x7ff0000000000000u);
    EXPECT_EQ(bits_of("1e400"), 0x7ff0000000000000u);
    EXPECT_EQ(bits_of("1e-400"), 0u);
    EXPECT_EQ(bits_of("1e99999999999999999999"), 0x7ff0000000000000u);
    EXPECT_EQ(bits_of("1e-99999999999999999999"), 0u);
    EXPECT_EQ(bits_of("0e99999"), 0u);
    EXPECT_EQ(bits_of("1_0.2_5"), 0x4024800000000000u);
    EXPECT_EQ(bits_of("1."), 0x3ff0000000000000u);
    EXPECT_EQ(bits_of(".5"), 0x3fe0000000000000u);
    EXPECT_EQ(bits_of("1E+2"), 0x4059000000000000u);
    EXPECT_EQ(bits_of("09.5"), 0x4023000000000000u);
    EXPECT_EQ(bits_of("0" + repeat("0", 400) + ".1"), 0x3fb999999999999au);
    EXPECT_EQ(bits_of("0." + repeat("0", 400) + "1e401"), 0x3ff0000000000000u);
    EXPECT_EQ(bits_of("0." + repeat("0", 400) + "1"), 0u);
    EXPECT_EQ(bits_of("1" + repeat("0", 400) + "."), 0x7ff0000000000000u);
}

TEST(Numbers, FloatsAsPythonShowsThem) {
    EXPECT_EQ(expr("1e16"), "Constant(value=1e+16)");
    EXPECT_EQ(expr("123456789012345.6"), "Constant(value=123456789012345.6)");
    EXPECT_EQ(expr("1e15"), "Constant(value=1000000000000000.0)");
    EXPECT_EQ(expr("0.0001"), "Constant(value=0.0001)");
    EXPECT_EQ(expr("0.00001"), "Constant(value=1e-05)");
    EXPECT_EQ(expr("1e400"), "Constant(value=inf)");
    EXPECT_EQ(expr("2j"), "Constant(value=2j)");
    EXPECT_EQ(expr("012.5J"), "Constant(value=12.5j)");
    EXPECT_EQ(expr("1e20j"), "Constant(value=1e+20j)");
}

TEST(Numbers, Refused) {
    EXPECT_EQ(error_of("x = 012"), "1:5: leading zeros are not allowed in `012`; octal integers are written `0o…`");
    EXPECT_EQ(error_of("1abc"), "1:1: invalid number `1abc`");
    EXPECT_EQ(error_of("0x"), "1:1: invalid number `0x`");
    EXPECT_EQ(error_of("0b12"), "1:1: invalid number `0b12`");
    EXPECT_EQ(error_of("1__0"), "1:1: invalid number `1__0`");
    EXPECT_EQ(error_of("1_"), "1:1: invalid number `1_`");
    EXPECT_EQ(error_of("1e"), "1:1: invalid number `1e`");
    EXPECT_EQ(error_of("1.real"), "1:1: invalid number `1.real`");
    EXPECT_TRUE(parses("1 .real, 1..real, 1.0.real"));
    EXPECT_TRUE(parses("1if x else 2"));
    EXPECT_EQ(error_of("with 1as x: pass"), "1:6: invalid number `1as`");
    EXPECT_FALSE(parses(repeat("1", 4301)));
    EXPECT_TRUE(parses(repeat("1", 4300)));
    EXPECT_TRUE(parses("0x" + repeat("1", 5000)));
}

TEST(Strings, EscapesAndPrefixes) {
    EXPECT_EQ(expr(R"('a\n\t\\\'\"\x41\101\u00e9\U0001F600\q')"), R"py(Constant(value='a\n\t\\\'"AAé😀\\q'))py");
    EXPECT_EQ(expr(R"(r'a\n')"), R"(Constant(value='a\\n'))");
    EXPECT_EQ(expr(R"(R"a\"b")"), R"(Constant(value='a\\"b'))");
    EXPECT_EQ(expr(R"(b'\x00\377\400a\u1234')"), R"(Constant(value=b'\x00\xff\x00a\\u1234'))");
    EXPECT_EQ(expr("Rb'\\x'"), R"(Constant(value=b'\\x'))");
    EXPECT_EQ(expr("u'x'"), "Constant(value='x', kind='u')");
    EXPECT_EQ(expr("u'x' 'y'"), "Constant(value='xy', kind='u')");
    EXPECT_EQ(expr("'x' u'y'"), "Constant(value='xy')");
    EXPECT_EQ(expr("'\\ud800'"), R"(Constant(value='\ud800'))");
    EXPECT_EQ(expr("'\\777'"), "Constant(value='ǿ')");
    EXPECT_EQ(expr("'a\\\nb'"), "Constant(value='ab')");
    EXPECT_EQ(expr("'a\\\r\nb'"), "Constant(value='ab')");
    EXPECT_EQ(expr("''''a'b''c\"\"\"'''"), R"py(Constant(value='\'a\'b\'\'c"""'))py");
    EXPECT_EQ(expr("'''a\r\nb\rc\nd'''"), R"(Constant(value='a\nb\nc\nd'))");
    EXPECT_EQ(expr("'it'\"'s\""), R"(Constant(value="it's"))");
    EXPECT_EQ(expr("'\xC2\xA0\xE2\x80\x8B\x7F'"), R"(Constant(value='\xa0\u200b\x7f'))");
}

struct FormattedCase {
    const char *text, *tree;  ///< by CPython 3.11's ast.dump
};

TEST(Strings, FormattedOnesAreTrees) {
    const FormattedCase cases[] = {
        {R"py(f'')py", R"py(JoinedStr(values=[]))py"},
        {R"py(f'a')py", R"py(JoinedStr(values=[Constant(value='a')]))py"},
        {R"py(f'{x}')py", R"py(JoinedStr(values=[FormattedValue(value=Name(id='x', ctx=Load()), conversion=-1)]))py"},
        {R"py(f'a{x}b{{c}}')py",
         R"py(JoinedStr(values=[Constant(value='a'), FormattedValue(value=Name(id='x', ctx=Load()), conversion=-1), Constant(value='b{c}')]))py"},
        {R"py('a' f'{x}' "b")py",
         R"py(JoinedStr(values=[Constant(value='a'), FormattedValue(value=Name(id='x', ctx=Load()), conversion=-1), Constant(value='b')]))py"},
        {R"py(f'{x!r:>{w}.{p}f}')py",
         R"py(JoinedStr(values=[FormattedValue(value=Name(id='x', ctx=Load()), conversion=114, format_spec=JoinedStr(values=[Constant(value='>'), FormattedValue(value=Name(id='w', ctx=Load()), conversion=-1), Constant(value='.'), FormattedValue(value=Name(id='p', ctx=Load()), conversion=-1), Constant(value='f')]))]))py"},
        {R"py(f'{x=}{x = :3}{x=!s}')py",
         R"py(JoinedStr(values=[Constant(value='x='), FormattedValue(value=Name(id='x', ctx=Load()), conversion=114), Constant(value='x = '), FormattedValue(value=Name(id='x', ctx=Load()), conversion=-1, format_spec=JoinedStr(values=[Constant(value='3')])), Constant(value='x='), FormattedValue(value=Name(id='x', ctx=Load()), conversion=115)]))py"},
        {R"py(f'{x:}')py",
         R"py(JoinedStr(values=[FormattedValue(value=Name(id='x', ctx=Load()), conversion=-1, format_spec=JoinedStr(values=[]))]))py"},
        {R"py(rf'\d{x}\{y}')py",
         R"py(JoinedStr(values=[Constant(value='\\d'), FormattedValue(value=Name(id='x', ctx=Load()), conversion=-1), Constant(value='\\'), FormattedValue(value=Name(id='y', ctx=Load()), conversion=-1)]))py"},
        {R"py(f'{x!=y}{a[1:2]}{ {1: 2}[1] }')py",
         R"py(JoinedStr(values=[FormattedValue(value=Compare(left=Name(id='x', ctx=Load()), ops=[NotEq()], comparators=[Name(id='y', ctx=Load())]), conversion=-1), FormattedValue(value=Subscript(value=Name(id='a', ctx=Load()), slice=Slice(lower=Constant(value=1), upper=Constant(value=2)), ctx=Load()), conversion=-1), FormattedValue(value=Subscript(value=Dict(keys=[Constant(value=1)], values=[Constant(value=2)]), slice=Constant(value=1), ctx=Load()), conversion=-1)]))py"},
        {R"py(f'{*a, b}')py",
         R"py(JoinedStr(values=[FormattedValue(value=Tuple(elts=[Starred(value=Name(id='a', ctx=Load()), ctx=Load()), Name(id='b', ctx=Load())], ctx=Load()), conversion=-1)]))py"},
        {R"py(f'{(lambda: 1)()}{(y := 2)}')py",
         R"py(JoinedStr(values=[FormattedValue(value=Call(func=Lambda(args=arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[]), body=Constant(value=1)), args=[], keywords=[]), conversion=-1), FormattedValue(value=NamedExpr(target=Name(id='y', ctx=Store()), value=Constant(value=2)), conversion=-1)]))py"},
        {R"py(f'\t{x}\\')py",
         R"py(JoinedStr(values=[Constant(value='\t'), FormattedValue(value=Name(id='x', ctx=Load()), conversion=-1), Constant(value='\\')]))py"},
        {R"py(f'''{
x
}''')py",
         R"py(JoinedStr(values=[FormattedValue(value=Name(id='x', ctx=Load()), conversion=-1)]))py"},
        {R"py(f'{f"{1}"}')py",
         R"py(JoinedStr(values=[FormattedValue(value=JoinedStr(values=[FormattedValue(value=Constant(value=1), conversion=-1)]), conversion=-1)]))py"},
        {R"py(f'{d["a"]}')py",
         R"py(JoinedStr(values=[FormattedValue(value=Subscript(value=Name(id='d', ctx=Load()), slice=Constant(value='a'), ctx=Load()), conversion=-1)]))py"},
    };
    for (const auto& [text, tree] : cases) EXPECT_EQ(expr(text), tree) << text;
    // The character's name is in the text: no field.
    EXPECT_EQ(expr("f'\\N{DASH}'"), "JoinedStr(values=[Constant(value='\uFFFD')])");
}

// As Python 3.12 reads them: quotes, lines, comments and strings inside of the braces. The other text is one that 3.11
// reads too.
TEST(Strings, FieldsAreOrdinaryExpressions) {
    const std::pair<const char*, const char*> same[] = {
        {R"(f"{d["a"]}")", R"(f"{d['a']}")"},
        {R"(f"{"x" if y else 'z'} {f"{1 + 1}"}")", R"(f"{'x' if y else 'z'} {f'{1 + 1}'}")"},
        {"f\"{\n1 +  # one }\n2\n}\"", "f\"{1 + 2}\""},
        {R"(f"{d!r:>{w["n"]}} {x=} {{ {y:%H:%M} }}")", R"(f"{d!r:>{w['n']}} {x=} {{ {y:%H:%M} }}")"},
        {R"(f'''{f"{f'{1}'}"}''')", R"(f'{f"""{f"{1}"}"""}')"},
    };
    for (const auto& [text, other] : same) EXPECT_EQ(expr(text), expr(other)) << text;
    EXPECT_EQ(expr(R"(f"{'\n'.join(d)}")").substr(0, 86),
              R"(JoinedStr(values=[FormattedValue(value=Call(func=Attribute(value=Constant(value='\n'),)");
    EXPECT_EQ(dump_of("x = f\"{a[\"b\"]}\" + 'c'\n").substr(0, 22), "Module(body=[Assign(ta");
    for (const char* text : {"f\"{x\n", "f\"{a[\"b]}\""}) EXPECT_FALSE(parses(text)) << text;
}

TEST(Strings, FieldsNestSoDeep) {
    std::string deep = "1";
    for (int i = 0; i < 15; ++i) deep = "f'{" + deep + "}'";
    EXPECT_TRUE(parses(deep));
    for (int i = 0; i < 20; ++i) deep = "f'{" + deep + "}'";
    EXPECT_EQ(error_of(deep).substr(error_of(deep).find(' ')),
              " this expression nests too deeply; split it into several statements");
    std::string open;
    for (int i = 0; i < 5000; ++i) open += i % 3 ? "f'{" : "f\"\"\"{rb'";
    EXPECT_FALSE(parses(open));  // in time
    const auto specifications = [](size_t count) {
        std::string text = "f'";
        for (size_t i = 0; i < count; ++i) text += "{x:";
        return text + std::string(count, '}') + "'";
    };
    EXPECT_TRUE(parses(specifications(4)));
    EXPECT_FALSE(parses(specifications(101)));
    EXPECT_FALSE(parses(specifications(3'000'000)));
}

TEST(Strings, FieldsAreRefusedAtTheirPlaces) {
    EXPECT_EQ(error_of("x = f'ab{}'"), "1:9: an expression is missing between the braces of an f-string");
    EXPECT_EQ(error_of("f'{a b}'"), "1:6: expected the end of the expression, not `b`");
    EXPECT_EQ(error_of("f'{a!z}'"), "1:6: invalid conversion `!z` in an f-string; there are `!s`, `!r` and `!a`");
    EXPECT_EQ(error_of("f'{a:{}}'"), "1:6: an expression is missing between the braces of an f-string");
    EXPECT_EQ(error_of("f'{a +}'"), "1:7: expected an expression after `+`, not the end of the field");
    for (const char* text : {"f'{(a}'", "f'{a'", "f'a}'", "f'{a:}}'"})
        EXPECT_EQ(error_of(text),
                  "1:3: a brace of this f-string has no other; one that is text is written twice, `{{` or `}}`")
            << text;
    EXPECT_EQ(error_of("f'{[a)}'"), "1:6: closing `)` does not match opening `[`");
    EXPECT_EQ(error_of("f'{yield 1}'"), "1:4: `yield` outside of a function");
}

TEST(Strings, Refused) {
    EXPECT_EQ(error_of("x = 'abc\ny'"), "1:5: unterminated string literal; a string ends on the line where it starts");
    EXPECT_EQ(error_of("x = b\"abc"), "1:5: unterminated string literal; a string ends on the line where it starts");
    EXPECT_EQ(error_of("x = '''abc\n\n''"), "1:5: unterminated triple-quoted string literal");
    EXPECT_EQ(error_of("b'é'"), "1:3: bytes can only contain ASCII literal characters");
    EXPECT_EQ(error_of("'ab\\x1'"), "1:4: truncated `\\x` escape: 2 hexadecimal digits are needed");
    EXPECT_EQ(error_of("'\\u12g4'"), "1:2: truncated `\\u` escape: 4 hexadecimal digits are needed");
    EXPECT_EQ(error_of("'\\U00110000'"), "1:2: illegal Unicode character: the largest is \\U0010ffff");
    EXPECT_EQ(error_of("'\\N'"), "1:2: malformed `\\N{…}` escape: a character's name is needed");
    EXPECT_EQ(error_of("'a' b'b'"), "1:5: bytes and text cannot be joined in one literal");
    EXPECT_FALSE(parses("ur'x'"));
    EXPECT_FALSE(parses("'\\'"));
}

}  // namespace
}  // namespace pyk::test
