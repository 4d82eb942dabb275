// Temporaries put where they are read, dead locals removed, conversions that say nothing dropped, effects of functions.
#include "pass_test.h"
#include "passes/fill_effects.h"
#include "passes/inline_temporaries.h"
#include "passes/remove_dead.h"
#include "passes/simplify_conversions.h"

namespace pyk::test {
namespace {

// --- inline_temporaries ---------------------------------------------------------------------------------------------
const std::string kHead = R"(
device g = g_a1i8c(a: int64[::1]) -> int64 effects(writes) {
  store a[0] = 1
  return 0
}
kernel k = k_(a: int64[::1], n: int64, c: boolean) {
  var x: int64
  var y: int64
  temp t: int64
  temp u: int64
)";

void expect_inlined(const std::string& before, const std::string& after) {
    expect_pass(inline_temporaries, kHead + before + "\n}", kHead + after + "\n}");
}

TEST(InlineTemporaries, SwapNeedsOne) { expect_inlined("t = y\nu = x\nx = t\ny = u", "u = x\nx = y\ny = u"); }

TEST(InlineTemporaries, FibonacciNeedsOne) {
    expect_inlined("t = y\nu = (x + y)\nx = t\ny = u", "u = (x + y)\nx = y\ny = u");
}

TEST(InlineTemporaries, ChainsCollapse) { expect_inlined("t = (x + 1)\nu = (t * 2)\ny = u", "y = ((x + 1) * 2)"); }

// What may raise stays in front of what a handler would see.
TEST(InlineTemporaries, StayInFrontWhereErrorsAreHandled) {
    expect_inlined("try {\nt = (x // n)\nx = 5\ny = t\n} except {\nstore a[0] = x\n}",
                   "try {\nt = (x // n)\nx = 5\ny = t\n} except {\nstore a[0] = x\n}");
    expect_inlined("try {\nt = (x // n)\ny = t\n} except {\n}", "try {\ny = (x // n)\n} except {\n}");
}

TEST(InlineTemporaries, ReadTwiceStays) { expect_inlined("t = (x + 1)\ny = (t * t)", "t = (x + 1)\ny = (t * t)"); }

TEST(InlineTemporaries, VariablesOfTheAuthorStay) { expect_inlined("y = (x + 1)\nx = y", "y = (x + 1)\nx = y"); }

// The constant is with the other type already. Where the branch leaves the first type's value, it stays.
TEST(InlineTemporaries, AVariableOfTwoTypesIsAssignedOnceInEachWay) {
    const auto joined = [](const std::string& before, const std::string& after) {
        const std::string head =
            "kernel k = k_(a: float64[::1], n: int64, c: boolean) {\nvar v.2: int64\nvar v.3: float64\n";
        expect_pass(inline_temporaries, head + before + "\nstore a[0] = v.3\n}",
                    head + after + "\nstore a[0] = v.3\n}");
    };
    joined("if c {\nv.2 = 0\nv.3 = 0.0\n} else {\nv.2 = (n + 1)\nv.3 = float64(v.2)\n}",
           "if c {\nv.3 = 0.0\n} else {\nv.3 = float64((n + 1))\n}");
    for (const char* left :
         {"v.2 = 0\nif c {\nv.2 = n\n}\nv.3 = float64(v.2)",
          "if c {\nv.2 = 0\nv.3 = 0.0\n} else {\nv.2 = n\nv.3 = float64(v.2)\n}\nstore a[v.2] = 1.0",
          "v.2 = 0\nv.3 = 0.0\nwhile (v.3 < a[v.2]) {\nv.2 = n\nv.3 = float64(v.2)\n}",
          "v.2 = 1\nif c {\nv.2 = n\nv.3 = float64(v.2)\nstore a[v.2] = 1.0\n} else {\nv.3 = float64(v.2)\n}"})
        joined(left, left);
}

TEST(InlineTemporaries, AVariableOfTwoTypesIsAssignedOnce) {
    const auto joined = [](const std::string& before, const std::string& after) {
        const std::string head =
            "kernel k = k_(a: int32[::1], n: int64) {\nvar v.2: int64\nvar v.3: int32\nvar w: int64\nv.2 = n\nwhile "
            "(v.2 < n) "
            "{\n";
        expect_pass(inline_temporaries, head + before + "\n}\n}", head + after + "\n}\n}");
    };
    joined("v.3 = a[0]\nv.2 = int64(v.3)", "v.2 = int64(a[0])");
    joined("v.3 = a[0]\nstore a[1] = 5:int32\nw = n\nv.2 = int64(v.3)",
           "v.2 = int64(a[0])\nstore a[1] = 5:int32\nw = n");
    // The other one's value is still asked for; it goes to another variable; it is for more.
    for (const char* left : {"v.3 = a[0]\nw = v.2\nv.2 = int64(v.3)", "v.3 = a[0]\nw = int64(v.3)",
                             "v.3 = a[0]\nstore a[1] = v.3\nv.2 = int64(v.3)", "v.3 = a[0]\nv.2 = (int64(v.3) + v.2)",
                             "v.3 = a[0]\nif (n < 3) {\nbreak\n}\nv.2 = int64(v.3)"})
        joined(left, left);
}

TEST(InlineTemporaries, MemoryIsNotReadAfterItIsWritten) {
    const std::string store = "t = a[0]\nstore a[0] = 5\nx = t", call = "t = a[0]\nx = (call g_a1i8c(a) + t)";
    expect_inlined(store, store);
    expect_inlined(call, call);
}

TEST(InlineTemporaries, MemoryIsReadLaterWhereNothingWrites) {
    expect_inlined("t = a[0]\ny = a[1]\nx = t", "y = a[1]\nx = a[0]");
}

TEST(InlineTemporaries, ActionsKeepTheirPlace) {
    const std::string read = "t = call g_a1i8c(a)\nx = (t + a[0])",
                      skipped = "t = call g_a1i8c(a)\nx = (t if c else 0)";
    expect_inlined(read, read);
    expect_inlined(skipped, skipped);
    expect_inlined("t = call g_a1i8c(a)\nx = (t + n)", "x = (call g_a1i8c(a) + n)");
    expect_inlined("t = call g_a1i8c(a)\nstore a[1] = t", "store a[1] = call g_a1i8c(a)");
}

TEST(InlineTemporaries, ErrorsKeepTheirPlace) {
    const std::string tuple = "var p: (int64, int64)\n";
    const auto expect_kept = [&](const std::string& text) { expect_inlined(tuple + text, tuple + text); };
    expect_kept("t = at(p, n)\nstore a[0] = 5\nx = t");
    expect_kept("t = at(p, n)\nx = (t if c else 0)");
    expect_inlined(tuple + "t = at(p, n)\ny = a[0]\nx = (t + 1)", tuple + "y = a[0]\nx = (at(p, n) + 1)");
}

TEST(InlineTemporaries, NotIntoWhatRunsMoreThanOnce) {
    const std::string loop = "t = (n - 1)\nwhile (x < t) {\nx = (x + 1)\n}", inside = "t = (n - 1)\nif c {\nx = t\n}";
    expect_inlined(loop, loop);
    expect_inlined(inside, inside);
    expect_inlined("t = (n - 1)\nfor x in range(0, t, 1) {\ny = x\n}", "for x in range(0, (n - 1), 1) {\ny = x\n}");
}

TEST(InlineTemporaries, NotOverAnAssignmentToWhatItReads) {
    const std::string text = "t = (x + 1)\nx = 5\ny = t";
    expect_inlined(text, text);
}

// --- remove_dead ----------------------------------------------------------------------------------------------------
void without_dead(const ir::Module& module, ir::Function& function) { remove_dead(module, function); }
void without_dead_in_debug(const ir::Module& module, ir::Function& function) { remove_dead(module, function, true); }

TEST(RemoveDead, DivisionsThatMayFailStayWhereErrorsAreReported) {
    const std::string head = "kernel k = k_(n: int64, d: float64) {\nvar x: int64\n";
    const std::string may_fail = "x = (3 // n)", by_zero = "x = (n % 0)", kept = "eval (3 // n)\neval (n % 0)\n";
    expect_pass(without_dead_in_debug, head + may_fail + "\n" + by_zero + "\nx = (n // 2)\nx = (n + 1)\n}",
                "kernel k = k_(n: int64, d: float64) {\n" + kept + "}");
    expect_pass(without_dead, head + may_fail + "\n" + by_zero + "\n}", "kernel k = k_(n: int64, d: float64) {\n}");
}

TEST(RemoveDead, LoadsStayWhereTheirErrorsAreHandled) {
    const auto of_checked = [](const ir::Module& module, ir::Function& function) {
        remove_dead(module, function, false, true);
    };
    const std::string head = "kernel k = k_(a: int64[::1], n: int64) {\n";
    expect_pass(of_checked, head + "var x: int64\nx = a[n]\nx = (n + 1)\neval a[0]\n}",
                head + "eval a[n]\neval a[0]\n}");
}

// An index out of range ends the thread; of what is computed with the element nothing is left.
TEST(RemoveDead, WhatMayRaiseStays) {
    const std::string head = R"(
device f = f_(n: int64) -> int64 raises {
  var t: (int64, int64)
  t = tuple(1, 2)
  return at(t, n)
}
device g = g_(n: int64) -> int64 {
  return (n * 2)
}
kernel k = k_(a: int64[::1], n: int64, c: boolean) {
)";
    const std::string locals = "var x: int64\nvar t: (int64, int64)\nvar v: int64[:]\n";
    expect_pass(
        without_dead,
        head + locals +
            "t = tuple(n, 2)\nx = (at(t, n) + n)\nx = call f_(n)\nx = call g_(n)\nv = view<int64[:]>(a, slice(_, _, "
            "n))\n"
            "v = view<int64[:]>(a, slice(_, _, 2))\nx = (at(t, n) if c else 0)\neval (at(t, n) + at(t, 0))\n}",
        head +
            "var t: (int64, int64)\nt = tuple(n, 2)\neval at(t, n)\neval call f_(n)\n"
            "eval view<int64[:]>(a, slice(_, _, n))\neval (at(t, n) if c else 0)\neval (at(t, n) + at(t, 0))\n}");
}

TEST(RemoveDead, ChainsGoAndEffectsStay) {
    expect_pass(without_dead,
                kHead + "x = 1\nt = (x + 1)\nu = (t * 2)\ny = call g_a1i8c(a)\neval (n + 1)\neval a[0]\n}",
                R"(
device g = g_a1i8c(a: int64[::1]) -> int64 effects(writes) {
  store a[0] = 1
  return 0
}
kernel k = k_(a: int64[::1], n: int64, c: boolean) {
  eval call g_a1i8c(a)
})");
}

TEST(RemoveDead, CountersStay) {
    expect_pass(without_dead, R"(
kernel k = k_(a: int64[::1], n: int64) {
  temp unused: int64
  var i: int64
  temp t: int64
  shared s: int64[::1] shape(4)
  for t in range(0, n, 1) {
    i = t
    store a[0] = n
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: int64) {
  temp t: int64
  for t in range(0, n, 1) {
    store a[0] = n
  }
})");
}

TEST(RemoveDead, UnassignedFlagsThatNoLongerHold) {
    expect_pass(without_dead, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64 unassigned
  var j: int64 unassigned
  for i in range(0, n, 1) {
    store a[i] = 0
  }
  if (n > 1) {
    j = n
  }
  store a[0] = j
})",
                R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  var j: int64 unassigned
  for i in range(0, n, 1) {
    store a[i] = 0
  }
  if (n > 1) {
    j = n
  }
  store a[0] = j
})");
}

// --- simplify_conversions -------------------------------------------------------------------------------------------
TEST(SimplifyConversions, WhatSaysNothingGoes) {
    const std::string head =
        "kernel k = k_(a: float32[:, ::1], s: int32, w: uint8, f: float32, n: int64, d: float64) {\n"
        "var x: float32 var y: float64 var i: int64 var j: int32 var v: readonly float32[:, :]\n";
    expect_pass(simplify_conversions, head + R"(
x = float32(float64(f))
x = float32(float32(d))
x = float32(float64(n))
y = float64(int64(s))
y = float64(int32(n))
i = int64(int32(w))
i = int64(int64(n))
j = int32(int64(s))
store a[wrap int64(s), int64(w)] = a[int64(int32(w)), wrap int64(uint64(s))]
v = convert<readonly float32[:, :]>(convert<float32[:, :]>(a))
})",
                head + R"(
x = f
x = float32(d)
x = float32(float64(n))
y = float64(s)
y = float64(int32(n))
i = int64(w)
i = n
j = s
store a[wrap s, w] = a[w, wrap int64(uint64(s))]
v = convert<readonly float32[:, :]>(a)
})");
}

// A uint8 has the lower bits of an int32, whatever was between; those of an int8 are not all that a uint32 has.
TEST(SimplifyConversions, OfWhatIsCutTheLowerBitsCount) {
    const std::string head =
        "kernel k = k_(s: int32, n: int64, h: int8) {\nvar w: uint8 var u: uint32 var j: int32 var l: int64\n";
    expect_pass(simplify_conversions,
                head + "w = uint8(uint64(s))\nj = int32(uint32(n))\nu = uint32(uint64(h))\nl = int64(uint64(s))\n}",
                head + "w = uint8(s)\nj = int32(n)\nu = uint32(uint64(h))\nl = int64(uint64(s))\n}");
}

TEST(SimplifyConversions, IntegersAreComparedWithWholeNumbersAsIntegers) {
    const std::string head = "kernel k = k_(a: float32[::1], u: uint64, n: int64, w: uint8, h: int16) {\nvar b: bool\n";
    expect_pass(simplify_conversions, head + R"(
b = (float64(u) == 2147483648.0)
b = (-3.0 < float64(n))
b = (float32(h) >= 7.0:float32)
b = (float64(n) != -0.0)
b = (float64(u) > 9007199254740991.0)
})",
                head + R"(
b = (u == 2147483648:uint64)
b = (-3 < n)
b = (h >= 7:int16)
b = (n != 0)
b = (u > 9007199254740991:uint64)
})");
    // Where rounding, a part or the type's end makes a difference.
    expect_unchanged(simplify_conversions, head + R"(
b = (float64(u) == 9007199254740992.0)
b = (float64(n) < 0.5)
b = (float64(u) > -1.0)
b = (float32(w) < 256.0:float32)
b = (float32(h) < 32768.0:float32)
b = (float64(n) == float64(u))
})");
}

// --- fill_effects ---------------------------------------------------------------------------------------------------
TEST(FillEffects, BottomUp) {
    expect_pass(fill_effects, R"(
device pure = pure_(x: int64) -> int64 {
  return (x * x)
}
device own = own_(x: int64) -> int64 {
  local l: int64[::1] shape(4)
  store l[0] = x
  return l[0]
}
device reader = reader_(a: int64[::1]) -> int64 {
  return a[call pure_(0)]
}
device writer = writer_(a: int64[::1]) {
  store a[0] = call reader_(a)
  eval @cuda.syncthreads:none
}
kernel k = k_(a: int64[::1]) {
  eval call writer_(a)
})",
                R"(
device pure = pure_(x: int64) -> int64 {
  return (x * x)
}
device own = own_(x: int64) -> int64 {
  local l: int64[::1] shape(4)
  store l[0] = x
  return l[0]
}
device reader = reader_(a: int64[::1]) -> int64 effects(reads) {
  return a[call pure_(0)]
}
device writer = writer_(a: int64[::1]) effects(reads, writes, barrier, block) {
  store a[0] = call reader_(a)
  eval @cuda.syncthreads:none
}
kernel k = k_(a: int64[::1]) effects(reads, writes, barrier, block) {
  eval call writer_(a)
})");
}

// One that calls itself is of what its body does.
TEST(FillEffects, WhatRaises) {
    const auto text = [](const std::string& raises) {
        return "device item = item_(n: int64) -> int64" + raises +
               " {\n  var t: (int64, int64)\n  t = tuple(1, 2)\n  return at(t, n)\n}\n"
               "device around = around_(n: int64) -> int64" +
               raises +
               " {\n  if (n > 0) {\n    return call around_((n - 1))\n  }\n  return call item_(n)\n}\n"
               "device endless = endless_(n: int64) -> int64 {\n  return call endless_(n)\n}\n";
    };
    expect_pass(fill_effects, text(""), text(" raises"));
}

}  // namespace
}  // namespace pyk::test
