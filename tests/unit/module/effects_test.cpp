// What functions of the module do to its variables when they are called: from inside of expressions, from blocks of
// `with` and `try`, and from other files. The values are CPython's.
#include "module_test.h"

using namespace pyk::module_test;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

namespace {

constexpr std::string_view kBump = "n = 1\ndef bump():\n    global n\n    n += 1\n    return n\n";

TEST(HostEffects, OfCallsThatAreReturned) {
    EXPECT_EQ(value_of("n", std::string(kBump) + "def f():\n    return bump()\nm = f()\n"), "2");
    EXPECT_EQ(value_of("m", std::string(kBump) + "def f():\n    return bump()\nm = f()\n"), "2");
}

// Where it is not followed what a call does, nobody knows what the variable is.
TEST(HostEffects, OfImportsOfAllNames) {
    const Texts files{{"a", "N = 1\nM = 5\n"}, {"b", "N = 2\n"}, {"c", "N = f()\n"}};
    EXPECT_EQ(value_of("N", "from a import *\nfrom b import *\n", files), "2");
    EXPECT_EQ(value_of("M", "from a import *\nfrom b import *\n", files), "5");
    EXPECT_EQ(value_of("N", "N = 9\nfrom a import *\n", files), "1");
    EXPECT_EQ(value_of("N", "from a import *\nN = 9\n", files), "9");
    EXPECT_EQ(value_of("N", "from a import *\nfrom c import *\n", files), "?");
    EXPECT_EQ(value_of("X", "N = 9\nX = N\nfrom a import *\n", files), "9");
    EXPECT_EQ(value_of("pi", "pi = 3\nfrom math import *\n", files), "3.141592653589793");
}

// A name that goes over an array is another number each time; a number has nothing that changes.
TEST(HostEffects, OfLoopsOverArraysThatFillOthers) {
    const std::string tables = "P = np.array([1, 2])\nJ = np.zeros(3)\n";
    for (const char* loop : {"for i, c in enumerate(P):\n    J[i] = c\n", "for c in P:\n    J[c] = 1\n",
                             "for a, b in zip(P, P):\n    J[a] = b\n"})
        EXPECT_EQ(value_of("X", tables + loop + "X = tuple(P.tolist())\n"), "(1, 2)") << loop;
    EXPECT_EQ(value_of("X", tables + "for i, c in enumerate(P):\n    J[i] = c\nX = tuple(J.tolist())\n"), "(1, 2, 0)");
    EXPECT_EQ(value_of("Q", "Q = np.zeros((2, 2))\nfor row in Q:\n    row[0] = 1\nQ = Q[0, 0]\n"),
              "?");  // through a view
    EXPECT_EQ(value_of("Q", "Q = np.zeros((2, 2))\nfor row in Q:\n    row += 1\nQ = Q[0, 0]\n"), "?");
    EXPECT_EQ(value_of("X", "E = 3\ndef f():\n    x = E\n    x += 5\n    return [x, x]\nX = f()[0] + E\n"), "11");
    EXPECT_EQ(value_of("X", "E = [3]\ndef f():\n    x = E\n    x += [5]\n    return 1\nX = [f(), len(E)][1]\n"), "?");
}

// What is not followed is not known.
TEST(HostEffects, OfFunctionsThatChangeLists) {
    for (const char* text :
         {"import bisect\nL = [3.0]\nbisect.insort(L, 2.0)\nX = len(L)\n",
          "from bisect import insort\nL = [3.0]\nfor v in (2.0, 1.0):\n    insort(L, v)\nX = len(L)\n",
          "import heapq\nL = [3, 1]\nheapq.heapify(L)\nX = L[0]\n",
          "from heapq import heappush\nL = []\ndef put(v):\n    heappush(L, v)\nput(1)\nX = len(L)\n",
          "A = np.zeros(3)\nB = A.astype(np.float64, copy=False)\nB[0] = 4\nX = A[0]\n",
          "A = np.zeros(3, np.uint8)\nm = memoryview(A)\nm[0] = 9\nX = A[0]\n",
          "A = np.array([256])\nA.byteswap(inplace=True)\nX = A[0]\n", "X = 1\nvars()['X'] = 5\n",
          "X = 1\nlocals().update(X=5)\n"})
        EXPECT_EQ(value_of("X", text), "?") << text;
    EXPECT_EQ(value_of("X", "A = np.zeros(3)\nB = A.astype(np.int64)\nB[0] = 4\nX = A[0]\n"), "0");
}

TEST(HostEffects, OfCallsInsideOfStatements) {
    for (const char* function :
         {"def f():\n    if bump() > 3:\n        return 3\n    return 4\n", "def f():\n    return bump() + 1\n",
          "def f():\n    while bump() < 3:\n        pass\n", "def f():\n    assert bump()\n",
          "def f():\n    for i in range(bump()):\n        pass\n", "def f():\n    with open(bump()):\n        pass\n",
          "def f():\n    try:\n        read()\n    except OSError:\n"
          "        bump()\n"})
        EXPECT_EQ(value_of("n", std::string(kBump) + function + "f()\n"), "?") << function;
    EXPECT_EQ(value_of("L", "L = [1, 2, 3]\ndef f():\n    return L.pop() + 1\nf()\n"), "?");
    EXPECT_EQ(
        value_of("n", std::string(kBump) + "def f():\n    try:\n        bump()\n    finally:\n        pass\nf()\n"),
        "2");
    EXPECT_EQ(value_of("n", std::string(kBump) + "def f():\n    with open('x'):\n        bump()\nf()\n"), "2");
}

// What a function writes to stands behind its inputs.
TEST(HostEffects, OfOutputsByPosition) {
    const std::string begin = "import numpy as np\nT = np.arange(4.0)\n";
    for (const char* call : {"np.exp(T, T)", "np.multiply(T, 2, T)", "np.clip(T, 2, 3, T)", "np.round(T + 0.5, 0, T)",
                             "np.dot(np.eye(4), T, T)"})
        EXPECT_EQ(value_of("n", begin + call + "\nn = T[1]\n"), "?") << call;
    for (const char* call : {"np.add(T, 1)", "np.clip(T, 2, 3)", "np.exp(T)", "np.round(T, 2)"})
        EXPECT_EQ(value_of("n", begin + call + "\nn = T[1]\n"), "1") << call;
}

TEST(HostEffects, OfMethodsAndFunctionsInsideThatSetVariables) {
    const std::string method = "x = 1\nclass A:\n    def set(self):\n        global x\n        x = 6\n";
    EXPECT_EQ(value_of("x", method + "a = A()\na.set()\n"), "6");
    EXPECT_EQ(value_of("x", method + "A().set()\n"), "?");
    EXPECT_EQ(value_of("x", method + "b = 3\n"), "1");
    EXPECT_EQ(value_of("x", "x = 1\ndef f():\n    def g():\n        global x\n        x = 5\n    g()\nf()\n"), "5");
}

// Any variable may have another value behind these.
TEST(HostEffects, OfWhatSetsAnyVariable) {
    for (const char* change : {"globals()['N'] = 4\n", "globals().update(N=4)\n", "exec('N = 4')\n"}) {
        EXPECT_EQ(value_of("N", "N = 1\n" + std::string(change)), "?") << change;
        EXPECT_EQ(value_of("N", "M = 1\n" + std::string(change) + "N = 2\n"), "2") << change;
    }
    EXPECT_EQ(value_of("N", "N = 1\nM = len(globals())\n"), "1");
    // Names that a text has to itself are not the module's.
    EXPECT_EQ(value_of("N", "N = 1\nnames = {}\nexec('N = 2', names)\n"), "1");
    EXPECT_EQ(value_of("N", "class Plan:\n    def exec(self): return 2\nN = 1\nPlan().exec()\n"), "1");
}

TEST(HostEffects, OnVariablesThatAFunctionMakes) {
    EXPECT_EQ(value_of("n", "def setup():\n    global n\n    n = 5\nsetup()\n"), "5");
    EXPECT_EQ(value_of("n", "def setup():\n    global n\n    n = 5\n"), "?");
    EXPECT_EQ(value_of("f", "def f(): pass\ndef g(): pass\ndef setup():\n    global f\n    f = g\nsetup()\n"), "g");
    // A variable of the caller's own has nothing to do with it.
    EXPECT_EQ(value_of("n", std::string(kBump) + "def f():\n    n = 7\n    bump()\n    return n\nm = f()\n"), "?");
    EXPECT_EQ(value_of("m", std::string(kBump) + "def f():\n    n = 7\n    bump()\n    return n\nm = f()\n"), "7");
}

TEST(HostEffects, OnADictInADict) {
    const std::string begin = "x = {'a': {'b': 1}, 'c': ([1],)}\ny = x['a']\n";
    EXPECT_EQ(value_of("x", begin + "y['b'] = 5\n"), "{'a': {'b': 5}, 'c': ([1])}");
    EXPECT_EQ(value_of("x", begin + "y.update(d=2)\n"), "{'a': {'b': 1, 'd': 2}, 'c': ([1])}");
    EXPECT_EQ(value_of("n", begin + "y['b'] = 5\nn = x['a']['b']\n"), "5");
    EXPECT_EQ(value_of("n", begin + "def f(d): d['b'] = 7\nf(y)\nn = x['a']['b']\n"), "7");
    EXPECT_EQ(value_of("n", begin + "t = x['c']\nt[0].append(2)\nn = len(x['c'][0])\n"), "2");
}

TEST(HostEffects, OnWhatACallOrAChoiceGives) {
    const std::string begin = "x = [[0], [1]]\ndef get(i): return x[i]\n";
    EXPECT_EQ(value_of("x", begin + "get(0)[0] = 7\n"), "[[7], [1]]");
    EXPECT_EQ(value_of("x", begin + "get(1).append(7)\n"), "[[0], [1, 7]]");
    EXPECT_EQ(value_of("x", begin + "get(0)[0] += 7\n"), "[[7], [1]]");
    EXPECT_EQ(value_of("x", begin + "for i in range(2): get(i)[0] = 7\n"), "[[7], [7]]");
    EXPECT_EQ(value_of("a", "a, b = [1], [2]\n(a if a else b)[0] = 9\n"), "[9]");
}

TEST(HostEffects, DecoratorsKeepWhatTheyDecorate) {
    const std::string named =
        "from numba import cuda\nTABLE = {}\nORDER = []\n"
        "def register(name, order=0):\n    def put(f):\n        TABLE[name] = cuda.jit(device=True)(f)\n"
        "        ORDER.append(order)\n        return TABLE[name]\n    return put\n"
        "@register('a', order=5)\ndef f(x): return x\n@register('b')\ndef g(x): return -x\n";
    EXPECT_EQ(value_of("x", named + "x = TABLE['b']\n"), "g");
    EXPECT_EQ(value_of("ORDER", named), "[5, 0]");
    EXPECT_EQ(value_of("x", named + "x = len(TABLE)\n"), "2");
    const std::string plain =
        "from numba import cuda\nALL = []\nn = 0\n"
        "def keep(f):\n    global n\n    n += 1\n    ALL.append(f)\n    return f\n"
        "@keep\n@cuda.jit(device=True)\ndef f(x): return x\n@cuda.jit\ndef h(x): pass\n@keep\ndef g(x): return x\n";
    EXPECT_EQ(value_of("x", plain + "x = ALL[0]\n"), "f");
    EXPECT_EQ(value_of("x", plain + "x = (len(ALL), n)\n"), "(2, 2)");
    EXPECT_EQ(value_of("n",
                       "n = 0\nother = ALL = []\ndef keep(f):\n    ALL.append(f)\n    return f\n"
                       "@keep\ndef f(x): return x\nn = len(other)\n"),
              "?");
    EXPECT_EQ(value_of("n",
                       "ALL = []\ndef keep(f):\n    ALL.append(f)\n    return f\n"
                       "@keep\n@keep\ndef f(x): return x\nn = len(ALL)\n"),
              "?");  // of two nobody follows the second
    const std::string object =
        "class R:\n    def __init__(self): self.d = {}\n    def add(self, f):\n        self.d[f.__name__] = f\n"
        "        return f\n    def same(self, f): return f\nr = R()\n";
    EXPECT_EQ(value_of("n", object + "@r.add\ndef f(x): return x\nn = len(r.d)\n"), "?");
    EXPECT_EQ(value_of("n", object + "@r.same\ndef f(x): return x\nn = len(r.d)\n"), "0");
    EXPECT_EQ(value_of("n", "import reg\n@reg.keep\ndef f(x): return x\nn = len(reg.ALL)\n",
                       {{"reg", "ALL = []\ndef keep(f):\n    ALL.append(f)\n    return f\n"}}),
              "?");
}

TEST(HostEffects, DecoratorsThatAFunctionSets) {
    const Texts files = {{"cfg",
                          "from numba import cuda\ndef of_device(f): return cuda.jit(f, device=True)\n"
                          "def use_gpu():\n    global device_jit\n    device_jit = of_device\nuse_gpu()\n"}};
    EXPECT_EQ(kernels_of("import cfg\n@cfg.device_jit\ndef g(x): return x\n@cuda.jit\ndef k(x): x[0] = g(1)\n", files),
              std::vector<std::string>{"k"});
}

// A file's variables that another one changes: when its functions see that is not followed.
TEST(HostEffects, OnOtherFiles) {
    const Texts files = {{"cfg",
                          "n = 1\nT = [1, 2]\nm = n + 1\ndef bump():\n    global n\n    n += 1\n"
                          "def size(): return n\nclass C:\n    n = 4\n    m = 5\n"}};
    EXPECT_EQ(value_of("x", "import cfg\nx = cfg.n\n", files), "1");
    for (const char* change :
         {"import cfg\ncfg.n = 3\n", "import cfg\ncfg.n += 3\n", "import cfg\ncfg.bump()\n",
          "import cfg\nif y:\n    cfg.n = 3\n", "import cfg\nfrom cfg import bump\nbump()\n",
          "import cfg\ndef f():\n    cfg.n = 3\n", "import cfg\ndef f():\n    with y:\n        cfg.bump()\nf()\n",
          "import cfg\na, cfg.n = 1, 2\n", "import cfg\nfor cfg.n in range(3):\n    pass\n"}) {
        EXPECT_EQ(value_of("x", std::string(change) + "x = cfg.n\n", files), "?") << change;
        EXPECT_EQ(value_of("x", std::string(change) + "x = cfg.size()\n", files), "?") << change;
        EXPECT_EQ(value_of("x", std::string(change) + "x = cfg.m\n", files), "2") << change;
    }
    EXPECT_EQ(value_of("x", "import cfg\ncfg.T.append(3)\nx = cfg.T[0]\n", files), "?");
    EXPECT_EQ(value_of("x", "import cfg\ncfg.T[0] = 3\nx = cfg.T[0]\n", files), "?");
    EXPECT_EQ(value_of("x", "import cfg\nfrom cfg import T\nT.append(3)\nx = cfg.T[0]\n", files), "?");
    EXPECT_EQ(value_of("T", "from cfg import T\nT.append(3)\n", files), "?");
    EXPECT_EQ(value_of("x", "from cfg import C\nC.n = 3\nx = C.n\n", files), "?");
    EXPECT_EQ(value_of("x", "from cfg import C\nC.n = 3\nx = C.m\n", files), "5");
    // A variable of the same name is another one.
    EXPECT_EQ(value_of("n", "from cfg import bump\nn = 5\nbump()\n", files), "5");
}

TEST(HostEffects, KernelsOfBranchesThatNobodyKnows) {
    EXPECT_EQ(kernels_of("if np.__version__ >= '1.20':\n    @cuda.jit\n    def k(x): pass\nelse:\n"
                         "    @cuda.jit\n    def k(x): pass\n"),
              std::vector<std::string>{"k"});
}

// The names are those of `__name__`.
TEST(HostEffects, KernelsHaveTheNamesThatTheyAreGiven) {
    const std::string make =
        "def make(n):\n    def body(x): x[0] = n\n    body.__name__ = f'body_{n}'\n"
        "    body.__qualname__ = 'make'\n    return cuda.jit('void(float32[:])')(body)\n";
    EXPECT_THAT(kernels_of(make + "a = make(2)\nb = make(3)\nprint(a.__name__)\n"), ElementsAre("body_2", "body_3"));
    EXPECT_THAT(kernels_of(make + "K = {n: make(n) for n in (4, 5)}\n"), UnorderedElementsAre("body_4", "body_5"));
    const std::string decorated =
        "def make(n, name):\n    @cuda.jit('void(float32[:])')\n"
        "    def body(x): x[0] = n\n    body.__name__ = name\n    return body\n";
    EXPECT_THAT(kernels_of(decorated + "a = make(2, 'two')\nb = make(3, '3<d>')\n"), ElementsAre("two", "_3_d_"));
    EXPECT_THAT(kernels_of(decorated + "a = make(2, 'same')\nb = make(3, 'same')\n"), ElementsAre("same", "same_2"));
    // A number behind a name makes none that there is.
    const std::string plain =
        "def make(n):\n    @cuda.jit('void(float32[:])')\n    def body(x): x[0] = n\n    return body\n";
    EXPECT_EQ(kernels_of(plain + "body_2 = make(1)\nfor n in (2, 3): make(n)[1, 1]([0.0])\n").size(), 3);
}

// A loop that launches what it defines has a kernel for each round.
TEST(HostEffects, KernelsThatLoopsDefine) {
    const std::string kernel = "    @cuda.jit\n    def k(x): x[0] = n\n";
    EXPECT_EQ(kernels_of("for n in (16, 32):\n" + kernel + "    k[1, 1]([0.0])\n"),
              (std::vector<std::string>{"k", "k_2"}));
    EXPECT_EQ(kernels_of("with open('x'):\n  for n in (16, 32):\n  " +
                         std::string("  @cuda.jit\n    def k(x): x[0] = n\n") + "    k[1, 1]([0.0])\n"),
              (std::vector<std::string>{"k", "k_2"}));
    EXPECT_EQ(kernels_of("K = {}\nfor n in (16, 32):\n" + kernel + "    K[n] = k\n"),
              (std::vector<std::string>{"K_16", "K_32"}));
}

}  // namespace
