// Functions of Python that module code calls and passes on (host_functions, scope_call).
#include "module_test.h"

using namespace pyk::module_test;

namespace {

// Of what is not known as a whole, an item has the value of when it was written.
TEST(HostFunctions, DefaultsOfLambdasAreThoseOfTheirRound) {
    const std::string call = "x = [f(10) for f in fs]\n";
    EXPECT_EQ(value_of("x", "fs = []\nfor i in range(3):\n    fs.append(lambda x, i=i: x * i)\n" + call),
              "[0, 10, 20]");
    EXPECT_EQ(value_of("x",
                       "fs = {}\nfor n, p in (('a', 2), ('b', 3)):\n    fs[n] = lambda x, p=p: x ** p\n"
                       "x = (fs['a'](3), fs['b'](2))\n"),
              "(9, 8)");
    EXPECT_EQ(value_of("x",
                       "def make(n):\n    fs = []\n    for i in range(n):\n        fs.append(lambda x, *, i=i: x * i)\n"
                       "    return fs\nfs = make(3)\n" +
                           call),
              "[0, 10, 20]");
    EXPECT_EQ(value_of("x", "fs = []\nfor i in range(3):\n    fs.append(lambda x: x * i)\n" + call), "[20, 20, 20]");
}

TEST(HostFunctions, FunctionsOfFunctions) {
    const std::string header =
        "from functools import partial\nfrom operator import attrgetter, itemgetter\n"
        "def f(a, b, c=3): return a * 100 + b * 10 + c\n";
    EXPECT_EQ(value_of("n", header + "g = partial(f, b=2)\nh = partial(f, 1)\nn = (g(1), h(5), g(1, c=4), h(5, c=1), "
                                     "list(map(h, [1, 2])))\n"),
              "(123, 153, 124, 151, [113, 123])");
    const std::string rows = header + "rows = [(3, 'c', 1.5), (1, 'a', 2.5), (2, 'b', 0.5)]\n";
    EXPECT_EQ(value_of("n", rows + "n = [r[0] for r in sorted(rows, key=itemgetter(2), reverse=True)]\n"), "[1, 3, 2]");
    EXPECT_EQ(
        value_of(
            "n",
            rows +
                "n = (max(rows, key=itemgetter(0))[1], itemgetter(2, 0)(rows[0]), list(map(itemgetter(1), rows)))\n"),
        "('c', (1.5, 3), ['c', 'a', 'b'])");
    EXPECT_EQ(value_of("n", header + "from typing import NamedTuple\nclass P(NamedTuple):\n x: int\n y: int\n"
                                     "n = [p.y for p in sorted([P(3, 1), P(1, 2)], key=attrgetter('x'))]\n"),
              "[2, 1]");
}

TEST(HostFunctions, OtherNamesOfFunctions) {
    EXPECT_EQ(value_of("n",
                       "f = np.sum\ng = np.trapezoid\nh = len\nk = sorted\nn = (int(f([1, 2])), float(g([1.0, 2.0])), "
                       "h([1]), k([2, 1]))\n"),
              "(3, 1.5, 1, [1, 2])");
    EXPECT_EQ(
        value_of("n", "trapz = np.trapezoid if hasattr(np, 'trapezoid') else np.trapz\nn = float(trapz([1.0, 2.0]))\n"),
        "1.5");
    EXPECT_EQ(value_of("n", "trapz = getattr(np, 'trapezoid', None) or np.trapz\nn = float(trapz([1.0, 2.0]))\n"),
              "1.5");
}

}  // namespace
