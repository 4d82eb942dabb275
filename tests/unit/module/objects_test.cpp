// Objects that several names, attributes or calls have: what is done to one of them is done to all. The values are
// CPython's; "?" where they are not followed, since a wrong one would be compiled without a word.
#include "module_test.h"

using namespace pyk::module_test;

namespace {

TEST(HostObjects, AreOneByAllTheirNames) {
    const Probe probes[] = {{R"py(class A: n = 3
x = A(); A.n = 5
N = x.n)py",
                             "5"},
                            {R"py(class A: n = 3
A.n = 5; x = A(); A.n = 9
N = x.n)py",
                             "9"},
                            {R"py(class A: n = 3
x = A(); y = A(); x.n = 5
N = y.n * 10 + x.n)py",
                             "35"},
                            {R"py(class A: n = 3
x = A(); x.n = 5; A.n = 7
N = x.n)py",
                             "5"},
                            {R"py(class A: n = 3
x = A(); A.n += 5
N = x.n)py",
                             "8"},
                            {R"py(class A: n = 3
class B(A): pass
x = B(); A.n = 5
N = x.n)py",
                             "5"},
                            {R"py(class A: n = 3
class B(A): pass
B.n = 5
N = A.n)py",
                             "3"},
                            {R"py(class A: pass
a = A(); a.n = 3; b = a; b.n = 5
N = a.n)py",
                             "5"},
                            {R"py(class A:
    def __init__(s): s.n = 3
def f(o): o.n = 7
a = A(); f(a)
N = a.n)py",
                             "7"},
                            {R"py(class A:
    def __init__(s): s.n = 3
def f(o):
    p = o
    p.n = 7
a = A(); f(a)
N = a.n)py",
                             "7"},
                            {R"py(class A:
    def __init__(s): s.n = 3
class B:
    def __init__(s, a): s.a = a
    def go(s): s.a.n = 8
a = A(); b = B(a); b.go()
N = a.n)py",
                             "8"},
                            {R"py(class A:
    def __init__(s): s.n = 3
    def set(s, n):
        s.n = n
        return s
a = A(); b = a.set(6); b.n = 4
N = a.n)py",
                             "4"},
                            {R"py(def f(v): return v
a = [1]; b = f(a); b.append(2)
N = len(a))py",
                             "2"},
                            {R"py(a = [[0]] * 3
a[0].append(1)
N = len(a[2]))py",
                             "2"},
                            {R"py(a = {}
b = a
b[1] = 2
N = len(a))py",
                             "1"},
                            {R"py(a = {}
l = [a]
l[0][1] = 2
N = len(a))py",
                             "1"},
                            {R"py(a = {}
l = {'x': a}
l['x'][3] = 4
N = len(a))py",
                             "1"},
                            {R"py(class A:
    def __init__(s, d): s.d = d
d = {}
a = A(d); d['k'] = 1
N = len(a.d))py",
                             "1"},
                            {R"py(class A:
    def __init__(s, d): s.d = d
    def add(s, x): s.d.append(x)
d = []
a = A(d); b = A(d); a.add(1)
N = len(b.d))py",
                             "1"},
                            {R"py(class A:
    def __init__(s, d): s.d = d
    def add(s, x): s.d[x] = 1
d = {}
a = A(d); b = A(d); a.add(1)
N = len(b.d))py",
                             "1"},
                            {R"py(class A:
    def __init__(s): s.v = {}
a = A(); v = a.v; v[1] = 1
N = len(a.v))py",
                             "1"},
                            {R"py(class A: n = 3
B = A
B.n = 6
N = A.n)py",
                             "6"},
                            {R"py(class A: v = 1
x = A()
setattr(A, 'v', 4)
N = x.v)py",
                             "4"},
                            {R"py(class A: v = 1
x = A()
for i in range(3): A.v += 1
N = x.v)py",
                             "4"},
                            {R"py(class A:
    v = 1
    def get(self): return self.v
x = A()
A.v = 6
N = x.get())py",
                             "6"},
                            {R"py(a = {1}; b = a; b.add(2)
N = len(a))py",
                             "2"},
                            {R"py(class A:
    def __init__(s, d): s.d = d
d = set()
a = A(d); a.d.add(1)
N = len(d))py",
                             "1"},
                            {R"py(import numpy as np
class A:
    def __init__(s, v): s.v = v
    def go(s): s.v[0] = 4
v = np.zeros(3); a = A(v); a.go()
N = int(v[0]))py",
                             "4"},
                            {R"py(def f(v): return v
def g(l):
    b = f(l)
    b.append(1)
a = []; g(a)
N = len(a))py",
                             "1"},
                            {R"py(a = [1]; b = [2, 3]
a, b = b, a
a.append(4)
N = len(a) * 10 + len(b))py",
                             "31"},
                            {R"py(a = [1, 2, 3]; b = a
a[:] = [5]
N = len(b))py",
                             "1"},
                            {R"py(L = []
def f():
    q = L
    q.append(1)
f()
N = len(L))py",
                             "1"},
                            {R"py(L = [[1], [2]]
def f():
    for q in L: q.append(1)
f()
N = len(L[0]))py",
                             "2"},
                            {R"py(def f(m):
    row = m[0]
    row[0] = 7
M = [[1], [2]]
f(M)
N = M[0][0])py",
                             "7"},
                            {R"py(def f(m):
    for i, row in enumerate(m): row[0] = 7
M = [[1], [2]]
f(M)
N = M[0][0])py",
                             "7"},
                            {R"py(class A:
    def __init__(s, v): s.v = v
    def go(s):
        w = s.v
        w.append(2)
L = []
x = A(L); x.go()
N = len(L))py",
                             "1"},
                            {R"py(d = {'a': []}
d.get('a').append(1)
N = len(d['a']))py",
                             "1"},
                            {R"py(d = {'a': [], 'b': []}
for v in d.values(): v.append(1)
N = len(d['a']))py",
                             "1"},
                            {R"py(d = {'a': 1}
e = dict(d)
e['b'] = 2
N = len(d))py",
                             "1"},
                            {R"py(a = {1, 2}
b = set(a)
b.add(9)
N = len(a))py",
                             "2"},
                            {R"py(from types import SimpleNamespace
l = []
a = SimpleNamespace(v=l); a.v.append(1)
N = len(l))py",
                             "1"},
                            {R"py(a = [[1], [2]]
b = a[0]
a[0].append(3)
N = len(b))py",
                             "2"},
                            {R"py(a = [[1], [2]]
b = a[0]
a[0] = [9, 9, 9]
N = len(b))py",
                             "1"},
                            {R"py(L = []
def f(): return L
x = f(); x.append(1)
N = len(L))py",
                             "1"}};
    for (const auto& [code, value] : probes) EXPECT_EQ(value_of("N", code), value) << code;
}

TEST(HostObjects, AreNotKnownWhereTheirChangesAreNotFollowed) {
    const char* const probes[] = {
        R"py(class A: v = []
x = A(); y = A(); x.v.append(3)
N = len(y.v))py",
        R"py(class A:
    v = []
    def add(self, n): self.v.append(n)
x = A(); y = A(); x.add(3)
N = len(y.v))py",
        R"py(class A:
    v = []
    def __init__(self, n): self.v.append(n)
x = A(3); y = A(4)
N = len(A.v))py",
        R"py(class A: v = []
class B(A): pass
class C(A): pass
B.v.append(3)
N = len(C.v))py",
        R"py(class A:
    def __init__(s): s.n = 3
a = A(); l = [a]; l[0].n = 9
N = a.n)py",
        R"py(class A:
    def __init__(s): s.n = 3
a = A(); b = A()
for o in [a, b]: o.n = 9
N = a.n)py",
        R"py(def f(x, v=[]):
    v.append(x)
    return v
a = f(1); b = f(2)
N = len(a))py",
        R"py(class A:
    def __init__(s, v=[]): s.v = v
a = A(); b = A(); a.v.append(1)
N = len(b.v))py",
        R"py(L = []
def f(v=L): v.append(1)
f(); f()
N = len(L))py",
        R"py(def f(v=[]): return v
a = f(); a.append(1)
N = len(f()))py",
        R"py(class A: v = []
w = A.v
w.append(2)
N = len(A.v))py",
        R"py(class A: v = []
def f(): A.v.append(2)
f()
N = len(A.v))py",
        R"py(class A: v = 1
def f(c): c.v = 2
f(A)
N = A.v)py",
        R"py(import numpy as np
class A:
    def __init__(s, v): s.v = v[1:]
v = np.zeros(3); a = A(v); v[1] = 5
N = int(a.v[0]))py",
        R"py(class A: v = []
x = A(); x.v.append(3); A.v.append(4)
N = len(A.v))py",
        R"py(class B:
    def __init__(s, l): l.append(1)
l = []; b = B(l)
N = len(l))py",
        R"py(R = []
class B:
    def __init__(s): R.append(1)
a = B(); b = B()
N = len(R))py",
        R"py(class A:
    v = []
    def get(s): return s.v
x = A(); w = x.get(); w.append(1)
N = len(A.v))py",
        R"py(class A:
    def __init__(s): s.n = 1
    def up(s): s.n += 1
a = A(); b = A()
for o in (a, b): o.up()
N = a.n)py",
        R"py(class A:
    def __init__(s): s.n = 1
    def up(s): s.n += 1
a = A(); l = [a]
l[0].up()
N = a.n)py",
        R"py(class A:
    def __init__(s): s.n = 1
    def up(s): s.n += 1
a = A(); l = {'x': a}
l['x'].up()
N = a.n)py",
        R"py(L = []
f = lambda: L.append(1)
f()
N = len(L))py",
        R"py(L = []
list(map(L.append, [1, 2]))
N = len(L))py",
        R"py(L = []
add = L.append
add(1)
N = len(L))py",
        R"py(class A:
    def __init__(s): s.n = 1
    def up(s): s.n += 1
x = A(); u = x.up; u()
N = x.n)py",
        R"py(class C:
    class D: n = 1
C.D.n = 5
N = C.D.n)py",
        R"py(class Q:
    def __init__(s): s.n = 1
class A: q = Q()
x = A(); y = A(); x.q.n = 5
N = y.q.n)py",
        R"py(class Q:
    def __init__(s): s.n = 1
    def up(s): s.n = 7
class A: q = Q()
x = A(); y = A(); x.q.up()
N = y.q.n)py"};
    for (const char* code : probes) EXPECT_EQ(value_of("N", code), "?") << code;
}

// What takes all memory has no value; what needs many steps of few items has one.
TEST(HostObjects, AreNotMadeWithoutEnd) {
    const std::string text = "s = 'xyz'\nfor i in range(20): s = s + s\nN = len(s)\n";
    EXPECT_EQ(value_of("N", text), "3145728");
    EXPECT_EQ(value_of("N", "s = 'xyz'\nfor i in range(40): s = s + s\nN = len(s)\n"), "?");
    EXPECT_EQ(value_of("N", "s = 'x'\nfor i in range(9): s = s.replace('x', 'x' * 13)\nN = len(s)\n"), "?");
    EXPECT_EQ(value_of("N",
                       "a = [[0] * 9 for i in range(9)]\nfor i in range(9):\n    for j in range(9):\n"
                       "        for k in range(9): a[i][j] += i * k + j\nN = a[3][4] + a[8][8]\n"),
              "504");
}

}  // namespace
