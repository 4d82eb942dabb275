// Assignments inside of expressions (scope_walrus).
#include "module_test.h"

using namespace pyk::module_test;

namespace {

// `(n := f(x))` gives the name its value, wherever it stands.
TEST(HostExpressions, Walruses) {
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

}  // namespace
