// Each message at its line and column. None may speak of the parser's inside.
#include <gmock/gmock.h>

#include "syntax_test.h"

namespace pyk::test {
namespace {

struct Case {
    const char* text;
    const char* error;
};

class Message : public testing::TestWithParam<Case> {};

TEST_P(Message, IsAtTheRightToken) { EXPECT_EQ(error_of(GetParam().text), GetParam().error) << GetParam().text; }

INSTANTIATE_TEST_SUITE_P(
    All, Message,
    testing::Values(
        Case{"def f():\n    break\n", "2:5: `break` outside of a loop"},
        Case{"for i in x:\n    def f():\n        continue\n", "3:9: `continue` outside of a loop"},
        Case{"for i in x:\n    pass\nelse:\n    break\n", "4:5: `break` outside of a loop"},
        Case{"class C:\n    return\n", "2:5: `return` outside of a function"},
        Case{"def f(a, *, a):\n    pass\n", "1:13: there are two parameters `a`"},
        Case{"lambda a, *a: 1\n", "1:12: there are two parameters `a`"},
        Case{"f(a=1, b=2, a=3)\n", "1:13: the argument `a` is given twice"},
        Case{"*a = 1\n", "1:1: a starred target stands in a tuple or a list: `*a, = …`"},
        Case{"*a, *b = x\n", "1:5: one target only may be starred"},
        Case{"x = *a\n", "1:5: a starred expression stands in a tuple, a list or a call"},
        Case{"match x:\n case _: a\n case 1: b\n",
             "2:7: `_` fits everything: the patterns behind it are never reached"},
        Case{"match x:\n case (y): a\n case 1: b\n",
             "2:8: `y` takes everything: the patterns behind it are never reached; a constant is compared with by a "
             "dotted name"},
        Case{"match x:\n case y | 1: a\n",
             "2:7: `y` takes everything: the patterns behind it are never reached; a constant is compared with by a "
             "dotted name"},
        Case{"match x:\n case (a, [*_, a]): b\n", "2:16: a pattern can give `a` only one value"},
        Case{"match x:\n case (a, 1) | (1, b): c\n", "2:16: the alternatives of a pattern have to bind the same names"},
        Case{"match x:\n case (*a, 1, *_): c\n", "2:15: only one element of a sequence pattern can be starred"},
        Case{"nonlocal x\n", "1:1: `nonlocal` outside of a function"},
        Case{"def f(x):\n    global x\n", "2:5: `x` is a parameter, and cannot be global"},
        Case{"x = yield\n", "1:5: `yield` outside of a function"},
        Case{"class C:\n    yield 1\n", "2:5: `yield` outside of a function"},
        Case{"def f():\n    await g()\n", "2:5: `await` outside of an `async` function"},
        Case{"def f():\n    async with a: pass\n", "2:5: `async with` outside of an `async` function"},
        Case{"def f():\n    from os import *\n", "2:5: `import *` stands at module level only"},
        Case{"from __future__ import nope\n", "1:24: there is no future feature `nope`"},
        Case{"x = 1\nfrom __future__ import annotations\n",
             "2:1: `from __future__ import` must stand at the beginning of the file"},
        Case{"if x:\n    y = !x\n", "2:9: invalid syntax near `!`; write `not` for negation"},
        Case{"x = (y +\n     !z)\n", "2:6: invalid syntax near `!`; write `not` for negation"},
        Case{"if x\n  pass\n", "1:5: expected `:` at the end of this `if` line"},
        Case{"if x:\npass\n", "2:1: expected an indented block after this `if`"},
        Case{"x = 1\n  y = 2\n", "2:3: unexpected indentation; only the lines of a block are indented"},
        Case{"if x:\n    y\n  z\n", "3:3: this line's indentation does not match any outer indentation level"},
        Case{"f(a, b\nx = 1\n", "1:2: `(` was never closed"},
        Case{"f(a b)\n", "1:3: invalid syntax: is a comma missing here?"},
        Case{"x = 'abc\ny\n", "1:5: unterminated string literal; a string ends on the line where it starts"},
        Case{"'''abc\n", "1:1: unterminated triple-quoted string literal"}, Case{"a = )\n", "1:5: unmatched `)`"},
        Case{"(a]\n", "1:3: closing `]` does not match opening `(`"},
        Case{"print x\n", "1:1: `print` is a function; write `print(…)`"},
        Case{"if x = 1: pass\n", "1:6: invalid syntax near `=`; to compare, write `==`"},
        Case{"class = 1\n", "1:1: `class` is a keyword and cannot be used as a name"},
        Case{"def class(): pass\n", "1:5: `class` is a keyword and cannot be used as a name"},
        Case{"import a.class\n", "1:10: `class` is a keyword and cannot be used as a name"},
        Case{"x = \n", "1:5: expected an expression after `=`, not the end of the line"},
        Case{"x = 1 +\n", "1:8: expected an expression after `+`, not the end of the line"},
        Case{"else: pass\n", "1:1: this `else` has no `if`, loop or `try` that it belongs to"},
        Case{"try:\n  x\ny\n", "3:1: expected `except` or `finally` after the block of `try`"},
        Case{"try: x\n", "2:1: expected `except` or `finally` after the block of `try`"},
        Case{"from a import b,\n", "1:16: a trailing comma is allowed only inside parentheses"},
        Case{"except a, b: pass\n", "1:1: this `except` has no `try` that it belongs to"},
        Case{"try: a\nexcept b, c: pass\n", "2:9: several exception types are written in parentheses"},
        Case{"try: a\nexcept: pass\nexcept b: pass\n", "2:1: an `except:` that catches everything must be the last"},
        Case{"x = a if b\n", "1:11: expected `else` after the condition of this conditional expression"},
        Case{"for i in range(3)\n  pass\n", "1:18: expected `:` at the end of this `for` line"},
        Case{"for x range(3): pass\n", "1:7: expected `in`, not `range`"},
        Case{"while: pass\n", "1:6: expected an expression after `while`, not `:`"},
        Case{"if a && b: pass\n", "1:6: Python has no `&&`; write `and`"},
        Case{"if a: pass\nelse if b: pass\n", "2:1: Python has no `else if`; write `elif`"},
        Case{"x = 1\n%matplotlib inline\n",
             "2:1: this is a command of a notebook, not Python; leave the line out, or compile the notebook itself"},
        Case{"!pip install numba\n",
             "1:1: this is a command of a notebook, not Python; leave the line out, or compile the notebook itself"},
        Case{"x = a ? b : c\n", "1:7: Python has no `?:`; write `a if condition else b`"},
        Case{"x = (float)y\n", "1:5: a conversion is written as a call, `float32(…)`"},
        Case{"int i = 0\n", "1:1: variables are not declared in Python; write `i = …`"},
        Case{"const int n = 0\n", "1:1: variables are not declared in Python; write `x = …`"},
        Case{"__shared__ float s[32]\n", "1:1: memory of a block is made by `s = cuda.shared.array(shape, dtype)`"},
        Case{"for (int i = 0; i < n; i++):\n    pass\n", "1:1: a loop over numbers is written `for i in range(n):`"},
        Case{"for (i = 0; i < n; i++):\n    pass\n", "1:1: a loop over numbers is written `for i in range(n):`"},
        Case{"x = 1 // one more\n", "1:7: `//` divides and rounds down; a comment begins with `#`"},
        Case{"x = std::max(1, 2)\n", "1:8: Python has no `::`; names of a module are written `module.name`"},
        Case{"x = &y[0]\n",
             "1:5: Python has no addresses; an array is passed as it is, a part of it as a slice, `x[i:]`"},
        Case{"k<<<1, 32>>>(x)\n",
             "1:2: Python has no `<<<`; the host launches kernels, as `kernel[blocks, threads](…)`"},
        Case{"whlie n > 0:\n    pass\n", "1:1: `whlie` is no statement; did you mean `while`?"},
        Case{"retrun x\n", "1:1: `retrun` is no statement; did you mean `return`?"},
        Case{"if x:\n    y\nesle:\n    z\n", "3:1: `esle` is no statement; did you mean `else`?"},
        Case{"elsif n:\n    pass\n", "1:1: `elsif` is no statement; did you mean `elif`?"},
        Case{"switch n:\n    pass\n", "1:1: `switch` is no statement; did you mean `match`?"},
        Case{"switch (n):\n    pass\n", "1:1: `switch` is no statement; did you mean `match`?"},
        Case{"do:\n    pass\n", "1:1: `do` is no statement; did you mean `while`?"},
        Case{"form math import sqrt\n", "1:1: `form` is no statement; did you mean `from`?"},
        Case{"@a\nfunction k(x):\n    pass\n", "2:1: `function` is no statement; write `def`"},
        Case{"if n => 3: pass\n", "1:6: Python has no `=>`; write `>=`"},
        Case{"if n =! 3: pass\n", "1:7: Python has no `=!`; write `!=`"},
        Case{"x + = 3\n", "1:3: the operator is written without a space, `+=`"},
        Case{"for i = 0 to n:\n    pass\n", "1:1: a loop over numbers is written `for i in range(n):`"},
        Case{"// one\nx\n", "1:1: a comment begins with `#`"}, Case{"/* one */\n", "1:1: a comment begins with `#`"},
        Case{"if a AND b: pass\n", "1:6: `AND` is written `and`"},
        Case{"if a then\n    pass\n", "1:6: Python has no `then`; the condition ends with `:`"},
        Case{"x = “a”\n", "1:5: invalid character `“` (U+201C); write `\"`"},
        Case{"x = a − b\n", "1:7: invalid character `−` (U+2212); write `-`"},
        Case{"let i = 3\n", "1:1: variables are not declared in Python; write `i = …`"},
        Case{"match n:\n    case 1: pass\n    default: pass\n",
             "3:5: the case that takes all others is written `case _:`"},
        Case{"x = y->z\n", "1:6: Python has no `->` here; write `.`"},
        Case{"def f(x) {\n}\n", "1:10: a block has no braces; it begins with `:`, and its lines are indented"},
        Case{"x = 1.0f\n", "1:5: invalid number `1.0f`; a float32 is written `float32(1.0)`"},
        Case{"x = 1u\n", "1:5: invalid number `1u`; a type is written around the number, as in `uint32(1)`"},
        Case{"x = a || b\n", "1:7: Python has no `||`; write `or`"},
        Case{"def f(a, b=1, c): pass\n", "1:15: a parameter without a default cannot follow one with a default"},
        Case{"def f(a:\n pass\n", "1:6: `(` was never closed"},
        Case{"f(a=1, b)\n", "1:8: a positional argument cannot follow a keyword argument"},
        Case{"f(x for x in y, 1)\n", "1:3: a generator expression must be in parentheses here"},
        Case{"1 = x\n", "1:1: cannot assign to a literal"},
        Case{"f() = 1\n", "1:1: cannot assign to a function call; did you mean `==`?"},
        Case{"a + 1 = 2\n", "1:1: cannot assign to an expression; did you mean `==`?"},
        Case{"x + 1 += 2\n", "1:1: cannot use an augmented assignment with an expression"},
        Case{"del f()\n", "1:5: cannot delete a function call"}, Case{"None = 1\n", "1:1: cannot assign to `None`"},
        Case{"(a, b): int = 1\n", "1:1: only a single name, attribute or element can be annotated, not a tuple"},
        Case{"[a, b for a in c]\n", "1:7: expected `]`, not `for`"},
        Case{"x = 012\n", "1:5: leading zeros are not allowed in `012`; octal integers are written `0o…`"},
        Case{"x = 1abc\n", "1:5: invalid number `1abc`"}, Case{"x = 0xg\n", "1:5: invalid number `0xg`"},
        Case{"x = 1__0\n", "1:5: invalid number `1__0`"},
        Case{"a ? b\n", "1:3: Python has no `?:`; write `a if condition else b`"},
        Case{"a $ b\n", "1:3: invalid character `$`"},
        Case{"if !x: pass\n", "1:4: invalid syntax near `!`; write `not` for negation"},
        Case{"'\\x1'\n", "1:2: truncated `\\x` escape: 2 hexadecimal digits are needed"},
        Case{"'\\N{}'\n", "1:2: malformed `\\N{…}` escape: a character's name is needed"},
        Case{"if x:\n\ty\n        z\n",
             "3:9: inconsistent use of tabs and spaces in indentation; indent with spaces only"},
        Case{"if x:\n        y\n\tz\n",
             "3:2: inconsistent use of tabs and spaces in indentation; indent with spaces only"},
        Case{"def f():\n", "2:1: expected an indented block after this `def`"},
        Case{"for x in y:\n    # only comment\n\nz\n", "4:1: expected an indented block after this `for`"},
        Case{"match x:\n  y\n", "1:7: expected the end of the line, not `x`"},
        Case{"match x:\n  case 1\n    pass\n", "2:9: expected `:` at the end of this `case` line"},
        Case{"lambda: (yield\n", "1:9: `(` was never closed"}, Case{"x++\n", "1:2: Python has no `++`; write `x += 1`"},
        Case{"if a: (b); p.q[i, f(j)]--\n", "1:24: Python has no `--`; write `p.q[i, f(j)] -= 1`"},
        Case{"x = y z\n", "1:7: expected the end of the line, not `z`"},
        Case{"a b\n", "1:3: expected the end of the line, not `b`"},
        Case{"return x y\n", "1:10: expected the end of the line, not `y`"},
        Case{"async x\n", "1:7: invalid syntax near `x`"},
        Case{"await\n", "1:6: expected an expression after `await`, not the end of the line"},
        Case{"@a\nx = 1\n", "2:1: invalid syntax near `x`"},
        Case{"with open(x) as f, : pass\n", "1:20: invalid syntax near `:`"},
        Case{"def f(*): pass\n", "1:7: a named parameter must follow the bare `*`"},
        Case{"def f(**a, b): pass\n", "1:12: no parameter can follow the one with `**`"},
        Case{"f(**a, *b)\n", "1:8: `*` cannot follow `**` among arguments"},
        Case{"f(a.b=1)\n", "1:3: an attribute is no keyword argument's name; did you mean `==` instead of `=`?"},
        Case{"a <> b\n", "1:3: `<>` is no operator of Python 3; write `!=`"},
        Case{"a = b = \n", "1:9: expected an expression after `=`, not the end of the line"},
        Case{"x[1:2:3:4]\n", "1:8: expected `]`, not `:`"},
        Case{"{1:2, 3}\n", "1:7: expected `:` and a value after this dictionary key"},
        Case{"{1, 2:3}\n", "1:5: a set cannot have a `key: value` pair among its elements"},
        Case{"x = {\n", "1:5: `{` was never closed"}, Case{"global\n", "1:7: expected a name, not the end of the line"},
        Case{"def f(x):\n  return x\n   y\n", "3:4: unexpected indentation; only the lines of a block are indented"},
        Case{"x = 1 if y else\n", "1:16: expected an expression after `else`, not the end of the line"},
        Case{"not\n", "1:4: expected an expression after `not`, not the end of the line"},
        Case{"import\n", "1:7: expected a name, not the end of the line"},
        Case{"from import x\n", "1:6: expected a module's name between `from` and `import`"},
        Case{"elif x: pass\n", "1:1: this `elif` has no `if` that it belongs to"},
        Case{"\\\n", "2:1: unexpected end of file after `\\`"},
        Case{"x = 1 \\", "1:7: unexpected end of file after `\\`"},
        Case{"x = \\ 1\n", "1:5: unexpected character after `\\`; it joins lines only as a line's last character"},
        Case{"raise a, b\n", "1:8: expected the end of the line, not `,`"},
        Case{"exec 'a'\n", "1:1: `exec` is a function; write `exec(…)`"},
        Case{"a := 1\n", "1:3: `:=` needs parentheses around it here, or is meant to be `=`"},
        Case{"(a.b := 1)\n", "1:2: cannot use `:=` with an attribute; its target is a plain name"},
        Case{"x = yield = 1\n", "1:5: cannot assign to a yield expression"},
        Case{"for f() in x: pass\n", "1:5: cannot assign to a function call"},
        Case{"'a' b'b'\n", "1:5: bytes and text cannot be joined in one literal"},
        Case{"def f(a, a): pass\nclass\n", "2:6: expected a name, not the end of the line"},
        Case{"if a:\n  b\n else:\n  c\n", "3:2: this line's indentation does not match any outer indentation level"},
        Case{"x = (1,\n     2\ny = 3\nz = 4\n", "1:5: `(` was never closed"},
        Case{"def f()\n  pass\n", "1:8: expected `:` at the end of this `def` line"},
        Case{"def f() -> : pass\n", "1:12: expected an expression after `->`, not `:`"},
        Case{"class A(:\n", "1:8: `(` was never closed"}, Case{"a.1\n", "1:2: expected the end of the line, not `.1`"},
        Case{"a..b\n", "1:3: expected a name, not `.`"}, Case{"f(,)\n", "1:3: expected `)`, not `,`"},
        Case{"f(a,,b)\n", "1:5: expected something before this `,`"}, Case{"[,]\n", "1:2: expected `]`, not `,`"},
        Case{"(,)\n", "1:2: expected `)`, not `,`"}, Case{"a, , b\n", "1:4: expected something before this `,`"},
        Case{"lambda x=: 1\n", "1:10: expected an expression after `=`, not `:`"},
        Case{"x = [1, 2\n", "1:5: `[` was never closed"},
        Case{"def f(x=1, /, y): pass\n", "1:15: a parameter without a default cannot follow one with a default"},
        Case{"while x: y; z\nelse z\n", "2:6: expected `:`, not `z`"}));

std::string all_of(const char* text) {
    const SourceFilePtr file = source(text);
    Diagnostics diagnostics;
    EXPECT_FALSE(parse(file, diagnostics).has_value());
    return render(diagnostics);
}

TEST(Messages, CarryTheCauseAsANote) {
    EXPECT_THAT(all_of("x = (1,\n     2]\n"), testing::HasSubstr("test.pyk:1:5: note: opened here"));
    EXPECT_THAT(all_of("while x:\n\n\ny\n"), testing::HasSubstr("test.pyk:1:1: note: the block belongs to this line"));
}

TEST(Messages, AreUtf8WhateverTheSourceIs) {
    EXPECT_THAT(all_of("a = 1\nb = '\xff\xc3' # \xc3\xa9\n"),
                testing::HasSubstr("    b = '\uFFFD\uFFFD' # \u00e9\n         ^\n"));
}

TEST(Messages, AreOneForEachDefinition) {
    EXPECT_EQ(error_of("x = = 1\ny = = 2\n"), "1:5: invalid syntax near `=`; to compare, write `==`");
    const std::string three = all_of(
        "@jit\ndef a(x):\n    if x && 1:\n        x = = 1\n    y = = 2\n@jit\ndef b(i):\n    i++\n\n"
        "def good(x):\n    return x\nfrom a import b as\n# def c(\ndef c(x)\n    return x\n");
    EXPECT_EQ(std::ranges::count(three, '^'), 4) << three;
    EXPECT_THAT(three,
                testing::AllOf(testing::HasSubstr("test.pyk:3:10: error: Python has no `&&`"),
                               testing::HasSubstr("test.pyk:8:6: error:"), testing::HasSubstr("test.pyk:12:19: error:"),
                               testing::HasSubstr("test.pyk:14:9: error: expected `:`")));
    // What follows a bracket that is not closed is all inside of it.
    EXPECT_EQ(error_of("x = [1, 2\ndef f(x)\n    pass\ndef g()\n    pass\n"), "1:5: `[` was never closed");
}

}  // namespace
}  // namespace pyk::test
