// The language around kernels: expressions and statements of module code, with the values that CPython gives them. "?":
// what is not followed.
#include "module_test.h"

using namespace pyk::module_test;

namespace {

struct Probe {
    const char* code;
    const char* value;
};

// Of what is not known as a whole, an item has the value of when it was written.
TEST(HostLanguage, DefaultsOfLambdasAreThoseOfTheirRound) {
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

TEST(HostLanguage, BytesAreSequences) {
    EXPECT_EQ(value_of("n", "n = list(b'ab' + b'c')\n"), "[97, 98, 99]");
    EXPECT_EQ(value_of("n", "n = list(b'ab' * 2)\n"), "[97, 98, 97, 98]");
    EXPECT_EQ(value_of("n", "n = list(b'abc'[1:] + b'd')\n"), "[98, 99, 100]");
    EXPECT_EQ(
        value_of(
            "n",
            "import numpy as np\nn = (np.frombuffer(b'ab', np.uint8) + np.frombuffer(b'ab', np.uint8)).tolist()\n"),
        "[194, 196]");
    EXPECT_EQ(value_of("n", "b = b'ab'\nn = b[0] * 256 + sum(x * 256 for x in b)\n"), "74752");
    EXPECT_EQ(value_of("n", "n = b'ab' - b'c'\n"), "?");
}

TEST(HostLanguage, BytesOfNumbers) {
    EXPECT_EQ(value_of("n",
                       "n = (int.from_bytes(b'\\x01\\x02', 'big'), int.from_bytes(b'\\x01\\x02', byteorder='little'),\n"
                       "     int.from_bytes(b'\\xff\\xfe', 'little', signed=True))\n"),
              "(258, 513, -257)");
    EXPECT_EQ(value_of("n", "n = (list((1000).to_bytes(4, 'little')), list((258).to_bytes(2, 'big')))\n"),
              "([232, 3, 0, 0], [1, 2])");
    const std::string header = "import struct\nimport numpy as np\n";
    EXPECT_EQ(
        value_of("n", header + "n = [struct.calcsize(f) for f in ('<ifd', 'ifd', 'xi', '=l', 'l', '3h2d', '>2B q')]\n"),
        "[16, 16, 8, 4, 8, 24, 10]");
    EXPECT_EQ(
        value_of("n",
                 header + "n = (struct.unpack('<I', struct.pack('<f', 1.0))[0], list(struct.pack('>Hb', 258, -1)))\n"),
        "(1065353216, [1, 2, 255])");
    EXPECT_EQ(value_of("n", header + "n = struct.unpack('<3h', b'\\x01\\x00\\x02\\x00\\xff\\xff')\n"), "(1, 2, -1)");
    EXPECT_EQ(
        value_of("n", header + "n = (int(np.float32(1.5).view(np.int32)), int(np.array([1.0]).view(np.int64)[0]),\n"
                               "     np.array([1, 258], np.uint16).view(np.uint8).tolist(),\n"
                               "     list(np.array([258], np.uint16).tobytes()))\n"),
        "(1069547520, 4607182418800017408, [1, 0, 2, 1], [2, 1])");
}

// Those that change the array, which is another one without them.
TEST(HostLanguage, KeywordsOfConstructors) {
    const std::string b = "import numpy as np\nb = bytes(range(8))\n";
    EXPECT_EQ(value_of("n", b + "n = np.frombuffer(b, dtype=np.uint8, count=2).tolist()\n"), "[0, 1]");
    EXPECT_EQ(value_of("n", b + "n = np.frombuffer(b, np.uint16, offset=4).tolist()\n"), "[1284, 1798]");
    EXPECT_EQ(value_of("n", b + "n = np.frombuffer(b, np.uint8, 2, 3).tolist()\n"), "[3, 4]");
    EXPECT_EQ(value_of("n", b + "n = np.frombuffer(b, np.uint8, 9)\n"), "?");
    EXPECT_EQ(value_of("n", b + "n = np.array([1, 2], ndmin=3).shape\n"), "(1, 1, 2)");
    EXPECT_EQ(value_of("n", b + "n = np.fromiter(range(5), np.int64, count=3).tolist()\n"), "[0, 1, 2]");
    EXPECT_EQ(value_of("n", b + "n = np.linspace(0, 1, 5, retstep=True)\n"), "?");
    EXPECT_EQ(value_of("n", b + "n = np.linspace([0, 1], [1, 2], 3).size\n"), "?");
    EXPECT_EQ(value_of("n", b + "x = np.random.rand(4)\nn = x.view(np.uint8).size\n"), "?");
}

TEST(HostLanguage, FieldsOfDtypes) {
    const std::string dt = "import numpy as np\ndt = np.dtype([('x', np.float32), ('n', np.int64)], align=True)\n";
    EXPECT_EQ(
        value_of(
            "n",
            dt + "n = (dt.names, dt.itemsize, dt.fields['n'][1], dt['n'].itemsize, dt.alignment, 'x' in dt.names)\n"),
        "(('x', 'n'), 16, 8, 8, 8, True)");
    EXPECT_EQ(value_of("n", dt + "n = (np.zeros(2, dt).dtype.names[1], np.float32(1).itemsize)\n"), "('n', 4)");
}

TEST(HostLanguage, DictsWithDefaults) {
    const std::string header = "from collections import defaultdict, Counter\n";
    EXPECT_EQ(value_of("n", header + "n = defaultdict(int)\nfor i in [1, 2, 2, 3]: n[i] += 1\n"), "{1: 1, 2: 2, 3: 1}");
    EXPECT_EQ(value_of("n", header + "n = defaultdict(list)\nfor i in range(5): n[i % 2].append(i)\n"),
              "{0: [0, 2, 4], 1: [1, 3]}");
    EXPECT_EQ(
        value_of("n",
                 header + "d = defaultdict(set)\nd[1].add(2)\nd[1].add(2)\nn = (len(d[1]), d.get(5, 7), 5 in d)\n"),
        "(1, 7, False)");
    EXPECT_EQ(value_of("n", header + "n = defaultdict(float, {1: 2.5})\nn[1] += 1\nn[2] += 0.25\n"),
              "{1: 3.5, 2: 0.25}");
    EXPECT_EQ(value_of("n", header + "n = defaultdict(dict)\nn['a']['b'] = 1\n"), "?");
    // A read leaves the key behind.
    EXPECT_EQ(value_of("n", header + "d = defaultdict(int)\nx = d[5]\nn = len(d)\n"), "?");
    EXPECT_EQ(value_of("n", header + "def f():\n d = defaultdict(int)\n x = d[5]\n return len(d)\nn = f()\n"), "?");
    EXPECT_EQ(value_of("n", header + "def f():\n d = defaultdict(int)\n for i in range(4): d[i % 2] += i\n"
                                     " return [d[i] for i in range(2)] + [d[1], len(d)]\nn = f()\n"),
              "[2, 4, 4, 2]");
    EXPECT_EQ(value_of("n", header + "d = defaultdict(lambda: 7)\nd[1] += 1\nn = d[1]\n"), "?");
    EXPECT_EQ(
        value_of("n",
                 header + "c = Counter('abracadabra')\nn = (c['a'], c['z'], len(c), c.most_common(2), c.total())\n"),
        "(5, 0, 5, [('a', 5), ('b', 2)], 11)");
    EXPECT_EQ(value_of("n", header + "c = Counter({'a': 2})\nc.update('ab')\nc.update({'a': 5})\nc['q'] += 1\nn = "
                                     "(c['a'], c['b'], c['q'])\n"),
              "(8, 1, 1)");
    EXPECT_EQ(value_of("n", header + "n = Counter('ab') | Counter('b')\n"), "?");
    EXPECT_EQ(value_of("n", header + "c = Counter('ab')\nd = dict(c)\nd.update({'a': 5})\nn = d['a']\n"), "5");
}

TEST(HostLanguage, FunctionsOfFunctions) {
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

TEST(HostLanguage, MoreOfMath) {
    EXPECT_EQ(value_of("n", "n = (pow(3, -1, 2 ** 31 - 1), pow(3, -2, 7), pow(-3, 5, 7))\n"), "(1431655765, 4, 2)");
    EXPECT_EQ(value_of("n", "n = pow(4, -1, 6)\n"), "?");
    EXPECT_EQ(value_of("n", "n = np.round(np.array([2.345, 1.005], np.float32), 2).tolist()\n"),
              "[2.3399999141693115, 1]");
    EXPECT_EQ(value_of("n", "n = (math.fsum([0.1] * 10), math.fsum([1e100, 1.0, -1e100]), math.ldexp(0.5, 3))\n"),
              "(1, 1, 4)");
    EXPECT_EQ(value_of("n", "n = (math.nextafter(1.0, 2.0) - 1, math.remainder(5, 3), math.isclose(0.1 + 0.2, 0.3))\n"),
              "(2.220446049250313e-16, -1, True)");
}

TEST(HostLanguage, OtherNamesOfFunctions) {
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

TEST(HostLanguage, TextsOfOtherValues) {
    EXPECT_EQ(value_of("n", "n = str(1 + 2j)\n"), "?");
    EXPECT_EQ(value_of("n", "n = f'{len}'\n"), "?");
}

TEST(HostLanguage, NothingIsCheckedByTypes) {
    EXPECT_EQ(value_of("n", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    n = 1\nelse:\n    n = 2\n"), "2");
}

TEST(HostLanguage, ItemsOfWhatIsNotKnownAsAWhole) {
    const std::string dict = "import elsewhere\nT = 4\nD = {'tile': T, T: 1, 'other': elsewhere.f()}\nT = 8\n";
    EXPECT_EQ(value_of("N", dict + "N = D['tile']\n"), "4");
    EXPECT_EQ(value_of("N", dict + "N = D[4]\n"), "1");
    EXPECT_EQ(value_of("N", dict + "E = D\nN = E['tile']\n"), "4");
    EXPECT_EQ(value_of("N", dict + "N = D[T]\n"), "?");
    const std::string tuple =
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass P:\n    x: float = 0\n"
        "import elsewhere\np = P(1)\nt = (p, elsewhere.f())\np = P(2)\n";
    EXPECT_EQ(value_of("N", tuple + "N = t[0].x\n"), "1");
}

// `(n := f(x))` gives the name its value, wherever it stands.
TEST(HostLanguage, FinallyRunsWhicheverWay) {
    const std::string begin = "def f():\n    try:\n        return 1\n    finally:\n";
    EXPECT_EQ(value_of("N", begin + "        pass\nN = f()\n"), "1");
    EXPECT_EQ(value_of("N", begin + "        return 2\nN = f()\n"), "2");
    EXPECT_EQ(
        value_of("n", "n = 0\ndef f():\n    global n\n    try:\n        return 1\n    finally:\n        n += 1\nf()\n"),
        "1");
    EXPECT_EQ(value_of("N",
                       "def f():\n    while True:\n        try:\n            return 1\n        finally:\n"
                       "            break\n    return 5\nN = f()\n"),
              "5");
}

TEST(HostLanguage, KeysThatAreEqual) {
    EXPECT_EQ(value_of("D", "D = {1: 5, True: 6}\n"), "{1: 6}");
    EXPECT_EQ(value_of("N", "D = {1: 5, True: 6}\nN = D[1]\n"), "6");
    EXPECT_EQ(value_of("N", "D = {1: 5}\nN = D[1.0]\n"), "5");
}

// A number of NumPy's makes one of its kind of Python's, and has its own rounding.
TEST(HostLanguage, NumbersOfNumPy) {
    EXPECT_EQ(value_of("N", "N = (1 if np.float32(0.1) == 0.1 else 2) + (10 if 0.1 >= np.float32(0.1) else 20)\n"),
              "11");
    EXPECT_EQ(value_of("N", "N = int((np.array([0.1, 0.2], dtype=np.float32) > 0.1).sum())\n"), "1");
    EXPECT_EQ(value_of("N", "N = float(np.minimum(np.array([0.3], np.float32), 0.1)[0])\n"), "0.10000000149011612");
    EXPECT_EQ(value_of("N", "N = float(round(np.float32(2.675), 2))\n"), "2.680000066757202");
    EXPECT_EQ(value_of("N", "N = 2 if np.arange(3) is None else 3 if np.arange(3) is not None else 4\n"), "3");
    EXPECT_EQ(value_of("N", "N = np.sort(np.array([np.nan, 1, 0]))[:2].tolist()\n"), "[0, 1]");
    EXPECT_EQ(value_of("N", "N = sorted([2.0, float('nan'), 1.0])\n"), "?");
}

// The code is for GPUs, and the environment of whoever compiles is not read.
TEST(HostLanguage, TheSimulatorIsNotMeant) {
    for (const char* test :
         {"config.ENABLE_CUDASIM", "numba.config.ENABLE_CUDASIM == 1", "'NUMBA_ENABLE_CUDASIM' in os.environ",
          "os.environ.get('NUMBA_ENABLE_CUDASIM') == '1'", "not cuda.is_available()"})
        EXPECT_EQ(value_of("N", "import os\nimport numba\nfrom numba import config\nif " + std::string(test) +
                                    ":\n    N = 1\nelse:\n    N = 2\n"),
                  "2")
            << test;
}

TEST(HostLanguage, Walruses) {
    const Probe probes[] = {
        {R"py(if (n := 5) > 3: M = n
N = M)py",
         "5"},
        {R"py(x = [3, 4, 5]
if (m := len(x)) > 2:
    N = m
else:
    N = 0)py",
         "3"},
        {R"py(def f(a):
    if (n := a * 2) > 3: return n
    return 0
N = f(5))py",
         "10"},
        {R"py(i = 0
while (i := i + 1) < 7: pass
N = i)py",
         "7"},
        {R"py(M = 1
if (M := 5) > 3: pass
N = M)py",
         "5"},
        {R"py(M = 1
x = (M := 5)
N = M)py",
         "5"},
        {R"py(def f():
    m = 1
    if (m := 5) > 3: pass
    return m
N = f())py",
         "5"},
        {R"py(def f():
    m = 1
    x = (m := 5) + 1
    return m
N = f())py",
         "5"},
        {R"py(def f():
    m = 1
    while (m := m + 1) < 5: pass
    return m
N = f())py",
         "5"},
        {R"py(n = 3
if (n := n + 1) > 3: M = n
N = M * 10 + n)py",
         "44"},
        {R"py(N = 0
if (n := 5) > 3 and n < 7: N = n)py",
         "5"},
        {R"py(n = 1
if n < 2 and (n := 5) > 3: N = n)py",
         "?"},
        {R"py(x = 3
if x > 5: N = 1
elif (m := x * 2) > 5: N = m
else: N = 0)py",
         "6"},
        {R"py(N = 0
if (a := (b := 3) + 1) == 4: N = a * 10 + b)py",
         "43"},
        {R"py(t = 0
for i in range(5):
    if (s := i * i) > 3: t += s
N = t * 100 + s)py",
         "2916"},
        {R"py(i = 0
while (i := i + 1) < 7: pass
N = i)py",
         "7"},
        {R"py(def f():
    global y
    if (y := 4) > 3: return 1
y = 1
f()
N = y)py",
         "4"},
        {R"py(f = lambda a: (b := a * 2) + b
N = f(3))py",
         "12"},
        {R"py(n = 3
x = 0
if x and (n := 5): pass
N = n)py",
         "?"},
        {R"py(a = [1]
if (b := a): b.append(2)
N = len(a))py",
         "?"},
        {R"py(v = [1, 5, 9]
h = 0
if any((h := x) > 3 for x in v): pass
N = h)py",
         "?"},
        {R"py(y = 1
z = [y for x in range(5) if (y := x * 2) > 3]
N = y)py",
         "?"},
        {R"py(v = [1, 2, 3]
i = 0
v[(i := i + 1)] = 7
N = i)py",
         "?"},
    };
    for (const Probe& probe : probes) EXPECT_EQ(value_of("N", probe.code), probe.value) << probe.code;
}

// What is not there for certain has no default.
TEST(HostLanguage, QuestionsAboutObjects) {
    const Probe probes[] = {
        {R"py(N = (1 if hasattr([1], "__len__") else 2) * 10 + (1 if hasattr(3, "__len__") else 2))py", "12"},
        {R"py(class B:
    x = 3
class A(B): pass
N = 1 if hasattr(A(), "x") else 2)py",
         "1"},
        {R"py(class A:
    def x(self): pass
N = 1 if hasattr(A(), "x") else 2)py",
         "1"},
        {R"py(class A: x = 1
N = 1 if hasattr(A(), "x") else 2)py",
         "1"},
        {R"py(class A: x = 1
N = 1 if hasattr(A(), "y") else 2)py",
         "2"},
        {R"py(from numba import cuda
N = 1 if hasattr(cuda, "jit") else 2)py",
         "1"},
        {R"py(class A: x = 1
N = getattr(A, "y", 5))py",
         "5"},
        {R"py(class A:
    def __init__(self): self.x = input
N = 1 if getattr(A(), "x", 5) == 5 else 2)py",
         "?"},
        {R"py(import os
class A:
    x = os.getpid()
N = min(getattr(A, "x", 0), 1))py",
         "?"},
        {R"py(class A: pass
class B(A): pass
N = 1 if isinstance(B(), A) else 2)py",
         "1"},
        {R"py(class A: pass
class B: pass
N = 1 if isinstance(B(), A) else 2)py",
         "2"},
        {R"py(class B: pass
N = 1 if isinstance(B(), (int, float)) else 2)py",
         "2"},
        {R"py(class A: pass
class B: pass
N = 1 if isinstance(B(), (A, B)) else 2)py",
         "1"},
        {R"py(class A: pass
class B(A): pass
N = 1 if issubclass(B, A) else 2)py",
         "1"},
        {R"py(import sys
N = 1 if sys.version_info >= (3, 8) else 2)py",
         "1"},
        {R"py(import sys
if sys.version_info < (3, 0):
    N = 5
else:
    N = 6)py",
         "6"},
        {R"py(import sys
N = 1 if sys.version_info[0] >= 3 else 2)py",
         "1"},
        {R"py(import sys
N = 1 if sys.version_info >= (3, 3, 1) else 2)py",
         "1"},
        {R"py(f = False
N = 1 if f is True else 2)py",
         "2"},
        {R"py(f = False
N = 1 if f is not False else 2)py",
         "2"},
        {R"py(N = 1 if 1 is True else 2)py", "2"},
        {R"py(import numpy as np
N = 1 if np.bool_(True) is True else 2)py",
         "?"},
        {R"py(def pick(flag=False):
    match flag:
        case True: return 1
        case False: return 7
N = pick())py",
         "7"},
        {R"py(class A: pass
a = A()
def f(o): o.x = 3
f(a)
N = 1 if hasattr(a, "x") else 2)py",
         "1"},
        {R"py(class M(type):
    @property
    def x(cls): return 3
class A(metaclass=M): pass
N = 1 if hasattr(A, "x") else 2)py",
         "?"},
    };
    for (const Probe& probe : probes) EXPECT_EQ(value_of("N", probe.code), probe.value) << probe.code;
}

// Dataclasses, also derived ones, and named tuples.
TEST(HostLanguage, Fields) {
    const Probe probes[] = {
        {R"py(from dataclasses import dataclass
@dataclass
class P: n: int = 3
class Q(P): pass
N = Q(6).n)py",
         "6"},
        {R"py(from dataclasses import dataclass
@dataclass
class P: n: int = 3
@dataclass
class Q(P): z: int = 1
q = Q(6, 7)
N = q.n * 10 + q.z)py",
         "67"},
        {R"py(from dataclasses import dataclass
@dataclass
class P: n: int = 3
@dataclass
class Q(P):
    z: int = 1
    n: int = 9
N = Q().n * 10 + Q().z)py",
         "91"},
        {R"py(from dataclasses import dataclass
@dataclass
class P:
    n: int = 3
    def m(self): return self.n * 2
    @property
    def w(self): return self.n + 1
@dataclass
class Q(P):
    z: int = 1
    def t(self): return self.m() + self.w + self.z
N = Q(5).t())py",
         "17"},
        {R"py(from dataclasses import dataclass, replace
@dataclass
class P:
    n: int = 3
    m: int = 4
p = P()
q = replace(p, n=7)
N = q.n * 10 + q.m)py",
         "74"},
        {R"py(import dataclasses
@dataclasses.dataclass(frozen=True)
class P:
    n: int = 3
    m: int = 4
q = dataclasses.replace(P(), n=7)
N = q.n * 10 + q.m)py",
         "74"},
        {R"py(from dataclasses import dataclass, asdict
@dataclass
class P:
    n: int = 3
    m: int = 4
N = asdict(P(m=9))["m"])py",
         "9"},
        {R"py(from dataclasses import dataclass, astuple
@dataclass
class P:
    n: int = 3
    m: int = 4
a, b = astuple(P(m=9))
N = a * b)py",
         "27"},
        {R"py(from dataclasses import dataclass
@dataclass
class P:
    n: int = 3
    @classmethod
    def make(cls, k): return cls(n=k * 2)
N = P.make(4).n)py",
         "8"},
        {R"py(from collections import namedtuple
C = namedtuple("C", "w h")
N = C._make([1, 2]).h)py",
         "2"},
        {R"py(from collections import namedtuple
C = namedtuple("C", "w h")
N = len(C._fields))py",
         "2"},
        {R"py(from enum import Enum
E = Enum("E", "A B")
N = E.B.value)py",
         "2"},
        {R"py(from enum import Enum
E = Enum("E", ["A", "B"])
N = E.B.value)py",
         "2"},
        {R"py(from enum import Enum
E = Enum("E", {"A": 5, "B": 7})
N = E.B.value)py",
         "7"},
        {R"py(from enum import IntEnum
E = IntEnum("E", "A B C", start=0)
N = E.B + E.C)py",
         "3"},
        {R"py(from enum import IntEnum
E = IntEnum("E", [("A", 4), ("B", 9)])
N = E.B + len(E))py",
         "11"},
    };
    for (const Probe& probe : probes) EXPECT_EQ(value_of("N", probe.code), probe.value) << probe.code;
}

// What a class says of them.
TEST(HostLanguage, Operators) {
    const Probe probes[] = {
        {R"py(class A:
    def __init__(self): self.v = [1, 2, 3]
    def __getitem__(self, i): return self.v[i]
    def __len__(self): return len(self.v)
a = A()
N = a[1] * 10 + len(a))py",
         "23"},
        {R"py(class V:
    def __init__(self, x): self.x = x
    def __add__(self, o): return V(self.x + o.x)
    def __mul__(self, k): return V(self.x * k)
N = (V(2) + V(3) * 4).x)py",
         "14"},
        {R"py(class V:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return self.x == o.x
N = 1 if V(2) == V(2) else 3)py",
         "1"},
        {R"py(class V:
    def __contains__(self, x): return x > 3
N = 1 if 5 in V() else 2)py",
         "1"},
        {R"py(class V:
    def __iter__(self): return iter([1, 2, 3])
N = sum(V()))py",
         "6"},
        {R"py(class V:
    def __iter__(self): return iter([1, 2, 3])
t = 0
for x in V(): t += x
N = t)py",
         "6"},
        {R"py(class V:
    def __init__(self, x): self.x = x
    def __neg__(self): return V(-self.x)
N = (-V(3)).x)py",
         "-3"},
        {R"py(class V:
    def __init__(self, x): self.x = x
    def __rmul__(self, k): return V(self.x * k)
N = (4 * V(3)).x)py",
         "12"},
        {R"py(class V:
    def __int__(self): return 4
N = int(V()))py",
         "4"},
    };
    for (const Probe& probe : probes) EXPECT_EQ(value_of("N", probe.code), probe.value) << probe.code;
}

// Operators and properties that change their object: neither what they give nor what the object has then is followed.
// A property that keeps what it computed the first time is.
TEST(HostLanguage, OperatorsThatChangeTheirObject) {
    const std::string counter = R"py(class Counter:
    def __init__(self):
        self.n = 0
        self._table = None
    def __getitem__(self, i):
        self.n += 1
        return self.n * 10 + i
    def __len__(self):
        self.n += 1
        return self.n
    def __neg__(self):
        self.n -= 1
        return self.n
    @property
    def next(self):
        self.n += 1
        return self.n
    @property
    def table(self):
        if self._table is None:
            self._table = [3, 4]
        return self._table
c = Counter()
)py";
    const Probe probes[] = {
        {"N = c.n", "0"},
        {"N = c[1] + c[1]", "?"},
        {"x = c[1] + c[1]\nN = c.n", "?"},
        {"x = len(c)\nN = c.n", "?"},
        {"x = -c\nN = c.n", "?"},
        {"N = c.next + c.next", "?"},
        {"x = c.next\nN = c.n", "?"},
        {"if c[0] > 3: x = 1\nN = c.n", "?"},
        {"x = [c[i] for i in range(3)]\nN = c.n", "?"},
        {"def f():\n    x = c[0]\n    return c.n\nN = f()", "?"},
        {"N = c.table[0] + c.table[1] + c.n", "7"},
    };
    for (const Probe& probe : probes) EXPECT_EQ(value_of("N", counter + probe.code), probe.value) << probe.code;
}

// Dataclasses compare their fields.
TEST(HostLanguage, FieldsAreCompared) {
    const std::string classes = R"py(from dataclasses import dataclass, field
@dataclass
class P:
    x: int
    y: int = 2
@dataclass(order=True)
class V:
    major: int
    minor: int
class D(V): pass
@dataclass(eq=False)
class Same:
    x: int
@dataclass
class Part:
    x: int
    y: int = field(default=1, compare=False)
@dataclass
class Own:
    x: int
    def __eq__(self, other): return self.x == other.x + 1
)py";
    const Probe probes[] = {
        {"N = P(1) == P(1, 2)", "True"},    {"N = P(1) == P(1, 3)", "False"},
        {"N = P(1) != P(1, 3)", "True"},    {"N = P(1) < P(2)", "?"},
        {"N = V(1, 9) < V(2, 0)", "True"},  {"N = V(2, 1) >= V(2, 2)", "False"},
        {"N = D(1, 2) == D(1, 2)", "True"}, {"N = D(1, 2) == V(1, 2)", "?"},
        {"N = Same(1) == Same(1)", "?"},    {"N = Part(1, 2) == Part(1, 3)", "?"},
        {"N = Own(2) == Own(1)", "True"},   {"N = Own(2) != Own(1)", "False"},
    };
    for (const Probe& probe : probes) EXPECT_EQ(value_of("N", classes + probe.code), probe.value) << probe.code;
}

// `type(x)` compared with classes, and sorting in place by a key.
TEST(HostLanguage, TypesAndOrder) {
    const Probe probes[] = {
        {"x = 3\nN = type(x) is int", "True"},
        {"N = type(True) is int", "False"},
        {"N = type(3.5) == float", "True"},
        {"N = type((1, 2)) in (list, tuple)", "True"},
        {"N = type([1]) not in [dict, tuple]", "True"},
        {"N = type('a') is not str", "False"},
        {"import numpy as np\nN = type(np.float64(1)) is float", "False"},
        {"import numpy as np\nN = type(np.float32(1)) is np.float32", "True"},
        {"int = float\nN = type(3) is int", "?"},
        {"x = [3, 1, 2]\nx.sort(reverse=True)\nN = x", "[3, 2, 1]"},
        {"x = [(1, 5), (2, 3), (0, 3)]\nx.sort(key=lambda p: p[1])\nN = x", "[(2, 3), (0, 3), (1, 5)]"},
        {"def size(v): return -len(v)\nx = ['a', 'bcd', 'ef']\nx.sort(key=size)\nN = x[0]", "'bcd'"},
        {"x = [3, 1, 2]\ny = x\nx.sort(key=lambda v: -v)\nN = y[0]", "3"},
        {"def f(v):\n    v.sort(reverse=True)\nx = [3, 1, 5]\nf(x)\nN = x[0]", "5"},
    };
    for (const Probe& probe : probes) EXPECT_EQ(value_of("N", probe.code), probe.value) << probe.code;
}

// The handler of what is surely raised runs.
TEST(HostLanguage, Raising) {
    const Probe probes[] = {
        {R"py(try: n = int("x")
except ValueError: n = 4
N = n)py",
         "4"},
        {R"py(d = {"a": 1}
try: n = d["b"]
except KeyError: n = 4
N = n)py",
         "4"},
        {R"py(try: n = 1 // 0
except ZeroDivisionError: n = 4
N = n)py",
         "4"},
        {R"py(try: n = [1, 2][5]
except IndexError: n = 4
N = n)py",
         "4"},
        {R"py(import sys
try:
    N = int(sys.argv[1])
    M = int(sys.argv[2])
except (IndexError, ValueError):
    N = 7
    M = 8)py",
         "7"},
        {R"py(import contextlib
@contextlib.contextmanager
def f(n):
    yield n * 2
with f(3) as g: N = g)py",
         "6"},
        {R"py(from contextlib import contextmanager
@contextmanager
def f(n):
    m = n + 1
    try:
        yield m * 2
    finally:
        m = 0
with f(3) as g: N = g)py",
         "8"},
    };
    for (const Probe& probe : probes) EXPECT_EQ(value_of("N", probe.code), probe.value) << probe.code;
}

TEST(HostLanguage, EnvironmentVariablesAreNotThere) {
    constexpr std::string_view kTry = "import os\ntry:\n    N = int(os.environ['N'])\nexcept KeyError:\n    N = 8\n";
    EXPECT_EQ(value_of("N", kTry), "8");
    EXPECT_EQ(value_of("N", "import os\nos.environ['N'] = '4'\n" + std::string(kTry).substr(10)), "?");
}

TEST(HostLanguage, DefaultsOfNamedTuples) {
    constexpr std::string_view kSource =
        "from collections import namedtuple\nP = namedtuple('P', ['x', 'y'], defaults=[4])\np = P(10)\n"
        "Q = namedtuple('Q', 'x y', defaults=(5,))\nn = p.y + Q(1).y";
    EXPECT_EQ(value_of("n", kSource), "9");
}

TEST(HostLanguage, TypesOfNumbaThatKernelsDoNotHave) {
    EXPECT_EQ(value_of("n", "from numba.cuda import types\nT = types.List(types.int32)\nU = types.int\nn = 1"), "1");
}

}  // namespace
