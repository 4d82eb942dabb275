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

TEST(HostTexts, OfNumbersAndSequences) {
    EXPECT_EQ(value_of("x", "x = [str(v) for v in (2.5, 100.0, 1e16, 1e-7, 0.1 + 0.2, -0.0, 1e22, 123456789.5)]\n"),
              "['2.5', '100.0', '1e+16', '1e-07', '0.30000000000000004', '-0.0', '1e+22', '123456789.5']");
    EXPECT_EQ(value_of("x", "x = (f'{2.5}', f'{None}', str([1, 2.0, 'a']), str((1,)), str(()), repr('a'))\n"),
              "('2.5', 'None', '[1, 2.0, \'a\']', '(1,)', '()', '\'a\'')");
    EXPECT_EQ(value_of("x", "x = str(np.float32(0.1))\n"), "?");
    EXPECT_EQ(value_of("x", "x = (format(5, '03b'), format(3.14159, '.3f'), format(7))\n"), "('101', '3.142', '7')");
}

TEST(HostTexts, Percent) {
    EXPECT_EQ(value_of("x", "x = ('%d %s %.2f' % (1, 'a', 2.5), '%05d|%-4d|%+d' % (42, 7, 3), '%x %#o' % (255, 8))\n"),
              "('1 a 2.50', '00042|7   |+3', 'ff 0o10')");
    EXPECT_EQ(
        value_of("x",
                 "x = ('%5s|%-3s|%r' % ('a', 'b', 'c'), '%d' % 2.9, '%d' % True, '%8.3e' % 12345.678, '%g%%' % 5)\n"),
        "('    a|b  |\'c\'', '2', '1', '1.235e+04', '5%')");
    EXPECT_EQ(value_of("x", "x = '%d' % 'a'\n"), "?");
    EXPECT_EQ(value_of("x", "x = '%d %d' % (1,)\n"), "?");
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

TEST(HostTexts, TextsOfOtherValues) {
    EXPECT_EQ(value_of("n", "n = str(1 + 2j)\n"), "?");
    EXPECT_EQ(value_of("n", "n = f'{len}'\n"), "?");
}

}  // namespace
