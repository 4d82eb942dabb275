// The order of evaluation: what C++ leaves open is settled here, with as few names as that takes.
#include "sema_test.h"

using namespace pyk::sema_test;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr std::string_view kParams = "a: int64[::1], n: int64, c: int64";
std::string lowered(std::string_view text) { return body(kParams, text); }

// --- effects ---
TEST(Order, ReadsAloneNeedNoNames) {
    EXPECT_EQ(lowered("a[0] = a[1] + a[2] * a[n]"), "store a[wrap 0] = (a[wrap 1] + (a[wrap 2] * a[wrap n]))\n");
    EXPECT_EQ(lowered("a[a[0]] = a[1]"), "store a[wrap a[wrap 0]] = a[wrap 1]\n");
    EXPECT_EQ(lowered("a[a[0]] += a[1]"), "i = a[wrap 0]\nstore a[wrap i] = (a[wrap i] + a[wrap 1])\n");
}

TEST(Order, OneActionAmongReads) {
    EXPECT_EQ(lowered("n = a[0] + cuda.atomic.add(a, 0, 1)"), text(R"py(
        value = a[wrap 0]
        n = (value + @cuda.atomic.add(ref(a, wrap 0), 1):int64)
    )py"));
    EXPECT_EQ(lowered("n = cuda.atomic.add(a, 0, 1) + a[0]"), text(R"py(
        value = @cuda.atomic.add(ref(a, wrap 0), 1):int64
        n = (value + a[wrap 0])
    )py"));
    EXPECT_EQ(lowered("n = c + cuda.atomic.add(a, 0, 1) * c"),
              "n = (c + (@cuda.atomic.add(ref(a, wrap 0), 1):int64 * c))\n");
    EXPECT_EQ(lowered("cuda.atomic.add(a, 0, 1)"), "eval @cuda.atomic.add(ref(a, wrap 0), 1):int64\n");
}

TEST(Order, StoresEvaluateTheValueFirst) {
    EXPECT_EQ(lowered("a[cuda.atomic.add(a, 0, 1)] = a[1]"), text(R"py(
        value = a[wrap 1]
        store a[wrap @cuda.atomic.add(ref(a, wrap 0), 1):int64] = value
    )py"));
    EXPECT_EQ(lowered("a[a[0]] = cuda.atomic.add(a, 0, 1)"), text(R"py(
        value = @cuda.atomic.add(ref(a, wrap 0), 1):int64
        store a[wrap a[wrap 0]] = value
    )py"));
    EXPECT_EQ(lowered("a[cuda.atomic.add(a, 0, 1)] += 2"), text(R"py(
        i = @cuda.atomic.add(ref(a, wrap 0), 1):int64
        store a[wrap i] = (a[wrap i] + 2)
    )py"));
    EXPECT_EQ(lowered("a[1] += cuda.atomic.add(a, 1, 1)"), text(R"py(
        current = a[wrap 1]
        store a[wrap 1] = (current + @cuda.atomic.add(ref(a, wrap 1), 1):int64)
    )py"));
}

TEST(Order, DeviceFunctionsThatWriteAreActions) {
    const std::string_view module =
        "@cuda.jit(device=True)\ndef put(a):\n    a[0] = 1\n    return 2\n@cuda.jit(device=True)\ndef get(a):\n    "
        "return a[0]\n";
    EXPECT_EQ(body(kParams, "n = put(a) + get(a)", module), "value = call put(a)\nn = (value + call get(a))\n");
    EXPECT_EQ(body(kParams, "n = get(a) + get(a)", module), "n = (call get(a) + call get(a))\n");
    // What a function may raise the passes know.
    EXPECT_EQ(body(kParams, "put(a)\nget(a)", module), "eval call put(a)\neval call get(a)\n");
}

// Keyword arguments are evaluated where they stand, not where their parameters do.
TEST(Order, KeywordArguments) {
    const std::string_view module = "@cuda.jit(device=True)\ndef f(x, y): return x - y\n";
    EXPECT_EQ(body(kParams, "n = f(y=cuda.atomic.add(a, 0, 1), x=a[0])", module), text(R"py(
        value = @cuda.atomic.add(ref(a, wrap 0), 1):int64
        n = call f(a[wrap 0], value)
    )py"));
}

TEST(Order, WhatATupleDropsStillHappens) {
    EXPECT_EQ(lowered("n = (cuda.atomic.add(a, 0, 1), 5)[1]"), text(R"py(
        items = tuple(@cuda.atomic.add(ref(a, wrap 0), 1):int64, 5)
        n = item(items, 1)
    )py"));
}

// --- comparisons, and, or ---
TEST(Order, ChainedComparisons) {
    EXPECT_EQ(lowered("if 0 < n < c: pass"), "if ((0 < n) and (n < c)) {\n}\n");
    EXPECT_EQ(lowered("if 0 < a[n] < c: pass"), "middle = a[wrap n]\nif ((0 < middle) and (middle < c)) {\n}\n");
    EXPECT_EQ(lowered("if n < a[0] < a[1] < c: pass"), text(R"py(
        middle.3 = a[wrap 0]
        test = (n < middle.3)
        if test {
          middle.4 = a[wrap 1]
          test = ((middle.3 < middle.4) and (middle.4 < c))
        }
        if test {
        }
    )py"));
    EXPECT_EQ(lowered("if a[0] < cuda.atomic.add(a, 0, 1) < c: pass"), text(R"py(
        value = a[wrap 0]
        middle = @cuda.atomic.add(ref(a, wrap 0), 1):int64
        if ((value < middle) and (middle < c)) {
        }
    )py"));
}

TEST(Order, ShortCircuit) {
    EXPECT_EQ(lowered("if n < c and a[n] > 0: pass"), "if ((n < c) and (a[wrap n] > 0)) {\n}\n");
    EXPECT_EQ(lowered("if n < c and 0 < a[n] < 5: pass"), text(R"py(
        test = (n < c)
        if test {
          middle = a[wrap n]
          test = ((0 < middle) and (middle < 5))
        }
        if test {
        }
    )py"));
    EXPECT_EQ(lowered("if n < c or 0 < a[n] < 5: pass"), text(R"py(
        test = (n < c)
        if (not test) {
          middle = a[wrap n]
          test = ((0 < middle) and (middle < 5))
        }
        if test {
        }
    )py"));
    // An action on the right of `and` happens only when the left holds: C++ says the same.
    EXPECT_EQ(lowered("if n < c and cuda.atomic.add(a, 0, 1) > 0: pass"),
              "if ((n < c) and (@cuda.atomic.add(ref(a, wrap 0), 1):int64 > 0)) {\n}\n");
}

TEST(Order, OperandsAsValues) {
    EXPECT_EQ(lowered("c = n or 5"), "c = (n if boolean(n) else 5)\n");
    EXPECT_EQ(lowered("c = n and a[0]"), "c = (a[wrap 0] if boolean(n) else n)\n");
    EXPECT_EQ(lowered("c = a[0] or n"), "value = a[wrap 0]\nc = (value if boolean(value) else n)\n");
    EXPECT_EQ(type_of(kParams, "n or 2.5"), "float64");
    EXPECT_EQ(type_of(kParams, "n > 0 and c > 0"), "boolean");
    EXPECT_EQ(type_of(kParams, "n > 0 and c"), "int64");
}

TEST(Order, ConditionalExpressions) {
    EXPECT_EQ(lowered("c = a[n] if n > 0 else 7"), "c = (a[wrap n] if (n > 0) else 7)\n");
    EXPECT_EQ(type_of(kParams, "1 if n else 2.5"), "float64");
    EXPECT_EQ(lowered("c = (1 if 0 < a[n] < 3 else 2) if n else 3"), text(R"py(
        if boolean(n) {
          middle = a[wrap n]
          value = (1 if ((0 < middle) and (middle < 3)) else 2)
        } else {
          value = 3
        }
        c = value
    )py"));
}

// --- walruses ---
TEST(Walrus, WhatWasReadBeforeKeepsItsValue) {
    EXPECT_EQ(lowered("c = n + (n := 5) + n"), "value = n\nn = 5\nc = ((value + n) + n)\n");
    EXPECT_EQ(lowered("c = 1 + (n := 5)"), "n = 5\nc = (1 + n)\n");
    EXPECT_EQ(lowered("a[(n := 2)] = n"), "value = n\nn = 2\nstore a[wrap n] = value\n");
    EXPECT_EQ(lowered("a[n] += (n := 3)"), "i = n\ncurrent = a[wrap i]\nn = 3\nstore a[wrap i] = (current + n)\n");
    EXPECT_EQ(lowered("n += (n := 3)"), "value = n\nn = 3\nn = (value + n)\n");
    EXPECT_EQ(lowered("c = max(n, (n := 3), n)"), "value = n\nn = 3\nc = @max(@max(value, n):int64, n):int64\n");
    EXPECT_EQ(lowered("c, n = n, (n := 3)"), "value = n\nn = 3\nc = value\nn = n\n");
}

TEST(Walrus, OnOnePath) {
    EXPECT_EQ(locals_and_body(kParams, "y = 2.5\nif n > 0 and (y := 3) < c:\n    pass\na[0] = y"), text(R"py(
        var y.3: float64
        var y.4: int64
        temp test: boolean

        y.3 = 2.5
        test = (n > 0)
        if test {
          y.4 = 3
          test = (y.4 < c)
          y.3 = 3.0
        }
        if test {
          y.3 = 3.0
        }
        store a[wrap 0] = int64(y.3)
    )py"));
    EXPECT_EQ(lowered("y = 1\nc = (y := 5) if n > 0 else y\na[0] = y"), text(R"py(
        y = 1
        if (n > 0) {
          y = 5
          value = y
        } else {
          value = y
        }
        c = value
        store a[wrap 0] = y
    )py"));
}

// --- unpacking ---
TEST(Unpacking, Swaps) {
    EXPECT_EQ(lowered("n, c = c, n"), "c.3 = n\nn = c.2\nc.2 = c.3\n");
    EXPECT_EQ(lowered("a[0], a[1] = a[1], a[0]"),
              "value = a[wrap 0]\nstore a[wrap 0] = a[wrap 1]\nstore a[wrap 1] = value\n");
    EXPECT_EQ(lowered("n, c = c, n % c"), "c.3 = (n % c.2)\nn = c.2\nc.2 = c.3\n");
}

TEST(Unpacking, NoNamesWhereNothingIsDisturbed) {
    EXPECT_EQ(lowered("n, c = 1, 2"), "n = 1\nc = 2\n");
    EXPECT_EQ(lowered("n, c = c, 7"), "n = c\nc = 7\n");
    EXPECT_EQ(lowered("x, y = n, n + 1"), "x = n\ny = (n + 1)\n");
    EXPECT_EQ(lowered("h, w = a.size, c"), "h = size(a)\nw = c\n");
    // The second element is read after the first target, a float64 of another local, was assigned.
    EXPECT_EQ(locals_and_body("n: int64, f: float64", "n, f = f, n"), text(R"py(
        var n.2: float64
        var f.3: int64

        n.2 = f.1
        f.3 = n.0
    )py"));
}

TEST(Unpacking, Nested) {
    EXPECT_EQ(lowered("(x, y), z = (1, n), c"), "x = 1\ny = n\nz = c\n");
    EXPECT_EQ(lowered("(n, c), z = (1, 2), n"), "z.3 = n\nn = 1\nc = 2\nz.4 = z.3\n");
    EXPECT_EQ(lowered("[x, y] = n, c"), "x = n\ny = c\n");
    EXPECT_EQ(lowered("t = (n, c)\nx, y = t"), "t = tuple(n, c)\nx = item(t, 0)\ny = item(t, 1)\n");
    EXPECT_EQ(lowered("n, a[n] = 1, 2"), "n = 1\nstore a[wrap n] = 2\n");
}

TEST(Unpacking, Chained) {
    EXPECT_EQ(lowered("x = y = a[0]"), "x = a[wrap 0]\ny = x\n");
    EXPECT_EQ(lowered("a[0] = y = a[1]"), "value = a[wrap 1]\nstore a[wrap 0] = value\ny = value\n");
    EXPECT_EQ(lowered("n = a[n] = n + 1"), "n = (n + 1)\nstore a[wrap n] = n\n");
}

TEST(Unpacking, DivmodIsEvaluatedOnce) {
    EXPECT_EQ(lowered("q, r = divmod(a[0], 3)"), "value = a[wrap 0]\nq = (value // 3)\nr = (value % 3)\n");
}

// --- membership and tuples ---
TEST(Tuples, ComputedOperands) {
    EXPECT_EQ(lowered("if a[0] in (n, 3): pass"), "item.3 = a[wrap 0]\nif ((item.3 == n) or (item.3 == 3)) {\n}\n");
    EXPECT_EQ(lowered("if n not in (1, 2): pass"), "if (not ((n == 1) or (n == 2))) {\n}\n");
    EXPECT_EQ(lowered("if (n, c) == (1, 2): pass"), "if ((n == 1) and (c == 2)) {\n}\n");
    EXPECT_THAT(lowered("t = (n, c)\nif t != (1, 2): pass"),
                HasSubstr("if (not ((item(t, 0) == 1) and (item(t, 1) == 2))) {"));
    EXPECT_EQ(type_of(kParams, "(n, 1) + (2.5,)"), "(int64, int64, float64)");
    EXPECT_EQ(type_of(kParams, "len((n, 2.5))"), "int64");
    EXPECT_EQ(body("a: int64[::1]", "a[0] = len((1, 2.5, None, 3j))"), "store a[wrap 0] = 4\n");
}

}  // namespace
