// Texts in module code: their methods. The values are CPython's.
#include "module_test.h"

using namespace pyk::module_test;

namespace {

TEST(HostTexts, Split) {
    EXPECT_EQ(value_of("x", "x = 'a b\\n c\\t'.split()\n"), "['a', 'b', 'c']");
    EXPECT_EQ(value_of("x", "x = ' a  b c '.split(None, 1)\n"), "['a', 'b c ']");
    EXPECT_EQ(value_of("x", "x = 'a,b,,c'.split(',')\n"), "['a', 'b', '', 'c']");
    EXPECT_EQ(value_of("x", "x = 'a,b,c'.split(',', 1)\n"), "['a', 'b,c']");
    EXPECT_EQ(value_of("x", "x = 'a,b,c'.rsplit(',', 1)\n"), "['a,b', 'c']");
    EXPECT_EQ(value_of("x", "x = ''.split()\n"), "[]");
    EXPECT_EQ(value_of("x", "x = ''.split(',')\n"), "['']");
    EXPECT_EQ(value_of("x", "x = 'a'.split('')\n"), "?");
    EXPECT_EQ(value_of("x", "x = '1 2\\r\\n\\n3\\n'.splitlines()\n"), "['1 2', '', '3']");
    EXPECT_EQ(value_of("x", "x = 'k=v=w'.partition('=')\n"), "('k', '=', 'v=w')");
    EXPECT_EQ(value_of("x", "x = 'k=v=w'.rpartition('=')\n"), "('k=v', '=', 'w')");
    EXPECT_EQ(value_of("x", "x = 'kv'.rpartition('=')\n"), "('', '', 'kv')");
}

TEST(HostTexts, TablesAreRead) {
    const std::string table = "T = '''\n 4 -1\n-2  6\n'''\n";
    EXPECT_EQ(value_of("x", table + "x = [list(map(int, l.split())) for l in T.strip().splitlines()]\n"),
              "[[4, -1], [-2, 6]]");
    EXPECT_EQ(value_of("x", table + "x = [float(w) for w in T.split()]\n"), "[4, -1, -2, 6]");
}

TEST(HostTexts, Replace) {
    EXPECT_EQ(value_of("x", "x = 'abab'.replace('a', 'xy')\n"), "'xybxyb'");
    EXPECT_EQ(value_of("x", "x = 'abab'.replace('b', '', 1)\n"), "'aab'");
    EXPECT_EQ(value_of("x", "x = 'abab'.removeprefix('ab')\n"), "'ab'");
    EXPECT_EQ(value_of("x", "x = 'abab'.removesuffix('x')\n"), "'abab'");
    EXPECT_EQ(value_of("x", "x = '..a..'.strip('.') + ' b '.rstrip() + ' c '.lstrip()\n"), "'a bc '");
}

TEST(HostTexts, Search) {
    EXPECT_EQ(value_of("x", "x = ('abcabc'.find('c'), 'abcabc'.rfind('c'), 'abc'.find('x'), 'ab'.index('b'))\n"),
              "(2, 5, -1, 1)");
    EXPECT_EQ(value_of("x", "x = 'äöb'.find('b')\n"), "2");
    EXPECT_EQ(value_of("x", "x = 'abc'.index('x')\n"), "?");
    EXPECT_EQ(value_of("x", "x = ('aaa'.count('a'), 'aaaa'.count('aa'))\n"), "(3, 2)");
    EXPECT_EQ(value_of("x", "x = 'a.py'.endswith(('.c', '.py')) and not 'a'.startswith('b')\n"), "True");
}

TEST(HostTexts, Letters) {
    EXPECT_EQ(value_of("x", "x = 'ab Cd'.upper() + 'AB'.lower() + 'ab cD'.title() + 'aB c'.capitalize()\n"),
              "'AB CDabAb CdAb c'");
    EXPECT_EQ(value_of("x", "x = ('12'.isdigit(), ''.isdigit(), 'a1'.isalpha(), 'A1'.isupper(), '1'.isupper())\n"),
              "(True, False, False, True, False)");
    EXPECT_EQ(value_of("x", "x = 'ä'.upper()\n"), "?");
    EXPECT_EQ(value_of("x", "x = '7'.zfill(3) + '-7'.zfill(3) + '7'.rjust(3, '.') + '7'.ljust(2) + '|'\n"),
              "'007-07..77 |'");
}

}  // namespace
