// Operators that classes define (scope_operators).
#include "module_test.h"

using namespace pyk::module_test;

namespace {

// What a class says of them.
TEST(HostOperators, Operators) {
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
TEST(HostOperators, OperatorsThatChangeTheirObject) {
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

}  // namespace
