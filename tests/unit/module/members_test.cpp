// `hasattr`, `getattr`, `isinstance` and their like (scope_members).
#include "module_test.h"

using namespace pyk::module_test;

namespace {

// What is not there for certain has no default.
TEST(HostMembers, QuestionsAboutObjects) {
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

}  // namespace
