// What module code changes without a call that says so. The values are CPython's; "?" is what is not followed.
#include "module_test.h"

using namespace pyk::module_test;

namespace {

const std::string kList = "L = [1]\n";
const std::string kArray = "A = np.zeros(3)\n";

TEST(HiddenEffects, OfSpecialMethods) {
    const auto after = [](const std::string& method, const std::string& use) {
        return value_of("X", kList + "class C:\n    def " + method + ":\n        L.append(4)\n        return 1\n" +
                                 use + "\nX = len(L)\n");
    };
    EXPECT_EQ(after("__call__(self)", "C()()"), "?");
    EXPECT_EQ(after("__add__(self, b)", "c = C()\nd = c + 1"), "?");
    EXPECT_EQ(after("__getitem__(self, i)", "c = C()\nd = c[0]"), "?");
    EXPECT_EQ(after("__setitem__(self, i, v)", "c = C()\nc[0] = 2"), "?");
    EXPECT_EQ(after("__len__(self)", "c = C()\nd = len(c)"), "?");
    EXPECT_EQ(after("__bool__(self)", "c = C()\nif c:\n    pass"), "?");
    EXPECT_EQ(after("__eq__(self, b)", "c = C()\nd = c == 1"), "?");
    EXPECT_EQ(after("__contains__(self, b)", "c = C()\nd = 1 in c"), "?");
    EXPECT_EQ(after("__getattr__(self, name)", "c = C()\nd = c.n"), "?");
    EXPECT_EQ(after("__setattr__(self, name, v)", "c = C()\nc.n = 3"), "?");
    EXPECT_EQ(after("__enter__(self)", "c = C()\nwith c:\n    pass"), "?");
    EXPECT_EQ(after("__exit__(self, *a)", "with C():\n    pass"), "?");
    EXPECT_EQ(after("__new__(cls)", "C()"), "?");
    EXPECT_EQ(after("__init_subclass__(cls)", "class D(C):\n    pass"), "?");
    EXPECT_EQ(after("__add__(self, b)", "def f(c):\n    return c + 1\nf(C())"), "?");
    EXPECT_EQ(after("__add__(self, b)", "N = 3"), "1");
    EXPECT_EQ(after("step(self)", "c = C()\nc.step()"), "2");
    EXPECT_EQ(after("step(self)", "C().step()"), "?");
    EXPECT_EQ(value_of("X", kList + "class C:\n    def __init__(self):\n        L.append(4)\nC()\nX = len(L)\n"), "?");
}

TEST(HiddenEffects, OfPropertiesAndTheirSetters) {
    const std::string counted =
        "class G:\n    def __init__(self):\n        self._n = 3\n    @property\n    def n(self):\n        return "
        "self._n\n"
        "    @n.setter\n    def n(self, v):\n        self._n = v * 2\ng = G()\n";
    EXPECT_EQ(value_of("X", counted + "X = g._n\n"), "3");
    EXPECT_EQ(value_of("X", counted + "g.n = 5\nX = g._n\n"), "?");
    EXPECT_EQ(value_of("X", counted + "g.n = 5\nX = g.n\n"), "?");
    EXPECT_EQ(value_of("X",
                       "class G:\n    def __setattr__(self, name, v):\n        object.__setattr__(self, 'm', v)\n"
                       "g = G()\ng.n = 5\nX = g.n\n"),
              "?");
    EXPECT_EQ(value_of("X", kList + "class G:\n    @property\n    def n(self):\n        L.append(1)\n        return 1\n"
                                    "g = G()\nm = g.n\nX = len(L)\n"),
              "?");
}

TEST(HiddenEffects, OfObjectsThatWithEnters) {
    const std::string entered =
        "class G:\n    def __init__(self):\n        self.n = 3\n    def __enter__(self):\n        self.n = 7\n"
        "    def __exit__(self, *a):\n        pass\n    def __len__(self):\n        return 2\ng = G()\n";
    EXPECT_EQ(value_of("X", entered + "X = g.n\n"), "3");
    EXPECT_EQ(value_of("X", entered + "with g:\n    pass\nX = g.n\n"), "?");
}

TEST(HiddenEffects, OfDataclasses) {
    EXPECT_EQ(value_of("X", kList + "@dataclass\nclass Item:\n    v: int\n    def __post_init__(self):\n"
                                    "        L.append(self.v)\nItem(1)\nX = len(L)\n"),
              "?");
}

TEST(HiddenEffects, OfBodiesOfClassesAndOfDefaults) {
    EXPECT_EQ(value_of("X", kList + "class C:\n    L.append(4)\nX = len(L)\n"), "?");
    EXPECT_EQ(value_of("X", kList + "class C:\n    T = L\n    T[0] = 5\nX = L[0]\n"), "?");
    EXPECT_EQ(value_of("X", kList + "class C:\n    for i in range(3):\n        L.append(i)\nX = len(L)\n"), "?");
    EXPECT_EQ(value_of("X", kList + "def put():\n    L.append(4)\nclass C:\n    put()\nX = len(L)\n"), "?");
    EXPECT_EQ(value_of("X", kList + "class C:\n    def f(self, q=L.append(4)):\n        pass\nX = len(L)\n"), "?");
    EXPECT_EQ(value_of("X", kList + "def f(q=L.append(4)):\n    pass\nX = len(L)\n"), "?");
    EXPECT_EQ(value_of("X", kList + "class C:\n    n = len(L)\nX = len(L)\n"), "1");
}

TEST(HiddenEffects, OfNamesThatClassesHave) {
    EXPECT_EQ(value_of("X", kArray + "class C:\n    table = A\nC.table[1] = 4\nX = A[1]\n"), "?");
    EXPECT_EQ(value_of("X", kArray + "class C:\n    table = A\nA[1] = 4\nX = C.table[1]\n"), "4");
    EXPECT_EQ(value_of("X", kArray + "class C:\n    table = A\nX = C.table[1]\n"), "0");
    EXPECT_EQ(value_of("X", kList + "class C:\n    table: list = L\nC.table.append(4)\nX = len(L)\n"), "?");
}

TEST(HiddenEffects, OfFunctionsThatAreMade) {
    const std::string make = kArray + "def make(t):\n    def put(i, v):\n        t[i] = v\n    return put\n";
    EXPECT_EQ(value_of("X", make + "put = make(A)\nX = A[1]\n"), "0");
    EXPECT_EQ(value_of("X", make + "put = make(A)\nput(1, 4)\nX = A[1]\n"), "?");
    EXPECT_EQ(value_of("X", make + "put = make(A)\nfor i in range(3):\n    put(i, 4)\nX = A[1]\n"), "?");
    EXPECT_EQ(value_of("X", kArray + "(lambda q: q.fill(2))(A)\nX = A[0]\n"), "?");
    EXPECT_EQ(value_of("X", kList + "(lambda: L.append(2))()\nX = len(L)\n"), "?");
}

TEST(HiddenEffects, OfCallsOfWhatHasNoName) {
    EXPECT_EQ(
        value_of("X",
                 kList + "def make():\n    def put(v):\n        L.append(v)\n    return put\nmake()(2)\nX = len(L)\n"),
        "?");
    EXPECT_EQ(value_of("X", kList + "def make(x):\n    return lambda v: x.append(v)\nmake(L)(2)\nX = len(L)\n"), "?");
    EXPECT_EQ(value_of("X", kList + "[M for M in [L]][0].append(4)\nX = len(L)\n"), "?");
    EXPECT_EQ(value_of("X", kList + "(L if True else []).append(4)\nX = len(L)\n"), "2");
    EXPECT_EQ(value_of("X", kArray + "B = (lambda q: q)(A)\nB[0] = 5\nX = A[0]\n"), "5");
    EXPECT_EQ(value_of("X", kArray + "class C:\n    q = A\nB = C().q\nB[0] = 5\nX = A[0]\n"), "?");
    EXPECT_EQ(value_of("X", kArray + "class C:\n    q = A\nB = getattr(C, 'q')\nB[0] = 5\nX = A[0]\n"), "5");
}

TEST(HiddenEffects, OfMetaclasses) {
    EXPECT_EQ(
        value_of("X", kList +
                          "class M(type):\n    def __new__(m, n, b, d):\n        L.append(1)\n"
                          "        return super().__new__(m, n, b, d)\nclass C(metaclass=M):\n    pass\nX = len(L)\n"),
        "?");
}

TEST(HiddenEffects, OfArgumentsAndResults) {
    EXPECT_EQ(value_of("X", kArray + "def f(**kw):\n    kw['t'][0] = 5\nf(t=A)\nX = A[0]\n"), "?");
    EXPECT_EQ(value_of("X", kArray + "def pick(n):\n    return {0: A}[n]\npick(0)[0] = 9\nX = A[0]\n"), "9");
    EXPECT_EQ(value_of("X", kArray + "def pick(n):\n    return [A][n]\nB = pick(0)\nB[0] = 9\nX = A[0]\n"), "9");
}

// Its body runs when somebody takes items.
TEST(HiddenEffects, OfGenerators) {
    const std::string gen = "N = 3\ndef gen():\n    global N\n    N = 9\n    yield 1\ng = gen()\n";
    EXPECT_EQ(value_of("X", gen + "X = N\n"), "?");
    EXPECT_EQ(value_of("X", kList + "def gen():\n    L.append(1)\n    yield 1\ng = gen()\nX = len(L)\n"), "?");
}

const std::string kPut = "A = np.zeros(2)\ndef put(t):\n    t[0] = 1\n";

// By another name than its own, or by none.
TEST(UnfollowedCalls, OfFunctionsUnderOtherNames) {
    for (const char* call : {"go = put\ngo(A)\n", "for f in (put,):\n    f(A)\n", "OPS = {'p': put}\nOPS['p'](A)\n",
                             "[put][0](A)\n", "globals()['put'](A)\n", "def apply(f, t):\n    f(t)\napply(put, A)\n",
                             "list(map(put, [A]))\n", "fill = lambda t: t.fill(3)\nfill(A)\n",
                             "import functools\nfunctools.partial(put)(A)\n", "put(A.reshape(1, 2)[0])\n",
                             "B = (A,)\nput(*B)\n", "def both(ts):\n    for t in ts:\n        t[0] = 1\nboth([A])\n",
                             "class O:\n    def __init__(self, f):\n        self.f = f\n    def go(self, t):\n        "
                             "self.f(t)\no = O(put)\no.go(A)\n"})
        EXPECT_NE(value_of("X", kPut + call + "X = A[0]\n"), "0") << call;
    EXPECT_EQ(value_of("X", kPut + "put(A)\nX = A[0]\n"), "1");
    EXPECT_EQ(value_of("X", kPut + "root = np.sqrt\nb = root(A)\nX = A[0]\n"), "0");
    EXPECT_EQ(value_of("X", kPut + "double = lambda t: t[0] * 2\nb = double(A)\nX = A[0]\n"), "0");
}

TEST(UnfollowedCalls, OfFunctionsThatSetVariables) {
    const std::string bump = "N = 0\ndef bump(*a):\n    global N\n    N += 1\n    return N\n";
    for (const char* call :
         {"go = bump\ngo()\n", "def run(cb):\n    cb(0)\nrun(bump)\n", "x = sorted([2, 1], key=bump)\n",
          "ids = list(map(bump, 'abc'))\n", "getattr(bump, '__call__')()\n"})
        EXPECT_EQ(value_of("X", bump + call + "X = N\n"), "?") << call;
    EXPECT_EQ(value_of("X", bump + "bump()\nX = N\n"), "1");
}

TEST(UnfollowedCalls, OfMethods) {
    const std::string fills =
        "A = np.zeros(2)\nclass S:\n    n = 3\n    def fill(self, t):\n        self._fill(t)\n    def _fill(self, "
        "t):\n        t[0] = 8\n"
        "    @classmethod\n    def of_class(cls, t):\n        t[0] = 8\n    @staticmethod\n    def alone(t):\n        "
        "t[0] = 8\n"
        "    @classmethod\n    def load(cls, **kw):\n        for k, v in kw.items():\n            setattr(cls, k, "
        "v)\ns = S()\n";
    for (const char* call : {"S().fill(A)\n", "s.fill(A)\n", "S.of_class(A)\n", "s.alone(A)\n",
                             "getattr(s, '_fill')(A)\n", "[o.fill(A) for o in (s, s)]\n"})
        EXPECT_EQ(value_of("X", fills + call + "X = A[0]\n"), "?") << call;
    EXPECT_EQ(value_of("X", fills + "S.load(n=8)\nX = S.n\n"), "?");
}

// The second store sees what the first one did.
TEST(UnfollowedCalls, RowsThatAreSwapped) {
    const std::string rows = "A = np.array([[1, 2], [3, 4]])\n";
    EXPECT_EQ(value_of("X", rows + "A[0], A[1] = A[1], A[0]\nX = A[1, 0]\n"), "?");
    EXPECT_EQ(value_of("X", rows + "A[0], A[1] = A[1].copy(), A[0].copy()\nX = A[1, 0]\n"), "1");
    EXPECT_EQ(value_of("X", "L = [[1], [3]]\nL[0], L[1] = L[1], L[0]\nX = L[1][0]\n"), "1");
    EXPECT_EQ(value_of("X",
                       "A = np.arange(4.0)\ndef f(p, q):\n    for i in range(3):\n        q[i] = p[i] + 10\nf(A[:-1], "
                       "A[1:])\nX = A[3]\n"),
              "?");
}

TEST(UnfollowedCalls, ThroughWhatHasThem) {
    for (const char* text : {"z = []\nz.append(A)\nz[0][1] = 4\n", "z = {}\nz['a'] = A\nz['a'][1] = 4\n",
                             "def f(a):\n    x = [a] * 2\n    x[1][1] = 4\nf(A)\n",
                             "def f(a):\n    x = {'k': a}\n    x['k'][1] = 4\nf(A)\n",
                             "def f(a):\n    d = {}\n    d['k'] = a\n    d['k'][1] = 4\nf(A)\n",
                             "class O:\n    def __init__(self, a):\n        self.a = a\n        self.head = "
                             "self.a[:2]\no = O(A)\no.head[1] = 4\n",
                             "P = [A, np.ones(1)]\ndef f(ps):\n    for p in ps:\n        p -= 0.5\nf(P)\n"}) {
        const std::string found = value_of("X", kArray + std::string(text) + "X = A[1]\n");
        EXPECT_TRUE(found == "?" || found == "4") << text << found;
    }
    EXPECT_EQ(
        value_of("X", "L = [[0], [1]]\ndef f(a):\n    for r in sorted(a):\n        r.append(4)\nf(L)\nX = len(L[0])\n"),
        "?");
    EXPECT_EQ(
        value_of(
            "X",
            "L = [[0], [1]]\ndef f(a):\n    for i, r in enumerate(a):\n        r.append(4)\nf(L)\nX = len(L[0])\n"),
        "2");
}

}  // namespace
