// Objects with fields: dataclasses and named tuples (scope_fields).
#include "module_test.h"

using namespace pyk::module_test;

namespace {

// Dataclasses, also derived ones, and named tuples.
TEST(HostFields, Fields) {
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

// Dataclasses compare their fields.
TEST(HostFields, FieldsAreCompared) {
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

TEST(HostFields, DefaultsOfNamedTuples) {
    constexpr std::string_view kSource =
        "from collections import namedtuple\nP = namedtuple('P', ['x', 'y'], defaults=[4])\np = P(10)\n"
        "Q = namedtuple('Q', 'x y', defaults=(5,))\nn = p.y + Q(1).y";
    EXPECT_EQ(value_of("n", kSource), "9");
}

}  // namespace
