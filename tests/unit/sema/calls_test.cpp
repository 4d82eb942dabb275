// Device functions: how arguments bind, which instances there are, what they return.
#include "sema_test.h"

using namespace pyk::sema_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

constexpr std::string_view kParams = "a: float64[::1], n: int32, x: float32";
std::string device(std::string_view text) { return "@cuda.jit(device=True)\n" + std::string(text) + "\n"; }

TEST(Arguments, PositionalKeywordDefault) {
    const std::string f = device("def f(x, y=3, *, z=0.5): return x + y + z");
    EXPECT_EQ(body(kParams, "a[0] = f(n)", f), "store a[wrap 0] = call f(n, 3, 0.5)\n");
    EXPECT_EQ(body(kParams, "a[0] = f(n, 4)", f), "store a[wrap 0] = call f(n, 4, 0.5)\n");
    EXPECT_EQ(body(kParams, "a[0] = f(y=n, x=2)", f), "store a[wrap 0] = call f(2, n, 0.5)\n");
    EXPECT_EQ(body(kParams, "a[0] = f(n, z=2)", f), "store a[wrap 0] = float64(call f(n, 3, 2))\n");
    EXPECT_EQ(body(kParams, "a[0] = f(1)", device("def f(x, y=(1, 2.5)): return x * y[1]")),
              "store a[wrap 0] = call f(1, tuple(1, 2.5))\n");
}

TEST(Arguments, Findings) {
    const std::string f = device("def f(x, y=3): return x");
    const auto said = [&](std::string_view call) { return findings(kParams, "a[0] = " + std::string(call), f); };
    EXPECT_THAT(said("f()"), ElementsAre("1:8: error: `f` takes 1 or 2 arguments, but none is given [argument-count]",
                                         HasSubstr("it is defined here; `x` is missing")));
    EXPECT_THAT(said("f(1, 2, 3)"),
                ElementsAre("1:8: error: `f` takes 1 or 2 arguments, but 3 are given [argument-count]",
                            HasSubstr("it is defined here")));
    EXPECT_THAT(said("f(1, w=2)"), ElementsAre("1:13: error: `f` has no parameter `w` [unknown-parameter]"));
    EXPECT_THAT(said("f(1, x=2)"), ElementsAre("1:13: error: `f` gets its parameter `x` twice [argument-count]"));
    EXPECT_THAT(said("f(*n)"),
                ElementsAre(HasSubstr("1:11: error: int32 cannot be unpacked; tuples can, and in assignments arrays")));
    EXPECT_THAT(said("f(**n)"), ElementsAre(HasSubstr("1:10: error: `**` arguments are not available")));
    EXPECT_THAT(said("f(cuda)"), ElementsAre(HasSubstr("1:10: error: this is a name of a module")));
    EXPECT_THAT(said("abs(1, 2)"), ElementsAre("1:8: error: `abs` takes 1 argument, but 2 are given [argument-count]"));
    EXPECT_THAT(said("abs(x=1)"), ElementsAre("1:12: error: `abs` takes no keyword arguments [no-keywords]"));
    EXPECT_THAT(said("math.sqrt(a)"),
                ElementsAre("1:8: error: `math.sqrt` does not take (array(float64, 1d, C)) [no-overload]",
                            "  1:8: argument 1 may be int64, uint64, float32, float64 or float16"));
    EXPECT_THAT(said("int32(1, 2)"),
                ElementsAre("1:8: error: `int32` takes 1 argument, but 2 are given [argument-count]"));
    EXPECT_THAT(said("int32(a)"),
                ElementsAre("1:8: error: array(float64, 1d, C) cannot be converted to int32 [cannot-convert]",
                            "  1:8: an element of it is written `a[i]`"));
    EXPECT_THAT(said("n(1)"), ElementsAre("1:8: error: int32 cannot be called [not-callable]"));
    EXPECT_THAT(said("min(n)"),
                ElementsAre("1:8: error: `min` takes 2 or more arguments, but 1 is given [argument-count]"));
    EXPECT_THAT(said("cuda.grid(n)"),
                ElementsAre("1:18: error: `cuda.grid` takes the literal 1, 2 or 3 [grid-dimension]"));
    EXPECT_THAT(said("cuda.grid(4)"),
                ElementsAre("1:18: error: `cuda.grid` takes the literal 1, 2 or 3 [grid-dimension]"));
    EXPECT_THAT(said("len(n)"), ElementsAre("1:8: error: `len` does not take (int32) [no-overload]"));
    EXPECT_THAT(said("filter(None, a)"),
                ElementsAre("1:8: error: `filter` is available only in the head of a `for` loop [only-in-for]"));
}

TEST(Instances, OnePerTypes) {
    const std::string ir = module_ir(R"py(
        @cuda.jit(device=True)
        def twice(v):
            return v * 2
        @cuda.jit
        def k(a, n, x):
            a[0] = twice(n) + twice(x) + twice(n + 1) + twice(n * 2)
    )py",
                                     {"k(float64[::1], int32, float32)"});
    EXPECT_EQ(ir, text(R"py(
        device twice = twice_i4(v: int32) -> int64 {
          return (int64(v) * 2)
        }

        device twice = twice_f4(v: float32) -> float64 {
          return (float64(v) * 2.0)
        }

        device twice = twice_i8(v: int64) -> int64 {
          return (v * 2)
        }

        kernel k = pyk_k_a1f8c_i4_f4(a: float64[::1], n: int32, x: float32) effects(writes) {
          store a[wrap 0] = (((float64(call twice_i4(n)) + call twice_f4(x)) + float64(call twice_i8((int64(n) + 1)))) + float64(call twice_i8((int64(n) * 2))))
        }
    )py"));
}

TEST(Instances, WhatHappensToOwnArraysStaysInTheCall) {
    const std::string ir = module_ir(R"py(
        @cuda.jit(device=True)
        def own(x):
            t = cuda.local.array(2, float32)
            t[0] = x
            return t[0] * x
        @cuda.jit(device=True)
        def given(t, x):
            t[0] = x
            return t[1] * x
        @cuda.jit("void(float32[::1])")
        def k(a):
            a[0] = own(a[1])
            a[1] = given(a, a[2])
    )py");
    EXPECT_THAT(ir, HasSubstr("device own = own(x: float32) -> float32 {"));
    EXPECT_THAT(ir, HasSubstr("device given = given(t: float32[::1], x: float32) -> float32 effects(reads, writes) {"));
    EXPECT_THAT(ir, HasSubstr("(a: float32[::1]) effects(reads, writes) {"));
}

TEST(Instances, SharedByKernels) {
    const std::string ir = module_ir(R"py(
        @cuda.jit(device=True)
        def one(v): return v + 1
        @cuda.jit("void(int64[::1])")
        def k(a): a[0] = one(2)
        @cuda.jit("void(int64[::1])")
        def j(a): a[0] = one(3)
    )py");
    EXPECT_EQ(ir.find("device one"), ir.rfind("device one"));
    EXPECT_LT(ir.find("kernel k"), ir.find("kernel j"));
}

TEST(Instances, CallBeforeDefinition) {
    EXPECT_THAT(module_ir(R"py(
        @cuda.jit("void(int64[::1])")
        def k(a): a[0] = later(2)
        @cuda.jit(device=True)
        def later(v): return v + 1
    )py"),
                HasSubstr("store a[wrap 0] = call later(2)"));
}

TEST(Instances, EveryDecoratorOfDeviceCode) {
    for (const char* decorator :
         {"@cuda.jit(device=True)", "@cuda.jit", "@cuda.jit(inline=True, device=True)",
          "@cuda.jit('float64(float64)', device=True)", "@cuda.jit('float64(float64)')", "@numba.njit",
          "@numba.jit(nopython=True)", "@cuda.jit(device=True, inline='always')"})
        EXPECT_THAT(
            analyze_text("import numba\n" + std::string(decorator) +
                         "\ndef f(v): return v + 1.0\n@cuda.jit('void(float64[::1])')\ndef k(a): a[0] = f(2.5)\n")
                .findings,
            IsEmpty())
            << decorator;
    EXPECT_THAT(module_ir("@cuda.jit(device=True, inline='always')\ndef f(v): return "
                          "v\n@cuda.jit('void(float64[::1])')\ndef k(a): a[0] = f(2.5)\n"),
                HasSubstr("device f = f(v: float64) -> float64 inline {"));
}

// A kernel called from device code is a device function then.
TEST(Instances, KernelsCalledAsFunctions) {
    const std::string ir = module_ir(R"py(
        @cuda.jit("void(int64[::1])")
        def put(a):
            a[0] = 1
        @cuda.jit("void(int64[::1])")
        def k(a):
            put(a)
    )py");
    EXPECT_THAT(ir, HasSubstr("kernel put = pyk_put_a1i8c("));
    EXPECT_THAT(ir, HasSubstr("device put = put_a1i8c("));
    EXPECT_THAT(ir, HasSubstr("eval call put_a1i8c(a)"));
}

TEST(Instances, ExplicitSignaturesConvert) {
    EXPECT_EQ(body(kParams, "a[0] = f(n)", "@cuda.jit('float32(float64)', device=True)\ndef f(v): return v * 2\n"),
              "store a[wrap 0] = float64(float32(call f(float64(n))))\n");
    EXPECT_EQ(body(kParams, "a[0] = f(n)",
                   "@cuda.jit(['float32(float32)', 'int64(int64)'], device=True)\ndef f(v): return v\n"),
              "store a[wrap 0] = float64(call f(int64(n)))\n");
}

TEST(Results, ReturnsUnify) {
    const std::string ir = module_ir(R"py(
        @cuda.jit(device=True)
        def f(v):
            if v > 3:
                return 1
            if v > 2:
                return float32(2)
            return True
        @cuda.jit
        def k(a, n):
            a[0] = f(n)
    )py",
                                     {"k(float64[::1], int64)"});
    EXPECT_THAT(ir, HasSubstr("device f = f(v: int64) -> float64 {"));
    EXPECT_THAT(ir, HasSubstr("return 1.0\n"));
    EXPECT_THAT(ir, HasSubstr("return 2.0\n"));
}

TEST(Results, Tuples) {
    EXPECT_EQ(body(kParams, "p, q = f(n)\na[p] = q", device("def f(v): return v + 1, v * 0.5")), text(R"py(
        items = call f(n)
        p = item(items, 0)
        q = item(items, 1)
        store a[wrap p] = q
    )py"));
    EXPECT_THAT(module_ir(device("def f(v):\n    if v > 0: return v, 1\n    return 2.5, v") +
                              "@cuda.jit\ndef k(a, n): a[0] = f(n)[0]\n",
                          {"k(float64[::1], int64)"}),
                HasSubstr("-> (float64, int64) {"));
}

// An element that is None becomes an empty Optional at once: no struct stands for it.
TEST(Results, TuplesWithNone) {
    const std::string ir = module_ir(
        device("def f(v):\n    if v > 0: return v, 1\n    return None, v") + "@cuda.jit\ndef k(a, n): a[0] = f(n)[1]\n",
        {"k(float64[::1], int64)"});
    EXPECT_THAT(ir, HasSubstr("-> (optional optional (has_value: boolean, value: int64), int64) {"));
    EXPECT_THAT(ir, Not(HasSubstr("None")));
}

TEST(Results, NothingAndNone) {
    EXPECT_EQ(body(kParams, "f(a)", device("def f(a):\n    a[0] = 1\n    return\n")), "eval call f(a)\n");
    EXPECT_EQ(body(kParams, "f(a)", device("def f(a):\n    a[0] = 1\n    return None\n")), "eval call f(a)\n");
    EXPECT_EQ(body(kParams, "a[0] = f(n)", device("def f(v):\n    if v > 0: return 1")),
              "store a[wrap 0] = float64(item(@pyk.some(call f(n)):optional optional (has_value: boolean, value: "
              "int64), 1))\n");
    EXPECT_THAT(findings(kParams, "a[0] = f(a)", device("def f(a): pass")), ElementsAre(HasSubstr("1:8: error: ")));
}

TEST(Recursion, Direct) {
    EXPECT_EQ(module_ir(device("def fact(v):\n    if v < 2: return 1\n    return v * fact(v - 1)") +
                            "@cuda.jit\ndef k(a, n): a[0] = fact(n)\n",
                        {"k(float64[::1], int64)"}),
              text(R"py(
        device fact = fact(v: int64) -> int64 {
          if (v < 2) {
            return 1
          }
          return (v * call fact((v - 1)))
        }

        kernel k = pyk_k_a1f8c_i8(a: float64[::1], n: int64) effects(writes) {
          store a[wrap 0] = float64(call fact(n))
        }
    )py"));
    // The recursive call first: its type is known a round later.
    EXPECT_THAT(module_ir(device("def f(v):\n    if v > 0: return f(v - 1) + 1\n    return 0") +
                              "@cuda.jit\ndef k(a, n): a[0] = f(n)\n",
                          {"k(float64[::1], int64)"}),
                HasSubstr("return (call f((v - 1)) + 1)\n"));
    // int64 at first, float64 in the end.
    EXPECT_THAT(module_ir(device("def f(v):\n    if v == 0: return 1\n    return f(v - 1) * 0.5") +
                              "@cuda.jit\ndef k(a, n): a[0] = f(n)\n",
                          {"k(float64[::1], int64)"}),
                HasSubstr("-> float64 {"));
}

TEST(Recursion, Findings) {
    EXPECT_THAT(findings(kParams, "a[0] = f(n)", device("def f(v): return f(v)")),
                ElementsAre(HasSubstr("the result type of `f` cannot be inferred"), HasSubstr("called from here")));
    const auto mutual = findings(kParams, "a[0] = f(n)",
                                 device("def f(v): return g(v) if v > 0 else 1") + device("def g(v): return f(v - 1)"));
    ASSERT_FALSE(mutual.empty());
    EXPECT_THAT(mutual[0],
                HasSubstr("`f` calls itself through other functions: its types have no beginning [mutual-recursion]"));
}

// Each call has types that the one before has not.
TEST(Recursion, OtherTypesEachTime) {
    for (const char* endless : {"def f(v): return f((v, v))", "def f(*v): return f(*v, 1)",
                                "def f(v, g=math.sqrt): return f(v - 1, lambda w: g(w)) if v > 0 else g(v)"}) {
        const auto found = findings(kParams, "a[0] = f(n)", device(endless));
        ASSERT_FALSE(found.empty()) << endless;
        EXPECT_THAT(found[0], HasSubstr("`f` calls itself with other types each time")) << endless;
    }
    EXPECT_THAT(findings(kParams, "a[0] = f((n, n, n, n, n, n, n, n, n, n, n, n, n))",
                         device("def f(t): return t[0] if len(t) == 1 else t[0] + f(t[1:])")),
                ElementsAre());
}

TEST(Findings, SayWhoCalled) {
    const Analysis result = analyze_text(R"py(
        @cuda.jit(device=True)
        def inner(v):
            return v + nowhere
        @cuda.jit(device=True)
        def outer(v):
            return inner(v)
        @cuda.jit("void(int64[::1])")
        def k(a):
            a[0] = outer(1)
    )py");
    EXPECT_THAT(result.findings, ElementsAre("4:16: error: `nowhere` is not defined [unknown-name]",
                                             "  7:12: in `inner(int64)`, called from here",
                                             "  10:12: in `outer(int64)`, called from here"));
}

TEST(Findings, SeveralAtOnce) {
    EXPECT_THAT(
        findings(kParams,
                 "a[0] = one\nif n > 0:\n    a[1] = two\nfor i in range(n):\n    a[i] = three + a\na[a] = 1\n"),
        ElementsAre(HasSubstr("1:8: error: `one` is not defined"), HasSubstr("3:12: error: `two` is not defined"),
                    HasSubstr("5:12: error: `three` is not defined"),
                    HasSubstr("6:3: error: array(float64, 1d, C) cannot index an array")));
}

TEST(Findings, OncePerPlaceWhateverTheInstances) {
    EXPECT_EQ(findings(kParams, "a[0] = f(n)\na[1] = f(x)", device("def f(v): return v + nowhere")).size(), 2u);
}

TEST(Atomics, Forms) {
    EXPECT_EQ(body("a: float32[::1], n: int32", "cuda.atomic.add(a, n, 1)"),
              "eval @cuda.atomic.add(ref(a, wrap n), 1.0:float32):float32\n");
    EXPECT_EQ(body("a: int32[:, ::1], n: int32", "old = cuda.atomic.max(a, (n, 0), 5)"),
              "old = @cuda.atomic.max(ref(a, wrap n, wrap 0), 5:int32):int32\n");
    EXPECT_THAT(
        findings("a: int32[:, ::1], n: int32", "cuda.atomic.add(a, n, 1)"),
        ElementsAre(HasSubstr("1:17: error: an element of array(int32, 2d, C) needs one index per axis, not 1")));
    EXPECT_THAT(findings("a: int32[::1], n: int32", "cuda.atomic.add(n, 0, 1)"),
                ElementsAre(HasSubstr("1:17: error: `cuda.atomic.add` needs an array, not int32")));
    EXPECT_THAT(findings("a: boolean[::1]", "cuda.atomic.add(a, 0, 1)"),
                ElementsAre(HasSubstr("[no-overload]"), HasSubstr("it is for arrays of int32, uint32,")));
}

// --- functions as values ---------------------------------------------------------------------------------------------
TEST(FunctionValues, EachMakesAnInstance) {
    const std::string f = device("def apply(f, x): return f(x)") + device("def twice(x): return x * 2") +
                          device("def half(x): return x / 2");
    EXPECT_EQ(body(kParams, "a[0] = apply(twice, n) + apply(half, n)", f),
              "store a[wrap 0] = (float64(call apply_i4(n)) + call apply_i4_2(n))\n");
    EXPECT_EQ(body(kParams, "a[0] = apply(lambda y: y + 1, n)", f), "store a[wrap 0] = float64(call apply(n))\n");
    EXPECT_EQ(body(kParams, "g = half\na[0] = g(n)", f), "store a[wrap 0] = call half(n)\n");
    EXPECT_EQ(body(kParams, "a[0] = ALL[1](n)", f + "ALL = (twice, half)\n"), "store a[wrap 0] = call half(n)\n");
}

TEST(FunctionValues, Closures) {
    EXPECT_EQ(body(kParams, "def f(y): return y + n\na[0] = f(x)"), "store a[wrap 0] = call f(x, n)\n");
    EXPECT_EQ(body(kParams, "c = 2\nf = lambda y: y + c\na[0] = f(n)"),
              "c = 2\nstore a[wrap 0] = float64(call f(n))\n");
    // Frozen at the definition.
    EXPECT_THAT(body(kParams, "m = n\nf = lambda: m\nm = n + n\na[0] = f()"), HasSubstr("call f(m"));
    EXPECT_EQ(body(kParams, "def put(i, v): a[i] = v\nput(0, x)"), "eval call put(0, x, a)\n");
    const std::string f = device("def apply(f, x): return f(x)");
    EXPECT_EQ(body(kParams, "a[0] = apply(lambda y: y + n, x)", f), "store a[wrap 0] = call apply(n, x)\n");
}

TEST(FunctionValues, Factories) {
    const auto made = [](std::string_view text, const pyk::Defines& defines = {}) {
        return module_ir(std::string(text), {"k(float64[::1])"}, defines);
    };
    constexpr std::string_view kMake =
        "def make(n, dtype=float32):\n    m = n * 2\n    @cuda.jit\n    def inner(a):\n        a[0] = dtype(m)\n"
        "    return inner\n";
    EXPECT_THAT(made(std::string(kMake) + "k = make(3)\n"), HasSubstr("constant m: int64 = 6"));
    EXPECT_THAT(made("def host():\n    c = 5\n    @cuda.jit\n    def k(a): a[0] = c\n"),
                HasSubstr("constant c: int64 = 5"));
    EXPECT_THAT(made("def make(n):\n    @cuda.jit\n    def k(a): a[0] = n\n    return k\n",
                     {{"n", pyk::ConstantValue(int64_t{9})}}),
                HasSubstr("constant n: int64 = 9"));
    EXPECT_THAT(made("def f(a): a[0] = 1\nk = cuda.jit(f)\n"), HasSubstr("kernel k"));
}

TEST(Stars, ParametersAndArguments) {
    const std::string f = device("def f(x, *rest): return x + len(rest)") + device("def g(*all): return all[0]");
    EXPECT_EQ(body(kParams, "a[0] = f(n, x, 2)", f), "store a[wrap 0] = float64(call f(n, tuple(x, 2)))\n");
    EXPECT_EQ(body(kParams, "t = (n, x)\na[0] = g(*t)", f),
              "t = tuple(n, x)\nstore a[wrap 0] = float64(call g(tuple(item(t, 0), item(t, 1))))\n");
    EXPECT_EQ(body(kParams, "a[(*(n,),)] = 1", f), "store a[wrap n] = 1.0\n");
}

// --- errors and printing ---------------------------------------------------------------------------------------------
TEST(Errors, RaiseAndAssert) {
    EXPECT_EQ(body(kParams, "if n > 0:\n    raise ValueError('no', 3)\na[0] = 1"), text(R"py(
        if (int64(n) > 0) {
          raise "ValueError: no, 3"
        }
        store a[wrap 0] = 1.0
    )py"));
    EXPECT_EQ(body(kParams, "assert n > 0, 'why'\na[0] = 1"), text(R"py(
        if (not (int64(n) > 0)) {
          raise "AssertionError: why"
        }
        store a[wrap 0] = 1.0
    )py"));
}

TEST(Errors, ThatTheModuleNames) {
    constexpr std::string_view kModule = "N = 3\nBad = ValueError\nBAD = ValueError(f'bad {N}')\n";
    const auto raised = [&](std::string_view statement) { return body(kParams, statement, kModule); };
    EXPECT_EQ(raised("raise BAD"), "raise \"ValueError: bad 3\"\n");
    EXPECT_EQ(raised("raise Bad('no')"), "raise \"ValueError: no\"\n");
    EXPECT_EQ(raised("raise ValueError('abc {}'.format(N))"), "raise \"ValueError: abc 3\"\n");
    EXPECT_EQ(raised("raise ValueError('abc {}'.format(n))"), "raise \"ValueError: …\"\n");
}

TEST(Errors, Print) {
    EXPECT_EQ(body(kParams, "print('n =', n, n > 0, (1, x))"),
              "print(\"n = %lld %s (%lld, %f)\", int64(n), (int64(n) > 0), 1, float64(x))\n");
    const std::string_view module = "TPB = 16\nNAME = f'tile {TPB}'\n";
    EXPECT_EQ(body(kParams, "print('=' * 3, 'a' + 'b', NAME + '!', f'hello', f'of {TPB}')", module),
              "print(\"=== ab tile 16! hello of 16\")\n");
    EXPECT_EQ(body("a: float64[::1], TPB: int32", "print(f'of {TPB}, {TPB:>{3 + 1}}%')", module),
              "print(\"of %lld, %4lld%%\", int64(TPB), int64(TPB))\n");
    for (const char* text :
         {"f'{x:.2}'", "f'{x:^8.2f}'", "f'{x:,}'", "f'{n:x}'", "f'{n!r:>3}'", "f'{x:{n}}'", "f'{(n, x):8}'"})
        EXPECT_THAT(findings(kParams, std::string("print(") + text + ")"),
                    ElementsAre(HasSubstr("[unsupported-syntax]")))
            << text;
    EXPECT_EQ(body(kParams, "print(f'', 'a', *(), f'b{n}', *(n, 2), '')"),
              "print(\" a b%lld %lld %lld \", int64(n), int64(n), 2)\n");
    // What a later field does to a name that an earlier one has.
    EXPECT_EQ(body(kParams, "k = n + 1\nprint(f'{k} {(k := 2)} {k}')"),
              "k = (int64(n) + 1)\nvalue = k\nk = 2\nprint(\"%lld %lld %lld\", value, k, k)\n");
    EXPECT_THAT(body(kParams, "assert n > 0, f'{n} of {TPB:.2f}, {{}}'"), HasSubstr("AssertionError: … of …, {}"));
}

}  // namespace
