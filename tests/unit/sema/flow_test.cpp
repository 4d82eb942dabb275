// Where paths meet: types of names, loops, what is unassigned.
#include "sema_test.h"

using namespace pyk::sema_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::vector<std::string> warnings(std::string_view body) {
    return findings("a: float64[::1], n: int32, c: int32", body);
}
std::string lowered(std::string_view body) { return locals_and_body("a: float64[::1], n: int32, c: int32", body); }

// --- types of names ---
TEST(Versions, EachDefinitionHasItsOwnType) {
    EXPECT_EQ(lowered("x = n\nx = x * 2.5\na[0] = x"), text(R"py(
        var x.3: int32
        var x.4: float64

        x.3 = n
        x.4 = (float64(x.3) * 2.5)
        store a[wrap 0] = x.4
    )py"));
}

TEST(Versions, OfOneTypeShareALocal) {
    EXPECT_EQ(lowered("x = 1.5\nx = x * 2.5\na[0] = x"), text(R"py(
        var x: float64

        x = 1.5
        x = (x * 2.5)
        store a[wrap 0] = x
    )py"));
}

TEST(Versions, ParametersMayChangeTheirTypes) {
    EXPECT_EQ(lowered("n = n + 1\na[n] = n"), text(R"py(
        var n.3: int64

        n.3 = (int64(n.1) + 1)
        store a[wrap n.3] = float64(n.3)
    )py"));
    EXPECT_EQ(lowered("n = c\na[n] = 0"), text(R"py(
        n = c
        store a[wrap n] = 0.0
    )py"));
}

TEST(Phis, LiteralThenFloat) {
    EXPECT_EQ(locals_and_body("a: float32[::1]", "s = 0\nfor i in range(a.size):\n    s += a[i]\na[0] = s"), text(R"py(
        var s.1: int64
        temp i.2: int64
        var s.3: float64
        var i.4: int64

        s.1 = 0
        s.3 = 0.0
        for i.2 in range(0, size(a), 1) {
          i.4 = i.2
          s.3 = (s.3 + float64(a[wrap i.4]))
        }
        store a[wrap 0] = float32(s.3)
    )py"));
}

TEST(Phis, Float32AccumulatorStaysFloat32) {
    EXPECT_THAT(locals_and_body("a: float32[::1]", "s = float32(0)\nfor i in range(a.size):\n    s += a[i]\na[0] = s"),
                HasSubstr("var s: float32\n"));
    EXPECT_THAT(locals_and_body("a: float32[::1]", "s = 0.0\nfor i in range(a.size):\n    s += a[i]\na[0] = s"),
                HasSubstr("var s: float64\n"));
}

TEST(Phis, OfIfElse) {
    EXPECT_EQ(lowered("if n > 0:\n    x = 1\nelse:\n    x = 2.5\na[0] = x"), text(R"py(
        var x.3: int64
        var x.4: float64

        if (int64(n) > 0) {
          x.3 = 1
          x.4 = 1.0
        } else {
          x.4 = 2.5
        }
        store a[wrap 0] = x.4
    )py"));
    // A name that already has a value when only one branch assigns it.
    EXPECT_EQ(lowered("x = n\nif n > 0:\n    x = 2.5\na[0] = x"), text(R"py(
        var x.3: int32
        var x.4: float64

        x.3 = n
        if (int64(n) > 0) {
          x.4 = 2.5
        } else {
          x.4 = float64(x.3)
        }
        store a[wrap 0] = x.4
    )py"));
}

TEST(Phis, UnifyAsNumbaDoes) {
    const auto merged = [](std::string_view left, std::string_view right) {
        const std::string module = locals_and_body(
            "i8: int8, i32: int32, i64: int64, u8: uint8, u32: uint32, u64: uint64, f4: float32, f8: float64, b: "
            "boolean",
            "if b:\n    x = " + std::string(left) + "\nelse:\n    x = " + std::string(right) + "\n__it = x\n");
        const size_t at = module.find("var __it: ");
        return at == std::string::npos ? module : module.substr(at + 10, module.find('\n', at) - at - 10);
    };
    EXPECT_EQ(merged("i32", "i64"), "int64");
    EXPECT_EQ(merged("i32", "f4"), "float64");
    EXPECT_EQ(merged("i64", "f4"), "float64");
    EXPECT_EQ(merged("i8", "f4"), "float32");
    EXPECT_EQ(merged("i64", "u64"), "float64");
    EXPECT_EQ(merged("u8", "i8"), "int16");
    EXPECT_EQ(merged("u32", "i32"), "int64");
    EXPECT_EQ(merged("b", "i8"), "int8");
    EXPECT_EQ(merged("b", "f4"), "float32");
    EXPECT_EQ(merged("f4", "f8"), "float64");
    EXPECT_EQ(merged("(i32, f4)", "(i64, f4)"), "(int64, float32)");
    EXPECT_EQ(merged("u64", "1"), "float64");
}

TEST(Phis, OfArrays) {
    const auto merged = [](std::string_view params) {
        const std::string module = locals_and_body(params, "x = a\nif n > 0:\n    x = b\n__it = x\n");
        const size_t at = module.find("var __it: ");
        return at == std::string::npos ? module : module.substr(at + 10, module.find('\n', at) - at - 10);
    };
    EXPECT_EQ(merged("a: float32[::1], b: float32[::1], n: int32"), "float32[::1]");
    EXPECT_EQ(merged("a: float32[::1], b: float32[:], n: int32"), "float32[:]");
    EXPECT_EQ(merged("a: float32[:, ::1], b: float32[::1, :], n: int32"), "float32[:, :]");
}

TEST(Phis, CannotUnify) {
    EXPECT_THAT(warnings("if n > 0:\n    x = a\nelse:\n    x = 1\nq = x"),
                ElementsAre("4:5: error: `x` is int64 on one path and array(float64, 1d, C) on another, which have no "
                            "common type [cannot-unify]",
                            "  2:5: `x` became array(float64, 1d, C) here"));
    EXPECT_THAT(
        warnings("if n > 0:\n    x = (1, 2)\nelse:\n    x = (1, 2, 3)\nq = x"),
        ElementsAre(HasSubstr("4:5: error: `x` is UniTuple(int64 x 3) on one path and UniTuple(int64 x 2) on another"),
                    HasSubstr("`x` became UniTuple(int64 x 2) here"), HasSubstr("belongs to its type")));
    EXPECT_THAT(warnings("x = a\nwhile n > 0:\n    q = x\n    x = 1\n"),
                ElementsAre(HasSubstr("[cannot-unify]"), HasSubstr("`x` became array(float64, 1d, C) here")));
}

TEST(Phis, DeadNamesMayHaveAnyTypes) {
    EXPECT_THAT(warnings("if n > 0:\n    x = a\nelse:\n    x = 1\n"), IsEmpty());
    EXPECT_THAT(warnings("for i in range(3):\n    x = a\n    y = x[i]\n    x = 1\n    a[x] = y"), IsEmpty());
    EXPECT_THAT(warnings("if n > 0:\n    x = a\nelse:\n    x = 1\nx = 2.5\na[0] = x"), IsEmpty());
    EXPECT_THAT(warnings("x = (1, 2)\nwhile True:\n    x = 5.0\n    if n > 0: break\na[0] = x"), IsEmpty());
    EXPECT_THAT(warnings("if n > 0:\n    x = a\n    return\nelse:\n    x = 1\na[0] = x"), IsEmpty());
}

TEST(Phis, OfThingsKnownAtCompileTime) {
    EXPECT_THAT(warnings("if n > 0:\n    f = math.sin\nelse:\n    f = math.cos\na[0] = f(1.0)"),
                ElementsAre(HasSubstr("[cannot-unify]")));
    EXPECT_THAT(warnings("if n > 0:\n    t = int32\nelse:\n    t = int8\na[0] = t(1)"),
                ElementsAre(HasSubstr("[cannot-unify]")));
    EXPECT_THAT(warnings("if n > 0:\n    f = None\nelse:\n    f = 1\na[0] = f"), IsEmpty());
    EXPECT_THAT(warnings("if n > 0:\n    f = 1\nelse:\n    f = None\na[0] = f"), IsEmpty());
    EXPECT_THAT(warnings("if n > 0:\n    f = math.sin\nelse:\n    f = math.sin\na[0] = f(1.0)"), IsEmpty());
    EXPECT_THAT(warnings("f = math.sin\nif n > 0:\n    f = math.cos\n    a[1] = f(1.0)\n"), IsEmpty());
}

// --- loops ---
TEST(Loops, CarriedTypesReachAFixedPoint) {
    // x: int64 → (y is float64) → float64; y follows one iteration later.
    EXPECT_EQ(lowered("x = 1\ny = 2\nfor i in range(n):\n    y = x\n    x = x * 0.5\na[0] = y\na[1] = x"), text(R"py(
        var x.3: int64
        var y.4: int64
        temp i.5: int32
        var x.6: float64
        var y.7: float64
        var i.8: int32

        x.3 = 1
        y.4 = 2
        x.6 = 1.0
        y.7 = 2.0
        for i.5 in range(0:int32, n, 1:int32) {
          i.8 = i.5
          y.7 = x.6
          x.6 = (x.6 * 0.5)
        }
        store a[wrap 0] = y.7
        store a[wrap 1] = x.6
    )py"));
}

TEST(Loops, BreakAndContinueMerge) {
    EXPECT_EQ(lowered("x = 1\nwhile n > 0:\n    n -= c\n    if n == 5:\n        x = 2.5\n        break\n    if n == "
                      "7:\n        continue\n    x = 3\na[0] = x"),
              text(R"py(
        var x.3: int64
        var n.4: int64
        var x.5: float64

        x.3 = 1
        n.4 = int64(n.1)
        while (n.4 > 0) {
          n.4 = (n.4 - int64(c))
          if (n.4 == 5) {
            x.5 = 2.5
            break
          }
          if (n.4 == 7) {
            continue
          }
          x.3 = 3
        } else {
          x.5 = float64(x.3)
        }
        store a[wrap 0] = x.5
    )py"));
}

// What a `break` takes along is live in front of it, whatever follows in the loop.
TEST(Loops, LivenessAtBreakAndContinue) {
    EXPECT_EQ(lowered("while c > 0:\n    if n > c: x = 1\n    else: x = 2.5\n    break\nelse:\n    x = 7\na[0] = x"),
              text(R"py(
        var x.3: int64
        var x.4: float64

        while (int64(c) > 0) {
          if (n > c) {
            x.3 = 1
            x.4 = 1.0
          } else {
            x.4 = 2.5
          }
          break
        } else {
          x.3 = 7
          x.4 = 7.0
        }
        store a[wrap 0] = x.4
    )py"));
    EXPECT_THAT(warnings("x = 0\nwhile c > 0:\n    if n > c: x = 1\n    else: x = 2.5\n    if n > 7: break\n    else: "
                         "x = 7\n    c -= 1\na[0] = x"),
                IsEmpty());
    EXPECT_THAT(warnings("x = 0\nwhile c > 0:\n    c -= 1\n    a[1] = x\n    if n > c: x = 1\n    else: x = 2.5\n    "
                         "if n > 7: continue\n    x = 7\n"),
                IsEmpty());
}

TEST(Loops, WhileElse) {
    EXPECT_EQ(lowered("while n > c:\n    c += n\n    if c == 9: break\nelse:\n    a[0] = 1\n"), text(R"py(
        var c.3: int64

        c.3 = int64(c.2)
        while (int64(n) > c.3) {
          c.3 = (c.3 + int64(n))
          if (c.3 == 9) {
            break
          }
        } else {
          store a[wrap 0] = 1.0
        }
    )py"));
    // Nothing falls out of `while True` but by `break`: behind it x is assigned.
    EXPECT_THAT(warnings("while True:\n    x = 1\n    break\na[0] = x"), IsEmpty());
    EXPECT_THAT(warnings("while True:\n    n = n\nelse:\n    a[0] = nowhere"), IsEmpty());
}

// The statements of a test run before each iteration; `break` in `else` leaves the loop around.
TEST(Loops, ConditionsWithStatements) {
    EXPECT_EQ(lowered("while (m := n - c) > 3:\n    c += 1\na[0] = m"), text(R"py(
        var c.3: int64
        var m: int64

        c.3 = int64(c.2)
        while True {
          m = (int64(n) - c.3)
          if (not (m > 3)) {
            break
          }
          c.3 = (c.3 + 1)
        }
        store a[wrap 0] = float64(m)
    )py"));
    EXPECT_EQ(lowered("for i in range(3):\n    while (m := n) > 3:\n        continue\n    else:\n        break\n"),
              text(R"py(
        temp i.3: int64
        var i.4: int64
        var m: int32
        temp test: boolean

        for i.3 in range(0, 3, 1) {
          i.4 = i.3
          test = True
          while test {
            m = n
            test = (int64(m) > 3)
            if (not test) {
              continue
            }
            continue
          } else {
            break
          }
        }
    )py"));
}

TEST(Loops, TheVariableKeepsItsLastValue) {
    EXPECT_EQ(lowered("i = 9.5\nfor i in range(n):\n    pass\na[0] = i"), text(R"py(
        var i.3: float64
        temp i.4: int32
        var i.5: int32

        i.3 = 9.5
        for i.4 in range(0:int32, n, 1:int32) {
          i.5 = i.4
          i.3 = float64(i.5)
        }
        store a[wrap 0] = i.3
    )py"));
}

TEST(Loops, TheVariableMayBeAssignedAndUsedInItsOwnRange) {
    EXPECT_EQ(lowered("i = 3\nfor i in range(i):\n    i = i * 2\n    a[0] = i"), text(R"py(
        var i.3: int64
        temp i.4: int64

        i.3 = 3
        for i.4 in range(0, i.3, 1) {
          i.3 = i.4
          i.3 = (i.3 * 2)
          store a[wrap 0] = float64(i.3)
        }
    )py"));
}

TEST(Loops, ForElse) {
    EXPECT_EQ(lowered("for i in range(n):\n    if i == c: break\nelse:\n    a[0] = 1\n"), text(R"py(
        temp i.3: int32
        var i.4: int32

        for i.3 in range(0:int32, n, 1:int32) {
          i.4 = i.3
          if (i.4 == c) {
            break
          }
        } else {
          store a[wrap 0] = 1.0
        }
    )py"));
}

TEST(Loops, Nested) {
    EXPECT_THAT(warnings("for i in range(n):\n    for j in range(i):\n        if j == 3: break\n        t = j\n    "
                         "else:\n        t = i\n        continue\n    a[i] = j\n"),
                IsEmpty());
    EXPECT_EQ(lowered("s = 0\nfor i in range(n):\n    for j in range(i):\n        s += j * 0.5\na[0] = s"), text(R"py(
        var s.3: int64
        temp i.4: int32
        var s.5: float64
        var i.6: int32
        temp i.7: int32
        var j: int32

        s.3 = 0
        s.5 = 0.0
        for i.4 in range(0:int32, n, 1:int32) {
          i.6 = i.4
          for i.7 in range(0:int32, i.6, 1:int32) {
            j = i.7
            s.5 = (s.5 + (float64(j) * 0.5))
          }
        }
        store a[wrap 0] = s.5
    )py"));
}

TEST(Loops, RangeOfItsArguments) {
    const auto variable = [](std::string_view range) {
        const std::string module =
            locals_and_body("i8: int8, i32: int32, i64: int64, u8: uint8, u32: uint32, u64: uint64, b: boolean",
                            "for x in " + std::string(range) + ":\n    __it = x\n");
        const size_t at = module.find("var __it: ");
        return module.substr(at + 10, module.find('\n', at) - at - 10);
    };
    EXPECT_EQ(variable("range(i32)"), "int32");
    EXPECT_EQ(variable("range(i8, i32)"), "int32");
    EXPECT_EQ(variable("range(b)"), "int32");
    EXPECT_EQ(variable("range(i64)"), "int64");
    EXPECT_EQ(variable("range(3)"), "int64");
    EXPECT_EQ(variable("range(u8)"), "uint64");
    EXPECT_EQ(variable("range(u32)"), "uint64");
    EXPECT_EQ(variable("range(i32, 10, i32)"), "int64");
    EXPECT_EQ(variable("range(cuda.grid(1), i64, cuda.gridsize(1))"), "int64");
    EXPECT_EQ(variable("range(cuda.threadIdx.x)"), "int32");
}

TEST(Loops, OverArraysAndTuples) {
    EXPECT_EQ(lowered("for x in a:\n    n = x\n"), text(R"py(
        temp i: int64
        var x: float64
        var n.5: float64

        for i in range(0, shape(a, 0), 1) {
          x = a[i]
          n.5 = x
        }
    )py"));
    EXPECT_EQ(lowered("for i, x in enumerate(a):\n    x = i\n"), text(R"py(
        temp i.3: int64
        var i.4: int64
        var x.5: float64
        var x.6: int64

        for i.3 in range(0, shape(a, 0), 1) {
          i.4 = i.3
          x.5 = a[i.3]
          x.6 = i.4
        }
    )py"));
    EXPECT_EQ(type_of("m: float32[:, ::1]", "0"), "int64");
    EXPECT_THAT(locals_and_body("m: float32[:, ::1]", "for row in m:\n    for x in row:\n        y = x\n"),
                HasSubstr("row = view<float32[::1]>(m, i"));
    EXPECT_THAT(findings("t: Tuple((int32, float32))", "for x in t:\n    pass"),
                ElementsAre(HasSubstr("[mixed-tuple]")));
    EXPECT_THAT(
        findings("n: int32", "for x in n:\n    pass"),
        ElementsAre(HasSubstr("1:10: error: int32 cannot be looped over"), "  1:10: `range(n)` counts up to it"));
}

TEST(Loops, RebindingWhatTheLoopRunsOver) {
    // The loop keeps its own array; a copy is made only because `a` changes.
    EXPECT_EQ(locals_and_body("a: float64[::1], b: float64[::1]", "for x in a:\n    a = b\n"), text(R"py(
        temp items: float64[::1]
        temp i: int64
        var x: float64

        items = a
        for i in range(0, shape(items, 0), 1) {
          x = items[i]
          a = b
        }
    )py"));
}

// --- unassigned ---
// A loop that runs at least once leaves assigned what each of its iterations assigns; one warning a name will do.
TEST(Unassigned, LoopsThatRun) {
    EXPECT_THAT(warnings("for i in range(3):\n    x = i\na[0] = x + i"), IsEmpty());
    EXPECT_THAT(warnings("c = 5\nfor i in range(10, c, -2):\n    if a[i] > 0: break\na[0] = i"), IsEmpty());
    EXPECT_THAT(warnings("for q in (1, 2):\n    x = q\na[0] = x"), IsEmpty());
    EXPECT_THAT(warnings("for i in range(3):\n    if a[i] > 0: continue\n    x = i\na[0] = x\na[1] = x"),
                ElementsAre(HasSubstr("4:8: warning: `x`"), HasSubstr("1:1")));
    EXPECT_THAT(warnings("for i in range(3):\n    a[i] = x\n    x = i\na[0] = x"),
                ElementsAre(HasSubstr("2:12: warning: `x`"), HasSubstr("1:1")));
    EXPECT_THAT(warnings("for i in range(3):\n    if a[i] > 0: break\n    x = i\na[0] = x"),
                ElementsAre(HasSubstr("4:8: warning: `x`"), HasSubstr("1:1")));
    EXPECT_THAT(warnings("for i in range(3, 3):\n    x = i\na[0] = x"),
                ElementsAre(HasSubstr("3:8: warning: `x`"), HasSubstr("1:1")));
}

// What the first round assigns is there in later ones, if each round leaves it so.
TEST(Unassigned, TestsForTheFirstRound) {
    for (const char* loop : {
             "for p in range(n):\n    if p == 0:\n        m = a[p]\n    else:\n        m = max(m, a[p])\n    a[p] = m",
             "for p in range(n, 2 * n):\n    if p != n:\n        m = max(m, a[p])\n    else:\n        m = a[p]",
             "for p in range(n):\n    if p == 0:\n        m = a[p]\n    elif a[p] > m:\n        m = a[p]\n    a[p] = m",
             "for p in range(n):\n    if 0 == p:\n        m = a[p]\n    if p > 0 and a[p] > m:\n        m = a[p]",
         })
        EXPECT_THAT(warnings(loop), IsEmpty()) << loop;
    for (const char* loop : {
             "for p in range(n):\n    if p == 1:\n        m = a[p]\n    else:\n        m = max(m, a[p])",
             "for p in range(n):\n    if p == 0:\n        a[p] = m\n    else:\n        m = a[p]",
             "s = n\nfor p in range(s, 9):\n    s = s + 1\n    if p == s:\n        m = a[p]\n    else:\n        a[p] = "
             "m",
             "for p in range(n):\n    if p == 0:\n        if a[p] > 0:\n            m = a[p]\n    else:\n        a[p] "
             "= m",
         })
        EXPECT_THAT(warnings(loop), ElementsAre(HasSubstr("[unassigned]"), testing::_)) << loop;
}

TEST(Unassigned, TestsForLaterRounds) {
    for (const char* test : {"i > 0", "0 < i", "i >= 1", "i != 0"})
        EXPECT_THAT(warnings("for i in range(n):\n    if " + std::string(test) + ":\n        a[i] = x\n    x = c"),
                    IsEmpty())
            << test;
    for (const char* test : {"i > 1", "i < 3", "i >= 0", "c > 0"})
        EXPECT_THAT(warnings("for i in range(n):\n    if " + std::string(test) + ":\n        a[i] = x\n    x = c"),
                    Not(IsEmpty()))
            << test;
}

TEST(Unassigned, LoopsOfAllThreads) {
    for (const char* count : {"cuda.blockDim.x", "cuda.blockDim.x + cuda.blockDim.y", "cuda.gridDim.x * 2",
                              "cuda.gridsize(1)", "cuda.threadIdx.x + 1", "2 + a.size"})
        EXPECT_THAT(warnings("for i in range(" + std::string(count) + "):\n    x = i\na[0] = x"), IsEmpty()) << count;
    for (const char* count : {"cuda.threadIdx.x", "cuda.blockDim.x - 1", "n + 1", "a.size"})
        EXPECT_THAT(warnings("for i in range(" + std::string(count) + "):\n    x = i\na[0] = x"), Not(IsEmpty()))
            << count;
}

TEST(Unassigned, PathsThatWarn) {
    EXPECT_THAT(warnings("if n > 0:\n    x = 1\na[0] = x"),
                ElementsAre("3:8: warning: `x` may be read before it was assigned; its value is 1 then [unassigned]",
                            "  1:4: not assigned when this condition is false"));
    EXPECT_THAT(warnings("for i in range(n):\n    x = i\na[0] = x"),
                ElementsAre(HasSubstr("3:8: warning: `x`"), HasSubstr("1:1")));
    EXPECT_THAT(warnings("for i in range(n):\n    pass\na[0] = i"),
                ElementsAre(HasSubstr("3:8: warning: `i`"), HasSubstr("1:1")));
    EXPECT_THAT(
        warnings("while n > c:\n    x = 1\n    c += 1\na[0] = x"),
        ElementsAre(HasSubstr("4:8: warning: `x`"), HasSubstr("1:7: not assigned until an iteration assigns it")));
    EXPECT_THAT(warnings("for i in range(n):\n    if i > 1:\n        a[i] = x\n    x = c"),
                ElementsAre(HasSubstr("3:16: warning: `x`"), HasSubstr("1:1")));
    EXPECT_THAT(warnings("for i in range(n):\n    if i > 3: break\n    x = 1\nelse:\n    x = 2\na[0] = x"),
                ElementsAre(HasSubstr("6:8: warning: `x`"), HasSubstr("1:1")));
    EXPECT_THAT(warnings("z = 1 if (n > 0 and (x := 3) > c) else x\na[0] = z"),
                ElementsAre(HasSubstr("1:40: warning: `x`"), HasSubstr("1:21")));
}

TEST(Unassigned, PathsThatDoNot) {
    for (const char* body :
         {"if n > 0:\n    x = 1\nelse:\n    x = 2\na[0] = x", "if n > 0:\n    x = 1\nelse:\n    return\na[0] = x",
          "x = 0\nfor i in range(n):\n    x = i\na[0] = x", "while True:\n    x = 1\n    if n > c: break\na[0] = x",
          "for i in range(n):\n    x = i\n    a[i] = x", "for i in range(n):\n    x = i\nelse:\n    x = 0\na[0] = x",
          "for i in range(n):\n    if i > 3: continue\n    x = 1\n    a[0] = x",
          "if n > 0 and (x := n + 1) > c:\n    a[0] = x",
          "if n > 0 or (x := n + 1) > c:\n    pass\nelse:\n    a[0] = x",
          "while n > 0 and (x := c) > n and (y := x) > 1:\n    a[0] = x + y\n    n -= 1",
          "if (x := n) > 0 and c > 0:\n    pass\na[0] = x", "a[0] = (x := 3) + x",
          "for i in range(n):\n    if i == 0:\n        x = 1\n    else:\n        x = 2\n    a[i] = x"})
        EXPECT_THAT(warnings(body), IsEmpty()) << body;
}

// Numba's types name integers and booleans that are written out: where every definition gives the same one, it is the
// value of a name that nothing was assigned to, too. Everything else is zero.
TEST(Unassigned, IsZeroOrTheOnlyLiteral) {
    const auto otherwise = [](std::string_view assignments) {
        const Analysis result =
            analyze_text("N = 7\n@cuda.jit\ndef k(a, n):\n" + std::string(assignments) + "\n    a[0] = z\n",
                         {"k(float64[::1], int32)"});
        EXPECT_EQ(result.findings.size(), 2u) << assignments;
        if (result.ir.find("unassigned\n") != std::string::npos) return std::string("zero");
        const size_t at = result.ir.find("} else {\n    z = ");
        return at == std::string::npos ? result.ir : result.ir.substr(at + 17, result.ir.find('\n', at + 17) - at - 17);
    };
    EXPECT_EQ(otherwise("    if n > 3: z = 5"), "5");
    EXPECT_EQ(otherwise("    if n > 3: z = True"), "True");
    EXPECT_EQ(otherwise("    if n > 3: z = -5"), "-5");
    EXPECT_EQ(otherwise("    if n > 3: z = 2 * 3"), "6");
    EXPECT_EQ(otherwise("    if n > 3: z = N"), "7");
    EXPECT_EQ(otherwise("    if n > 3:\n        y = 5\n        z = y"), "5");
    EXPECT_EQ(otherwise("    if n > 3:\n        z = 4\n        z = 6"), "6");
    EXPECT_EQ(otherwise("    if n > 3:\n        y = 5\n        z = y + 1"), "zero");
    EXPECT_EQ(otherwise("    if n > 3: z = 2.5"), "zero");
    EXPECT_EQ(otherwise("    if n > 3: z = n"), "zero");
    EXPECT_EQ(otherwise("    if n > 3: z = int(5)"), "zero");
    EXPECT_EQ(otherwise("    if n > 3: z = 5\n    elif n > 2: z = 6"), "zero");
    EXPECT_EQ(otherwise("    for i in range(n):\n        z = 5\n        if i > 2: z += 5"), "zero");
}

TEST(Unassigned, TheOnlyLiteralOfALoop) {
    EXPECT_EQ(
        analyze_text(
            "@cuda.jit\ndef k(a, n):\n    for i in range(n):\n        if i > 3:\n            z = 5\n    a[0] = z\n",
            {"k(float64[::1], int32)"})
            .ir,
        text(R"py(
        kernel k = pyk_k_a1f8c_i4(a: float64[::1], n: int32) effects(writes) {
          temp i.2: int32
          var z: int64
          var i.4: int32

          z = 5
          for i.2 in range(0:int32, n, 1:int32) {
            i.4 = i.2
            if (int64(i.4) > 3) {
              z = 5
            }
          }
          store a[wrap 0] = float64(z)
        }
    )py"));
}

TEST(Unassigned, NeverAssigned) {
    EXPECT_THAT(warnings("a[0] = x\nx = 1"),
                ElementsAre("1:8: error: `x` is read before anything is assigned to it [unassigned-name]"));
    EXPECT_THAT(warnings("x += 1"),
                ElementsAre("1:1: error: `x` is read before anything is assigned to it [unassigned-name]"));
}

// What Numba compiles: the name has a definition earlier in the text, on another path.
TEST(Unassigned, OnEveryPathToTheRead) {
    EXPECT_THAT(
        warnings("if n > 0:\n    x = 2.5\n    a[1] = x\nelse:\n    x += 1\n    a[0] = x"),
        ElementsAre("5:5: warning: `x` is read before anything is assigned to it; its value is zero [unassigned]"));
    EXPECT_THAT(
        warnings("if n > 0:\n    x = 7\n    a[1] = x\nelse:\n    a[0] = x + 1"),
        ElementsAre("5:12: warning: `x` is read before anything is assigned to it; its value is 7 [unassigned]"));
    EXPECT_THAT(warnings("if n > 0:\n    v = a\n    a[1] = v[0]\nelse:\n    a[0] = v.size"),
                ElementsAre(HasSubstr("5:12: warning: `v`")));
    EXPECT_THAT(warnings("if n > 0:\n    f = abs\n    a[1] = f(-1)\nelse:\n    a[0] = f(-1)"),
                ElementsAre("5:12: error: `f` is read before anything is assigned to it [unassigned-name]"));
}

TEST(Unassigned, IsReportedOncePerPlace) {
    EXPECT_EQ(warnings("if n > 1:\n    x = 1\nfor i in range(n):\n    for j in range(n):\n        a[0] = x\n").size(),
              2u);
}

// --- pruning ---
TEST(Pruning, OnConstants) {
    EXPECT_EQ(body("a: float64[::1]", "if FLAG:\n    x = 1\nelse:\n    x = nowhere\na[0] = x", "FLAG = True"),
              "x = 1\nstore a[wrap 0] = float64(x)\n");
    EXPECT_EQ(body("a: float64[::1]", "if N > 3 and not DEBUG:\n    a[0] = 1\nelif N:\n    a[0] = (1, 2)\n",
                   "N = 4\nDEBUG = 0"),
              "store a[wrap 0] = 1.0\n");
    EXPECT_EQ(body("a: float64[::1]", "a[0] = 1 if N == 4 else a", "N = 4"), "store a[wrap 0] = 1.0\n");
    EXPECT_EQ(body("a: float64[::1]", "a[0] = N and 2.5", "N = 0"), "store a[wrap 0] = float64($N)\n");
    EXPECT_EQ(body("a: float64[::1]", "while N:\n    a[0] = nowhere\na[1] = 1", "N = 0"), "store a[wrap 1] = 1.0\n");
}

TEST(Pruning, OnNone) {
    EXPECT_EQ(body("a: float64[::1]", "x = None\nif x is not None:\n    a[0] = nowhere\na[1] = 1"),
              "store a[wrap 1] = 1.0\n");
    EXPECT_EQ(body("a: float64[::1]", "if OPTION is None:\n    a[0] = 1\nelse:\n    a[0] = OPTION", "OPTION = None"),
              "store a[wrap 0] = 1.0\n");
}

TEST(Pruning, NotOnWhatALoopChanges) {
    EXPECT_THAT(lowered("first = True\nfor i in range(n):\n    if first:\n        a[0] = i\n    first = False"),
                HasSubstr("if first {"));
    EXPECT_THAT(lowered("x = 1\nif n > 0:\n    x = 2\nif x == 1:\n    a[0] = 1"), HasSubstr("if (x == 1) {"));
}

TEST(Flow, UnreachableCodeIsNotLookedAt) {
    EXPECT_THAT(warnings("return\na[0] = nowhere"), IsEmpty());
    EXPECT_THAT(warnings("while True:\n    break\n    a[0] = nowhere"), IsEmpty());
    EXPECT_THAT(warnings("while True:\n    c = 1\na[0] = nowhere"), IsEmpty());
    EXPECT_THAT(warnings("if n > 0:\n    return\nelse:\n    return\na[0] = nowhere"), IsEmpty());
}

}  // namespace
