// Iterators in module code: `next`, functions with `yield`, `itertools`. The values are CPython's.
#include "module_test.h"

using namespace pyk::module_test;

namespace {

TEST(HostIterators, NextTakesOneAfterTheOther) {
    const std::string ids =
        "import itertools\n_i = iter(range(200))\ndef _n(): return next(_i)\nA = _n(); B = _n()\n"
        "C = next(_i)\n";
    EXPECT_EQ(value_of("A", ids), "0");
    EXPECT_EQ(value_of("B", ids), "1");
    EXPECT_EQ(value_of("C", ids), "2");
    const std::string count = "import itertools\nc = itertools.count(5)\nA = next(c)\nB, C = next(c), 0\nD = next(c)\n";
    EXPECT_EQ(value_of("A", count), "5");
    EXPECT_EQ(value_of("B", count), "?");  // nobody follows calls inside of expressions
    EXPECT_EQ(value_of("D", count), "?");
    EXPECT_EQ(value_of("x", "x = next(iter([7, 8]))\n"), "7");
    EXPECT_EQ(value_of("x", "x = next(i for i in range(10) if i > 3)\n"), "4");
    EXPECT_EQ(value_of("x", "x = next(iter([]), -1)\n"), "-1");
    EXPECT_EQ(value_of("x", "x = next((i for i in range(3) if i > 3), None)\n"), "None");
    EXPECT_EQ(value_of("x", "x = next(iter([]))\n"), "?");
    EXPECT_EQ(value_of("b", "it = iter([1, 2])\nother = it\na = next(it)\nb = next(other)\n"), "?");
}

TEST(HostIterators, NextMayBeAFunctionOfTheFile) {
    const std::string begin = "def next(n): return n + 1\nn = 3\n";
    EXPECT_EQ(value_of("m", begin + "m = next(n)\n"), "4");
    EXPECT_EQ(value_of("n", begin + "m = next(n)\n"), "3");
    EXPECT_EQ(value_of("L", "def f(out): out.append(1)\nL = []\nf(out=L)\n"), "[1]");
    EXPECT_EQ(value_of("L", "def f(out):\n    out.append(1)\n    return 2\nL = []\nm = f(out=L)\n"), "[1]");
    EXPECT_EQ(value_of("c", "import numpy as np\na = np.ones(2)\nc = np.ones(2)\nd = np.add(a, a, out=c)\n"), "?");
}

// What has a name is used up once it was taken.
TEST(HostIterators, OfANameAreTakenOnce) {
    for (const char* use : {"T = tuple(it)\n", "T = list(zip(it, it))\n", "for x in it:\n    break\n",
                            "T = [x for x in it]\n", "f(it)\n", "a, b, c = it\n", "T = [*it]\n"}) {
        const std::string text = std::string("def f(i): return list(i)\nit = iter([1, 2, 3])\n") + use;
        EXPECT_EQ(value_of("n", text + "n = next(it, 9)\n"), "?") << use;
        EXPECT_EQ(value_of("T", text + "n = next(it, 9)\n"), "?") << use;
    }
    EXPECT_EQ(value_of("T", "it = iter([1, 2, 3])\nT = tuple(it)\n"), "(1, 2, 3)");
}

// `zip` and its like are iterators, too: the second list is empty.
TEST(HostIterators, AreMadeByFunctions) {
    const std::pair<std::string, std::string> made[] = {
        {"zip([1, 2], [3, 4])", "[(1, 3), (2, 4)]"},
        {"map(abs, [-1, 2])", "[1, 2]"},
        {"filter(None, [0, 2])", "[2]"},
        {"enumerate([5])", "[(0, 5)]"},
        {"reversed([1, 2])", "[2, 1]"},
        {"(v * 2 for v in [1, 2])", "[2, 4]"},
        {"itertools.chain([1], [2])", "[1, 2]"},
    };
    for (const auto& [iterator, items] : made) {
        const std::string begin = "import itertools\nit = " + iterator + "\n";
        EXPECT_EQ(value_of("A", begin + "A = list(it)\n"), items) << iterator;
        EXPECT_EQ(value_of("B", begin + "A = list(it)\nB = list(it)\n"), "?") << iterator;
        EXPECT_EQ(value_of("B", begin + "B = [list(it) for _ in range(2)]\n"), "?") << iterator;
        EXPECT_EQ(value_of("B", begin + "B = []\nfor _ in range(2):\n    B = list(it)\n"), "?") << iterator;
        EXPECT_EQ(value_of("B", begin + "def f(): return list(it)\nA, B = f(), f()\n"), "?") << iterator;
        EXPECT_EQ(value_of("B", begin + "other = it\nA = list(it)\nB = list(other)\n"), "?") << iterator;
        EXPECT_EQ(
            value_of("B", "import itertools\ndef f():\n    it = " + iterator + "\n    return list(it)\nB = f()\n"),
            items)
            << iterator;
    }
}

TEST(HostIterators, FunctionsThatYield) {
    const std::string pos =
        "def pos(n):\n    for i in range(n):\n        for j in range(n):\n            if i != j:\n"
        "                yield i, j\n"
        "def fib():\n    a, b = 0, 1\n    while True:\n        yield a\n        a, b = b, a + b\n"
        "def both(n):\n    yield from pos(n)\n    yield (9, 9)\n"
        "def early(n):\n    yield 1\n    if n: return\n    yield 2\n";
    EXPECT_EQ(value_of("x", pos + "x = tuple(pos(2))\n"), "((0, 1), (1, 0))");
    EXPECT_EQ(value_of("x", pos + "x = [i for i, j in pos(3)]\n"), "[0, 0, 1, 1, 2, 2]");
    EXPECT_EQ(value_of("x", pos + "x = sum(i for i, j in pos(3))\n"), "6");
    EXPECT_EQ(value_of("x", pos + "x = sorted(pos(2), reverse=True)\n"), "[(1, 0), (0, 1)]");
    EXPECT_EQ(value_of("x", pos + "x = 0\nfor i, j in pos(3):\n    x += i * j\n"), "4");
    EXPECT_EQ(value_of("x", pos + "x = tuple(both(2))\n"), "((0, 1), (1, 0), (9, 9))");
    EXPECT_EQ(value_of("b", pos + "a, b = pos(2)\n"), "(1, 0)");
    EXPECT_EQ(value_of("x", pos + "x = (*early(0),)\n"), "(1, 2)");
    EXPECT_EQ(value_of("x", pos + "x = list(early(1))\n"), "[1]");
    EXPECT_EQ(value_of("x", pos + "x = list(early(unknown))\n"), "?");
    EXPECT_EQ(value_of("x", pos + "import itertools\nx = tuple(itertools.islice(fib(), 6))\n"), "(0, 1, 1, 2, 3, 5)");
    EXPECT_EQ(value_of("x", pos + "import itertools\nx = tuple(itertools.takewhile(lambda f: f < 9, fib()))\n"),
              "(0, 1, 1, 2, 3, 5, 8)");
    EXPECT_EQ(value_of("y", pos + "f = fib()\nx = next(f)\nx = next(f)\nx = next(f)\ny = next(f)\n"), "2");
    EXPECT_EQ(value_of("x", pos + "x = 0\nfor f in fib():\n    if f > 50: break\n    x = f\n"), "34");
    EXPECT_EQ(value_of("x", "def g():\n    x = yield 1\n    yield x\nx = list(g())\n"), "?");
    EXPECT_EQ(value_of("x", "n = 0\ndef g():\n    global n\n    n += 1\n    yield n\nx = list(g())\n"), "?");
    EXPECT_EQ(value_of("x", "def g():\n    for i in range(unknown):\n        yield 1\nx = list(g())\n"), "?");
    EXPECT_EQ(value_of("x", "def g():\n    while True:\n        yield 1\nx = list(g())\n"), "?");
}

TEST(HostIterators, FunctionsOfPythonAsValues) {
    EXPECT_EQ(value_of("N", "N = sum(map(int, '12 30'.split()))\n"), "42");
    EXPECT_EQ(value_of("N", "N = sum(map(float, ['1.5', '2']))\n"), "3.5");
    EXPECT_EQ(value_of("N", "N = sum(map(len, ['a', 'bc']))\n"), "3");
    EXPECT_EQ(value_of("N", "A = [[1, 2], [3, 4]]\nN = sum(map(sum, A)) + max(map(max, A))\n"), "14");
    EXPECT_EQ(value_of("N", "N = max([1, -2], key=abs)\n"), "-2");
    EXPECT_EQ(value_of("N", "N = len(sorted(['ccc', 'a', 'bb'], key=len)[1])\n"), "2");
    EXPECT_EQ(value_of("N", "N = sum(map(int, ['1', 'x']))\n"), "?");
}

TEST(HostLibrary, Fractions) {
    const auto of = [](std::string_view expr) {
        return value_of("x", "from fractions import Fraction as F\nx = " + std::string(expr));
    };
    EXPECT_EQ(of("float(F(1, 4))"), "0.25");
    EXPECT_EQ(of("F(2, -6).numerator * 10 + F(2, -6).denominator"), "-7");
    EXPECT_EQ(of("(F(3, 8) * 2 + 1 - F(1, -4)).numerator"), "2");
    EXPECT_EQ(of("float(1 / F(2, 8) + 2 * F(1, 4) - 1)"), "3.5");
    EXPECT_EQ(of("float(3 - F(1, 2)) + float(-F(1, 2) / F(1, 3))"), "1");
    EXPECT_EQ(of("float(F(1, 2) + 0.25)"), "?");
}

TEST(HostIterators, Itertools) {
    const auto of = [](std::string_view expr) {
        return value_of("x",
                        "import itertools, operator\nfrom itertools import product, chain\nx = " + std::string(expr));
    };
    EXPECT_EQ(of("list(product((0, 1), repeat=2))"), "[(0, 0), (0, 1), (1, 0), (1, 1)]");
    EXPECT_EQ(of("list(chain([1], (2, 3)))"), "[1, 2, 3]");
    EXPECT_EQ(of("list(itertools.accumulate([1, 2, 3], operator.mul))"), "[1, 2, 6]");
    EXPECT_EQ(of("tuple(itertools.islice(itertools.count(), 3))"), "(0, 1, 2)");
    EXPECT_EQ(of("tuple(itertools.islice(range(10), 2, 8, 3))"), "(2, 5)");
    EXPECT_EQ(of("tuple(itertools.islice(itertools.cycle((1, 2)), 1, 5))"), "(2, 1, 2, 1)");
    EXPECT_EQ(of("tuple(zip(itertools.count(3, 2), 'ab'))"), "((3, 'a'), (5, 'b'))");
    EXPECT_EQ(of("list(zip('ab', itertools.repeat(0)))"), "[('a', 0), ('b', 0)]");
    EXPECT_EQ(of("list(itertools.repeat(0, 2))"), "[0, 0]");
    EXPECT_EQ(of("list(itertools.zip_longest((1, 2), (3,), fillvalue=0))"), "[(1, 3), (2, 0)]");
    EXPECT_EQ(of("list(itertools.takewhile(lambda x: x < 3, range(9)))"), "[0, 1, 2]");
    EXPECT_EQ(of("list(itertools.dropwhile(lambda x: x < 7, range(9)))"), "[7, 8]");
    EXPECT_EQ(of("{k: len(list(v)) for k, v in itertools.groupby('aabc')}"), "{'a': 2, 'b': 1, 'c': 1}");
    EXPECT_EQ(of("list(itertools.compress('abc', (1, 0, 1)))"), "['a', 'c']");
    EXPECT_EQ(of("list(itertools.filterfalse(lambda x: x % 2, range(4)))"), "[0, 2]");
    EXPECT_EQ(of("list(itertools.count())"), "?");
    EXPECT_EQ(of("list(zip(itertools.count(), itertools.count()))"), "?");
}

TEST(HostTuples, FieldsOfAnyNames) {
    const std::string begin = "from collections import namedtuple\nks = ('thin', 'dev')\ne = {'p': 4, 'q': 5}\n";
    EXPECT_EQ(value_of("x", begin + "W = namedtuple('W', ks)\nx = W(2.5, dev=3).dev\n"), "3");
    EXPECT_EQ(value_of("x", begin + "V = namedtuple('V', e.keys())\nx = V(*e.values()).q\n"), "5");
    EXPECT_EQ(value_of("x", begin + "V = namedtuple('V', list(e))\nx = V(**e).p\n"), "4");
    EXPECT_EQ(value_of("x", begin + "V = namedtuple('V', 'a, b')\nv = V(1, 2)\nx = v._replace(b=7).b\n"), "7");
    EXPECT_EQ(value_of("x", begin + "V = namedtuple('V', 'a, b')\nv = V(1, 2)\nx = v._asdict()\n"), "{'a': 1, 'b': 2}");
    EXPECT_EQ(value_of("x", begin + "V = namedtuple('V', 'a, b')\nv = V(1, 2)\nx = v._fields\n"), "('a', 'b')");
    EXPECT_EQ(value_of("x", begin + "V = namedtuple('V', ['a', unknown, 'b'])\nv = V(1, 2)\nx = v.b\n"), "?");
    EXPECT_EQ(value_of("x", begin + "x = dict.fromkeys(ks, 0)\n"), "{'thin': 0, 'dev': 0}");
}

TEST(HostFunctions, SayTheirParameters) {
    const std::string begin = "import inspect\n@cuda.jit(device=True)\ndef f(a, b=1): return a\n";
    EXPECT_EQ(value_of("x", begin + "x = len(inspect.signature(f).parameters)\n"), "2");
    EXPECT_EQ(value_of("x", begin + "s = inspect.signature(f.py_func)\nx = list(s.parameters)\n"), "['a', 'b']");
    EXPECT_EQ(value_of("x", begin + "x = inspect.getfullargspec(f).args\n"), "['a', 'b']");
    EXPECT_EQ(value_of("x", begin + "def g(*args): pass\nx = len(inspect.signature(g).parameters)\n"), "?");
}

}  // namespace
