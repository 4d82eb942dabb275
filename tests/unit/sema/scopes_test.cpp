// Names: imports in every form, what shadows what, host code around the kernels.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "module/scope.h"
#include "sema/sema.h"
#include "sema_test.h"
#include "syntax/parse.h"

using namespace pyk::sema_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::vector<std::string> of(std::string_view source) { return analyze_text(source).findings; }

TEST(Imports, EveryForm) {
    for (const char* module : {
             "import numba\n@numba.cuda.jit('void(float32[::1])')\ndef k(a):\n    a[numba.cuda.grid(1)] = "
             "numba.float32(1)\n",
             "import numba.cuda\n@numba.cuda.jit('void(float32[::1])')\ndef k(a):\n    a[numba.cuda.grid(1)] = 1\n",
             "import numba as nb\n@nb.cuda.jit('void(float32[::1])')\ndef k(a):\n    a[nb.cuda.grid(1)] = "
             "nb.types.float32(1)\n",
             "import numba.cuda as nc\n@nc.jit('void(float32[::1])')\ndef k(a):\n    a[nc.grid(1)] = 1\n",
             "from numba import cuda as c\n@c.jit('void(float32[::1])')\ndef k(a):\n    a[c.grid(1)] = 1\n",
             "from numba.cuda import jit, grid\n@jit('void(float32[::1])')\ndef k(a):\n    a[grid(1)] = 1\n",
             "from numba.cuda import jit as j, grid as g\n@j('void(float32[::1])')\ndef k(a):\n    a[g(1)] = 1\n",
             "from numba import *\nfrom math import *\n@cuda.jit('void(float32[::1])')\ndef k(a):\n    a[cuda.grid(1)] "
             "= sqrt(2.0)\n",
             "from numba import *\n@vectorize\ndef f(x):\n    return x + 1\n@njit\ndef g(x):\n    return f(x)\n"
             "@cuda.jit('void(float32[::1])')\ndef k(a):\n    a[0] = g(a[1])\n",
             "from math import sqrt as root\n@cuda.jit('void(float32[::1])')\ndef k(a):\n    a[0] = root(2.0)\n",
             "import math as m\n@cuda.jit('void(float32[::1])')\ndef k(a):\n    a[0] = m.sqrt(m.pi)\n",
             "import numpy\n@cuda.jit('void(float32[::1])')\ndef k(a):\n    a[0] = numpy.float32(numpy.pi)\n",
             "from numpy import float32 as f4\n@cuda.jit('void(float32[::1])')\ndef k(a):\n    a[0] = f4(1)\n",
             "from numba.cuda import threadIdx, atomic\n@cuda.jit('void(float32[::1])')\ndef k(a):\n    atomic.add(a, "
             "threadIdx.x, 1)\n",
             "from numba.cuda import *\n@jit('void(float32[::1])')\ndef k(a):\n    s = shared.array(8, 'float32')\n"
             "    s[threadIdx.x] = a[grid(1)]\n    syncthreads()\n    atomic.add(a, 0, s[0])\n",
             "from numba.core import types\n@cuda.jit('void(float32[::1])')\ndef k(a):\n    a[0] = types.float32(1)\n",
             "try:\n    from numba import cuda as gpu\nexcept ImportError:\n    gpu = "
             "None\n@gpu.jit('void(float32[::1])')\ndef k(a):\n    a[0] = 1\n",
             "sqrt = math.sqrt\nF = np.float32\n@cuda.jit('void(float32[::1])')\ndef k(a):\n    a[0] = F(sqrt(2.0))\n",
         })
        EXPECT_THAT(of(module), IsEmpty()) << module;
}

TEST(Imports, RandomByAnyPath) {
    for (const char* import : {"from numba.cuda.random import xoroshiro128p_uniform_float32 as u",
                               "import numba.cuda.random as r; u = r.xoroshiro128p_uniform_float32",
                               "u = cuda.random.xoroshiro128p_uniform_float32"}) {
        const Analysis result = analyze_text(std::string(import) + "\n@cuda.jit\ndef k(s, a):\n    a[0] = u(s, 0)\n",
                                             {"k(xoroshiro128p[::1], float32[::1])"});
        EXPECT_THAT(result.findings, IsEmpty()) << import;
    }
}

// What files have around their kernels, that Numba never sees: any of it may stand there.
TEST(HostCode, IsOftenStrange) {
    const std::string kernel = "@cuda.jit('void(float32[::1])')\ndef k(a):\n    a[0] = 1\n";
    for (const char* host : {
             "def f():\n    pass\ndef f(x):\n    pass\n",
             "def g():\n    if x:\n        def f():\n            pass\n    else:\n        def f():\n            pass\n",
             "def f(x):\n    x = np.asarray(x)\n    if x.shape[0] == 0:\n        raise ValueError('empty')\n    return "
             "x\n",
             "x = np.array(x)\nif x.size:\n    y = 1\n",
             "dt = np.dtype(dt)\nif dt.itemsize == 4:\n    y = 1\n",
         })
        EXPECT_THAT(of(host + kernel), IsEmpty()) << host;
}

TEST(HostCode, OfTheMainBlockRuns) {
    EXPECT_THAT(of("if __name__ == '__main__':\n    N = 4\n    @cuda.jit('void(int64[::1])')\n    def k(a):\n"
                   "        s = cuda.shared.array(N, int64)\n        s[0] = N\n        a[0] = s[0]\n"),
                IsEmpty());
}

// As without `python -O`: the other branch is no code.
TEST(HostCode, IsNotOptimised) {
    EXPECT_THAT(of("if __debug__:\n    N = 4\n@cuda.jit('void(int64[::1])')\ndef k(a):\n"
                   "    if __debug__:\n        a[0] = N\n    else:\n        a[0] = missing\n"),
                IsEmpty());
}

TEST(Imports, CupysScalarsAreNumpys) {
    EXPECT_THAT(of("import cupy as cp\nS = cp.float32(-2)\n@cuda.jit('void(float32[::1])')\ndef k(a):\n    a[0] = S * "
                   "cp.float32(a[1]) + cp.pi\n"),
                IsEmpty());
    EXPECT_THAT(of("import cupy as cp\n@cuda.jit('void(float32[::1])')\ndef k(a):\n    a[0] = cp.sin(a[1])\n").size(),
                1u);
}

TEST(Signatures, AreAnyText) {
    for (const char* signature : {"SIG", "f'void({REAL}[::1])'", "'void(%s[::1])' % REAL", "'void(' + REAL + '[::1])'",
                                  "'void({}{}[::1])'.format('float', 32)", "'void({real}[::1])'.format(real=REAL)"})
        EXPECT_THAT(of(std::string("REAL = 'float32'\nSIG = 'void(float32[::1])'\n@cuda.jit(") + signature +
                       ")\ndef k(a):\n    a[0] = 1\n"),
                    IsEmpty())
            << signature;
}

TEST(HostCode, TextsWithFormatSpecifications) {
    const std::string kernel = "@cuda.jit('void(int64[::1])')\ndef k(a):\n    a[0] = LENGTH\n";
    for (const std::string text : {"'{0}'.format(4)", "'{0:02d}'.format(4)", "f'{4:02d}'", "f'{1.5:.3e}'", "f'{1.5}'",
                                   "f'{4=}'", "f'{4!r}'", "f'{4:,}'", "f'{ 4 }'", "f'{4:{5}}'"})
        EXPECT_THAT(of("LENGTH = len(" + text + ")\n" + kernel), IsEmpty()) << text;
    for (const std::string text : {"'{0:{1}}'.format(4, 5)", "f'{4:{UNKNOWN}}'", "f'{4!a}'", "f'{4:08,}'"})
        EXPECT_THAT(of("LENGTH = len(" + text + ")\n" + kernel),
                    ElementsAre(HasSubstr("`LENGTH` is not a compile-time constant"), HasSubstr("gets its value here"),
                                HasSubstr("`" + text + "` is not computed")))
            << text;
}

// The environment of whoever compiles is not read: a default counts.
TEST(HostCode, EnvironmentHasDefaults) {
    ASSERT_EQ(setenv("PYK_TEST_TILE", "64", 1), 0);
    EXPECT_EQ(body("a: int64[::1]", "a[0] = N", "import os\nN = int(os.environ.get('PYK_TEST_TILE', 16))"),
              "store a[wrap 0] = $N\n");
    EXPECT_THAT(module_ir("import os\nN = int(os.getenv('PYK_TEST_TILE', default='16')) * 2\n"
                          "@cuda.jit(\"void(int64[::1])\")\ndef k(a): a[0] = N"),
                HasSubstr("N: int64 = 32"));
    EXPECT_THAT(findings("a: int64[::1]", "a[0] = N", "import os\nN = int(os.getenv('PYK_TEST_TILE'))"),
                ElementsAre(HasSubstr("`N` is not a compile-time constant"), testing::_,
                            HasSubstr("`int(os.getenv('PYK_TEST_TILE'))` is not computed")));
}

// Names that NumPy had before version 2.
TEST(HostCode, OldNamesOfNumpysConstants) {
    EXPECT_EQ(findings("a: float64[::1]",
                       "a[0] = np.Inf + np.Infinity + np.infty + np.PINF + np.NINF + np.NaN + np.NAN + np.PZERO"),
              std::vector<std::string>());
    EXPECT_THAT(findings("a: float64[::1]", "a[0] = np.PI"), ElementsAre(HasSubstr("did you mean `numpy.pi`?")));
    EXPECT_THAT(findings("a: float64[::1]", "a[0] = math.Infinity"), ElementsAre(HasSubstr("math.Infinity")));
}

// A name that the function assigns anywhere is local everywhere in it.
TEST(Shadowing, LocalsAndParameters) {
    EXPECT_EQ(body("a: int64[::1], max: int32", "a[0] = max"), "store a[wrap 0] = int64(max)\n");
    EXPECT_EQ(body("a: int64[::1]", "abs = 3\na[0] = abs"), "abs = 3\nstore a[wrap 0] = abs\n");
    EXPECT_EQ(body("a: int64[::1]", "N = 3\na[0] = N", "N = 4"), "N = 3\nstore a[wrap 0] = N\n");
    EXPECT_EQ(body("a: int64[::1], cuda: int32", "a[0] = cuda"), "store a[wrap 0] = int64(cuda)\n");
    EXPECT_THAT(findings("a: int64[::1]", "a[0] = N\nN = 3", "N = 4"),
                ElementsAre("1:8: error: `N` is read before anything is assigned to it [unassigned-name]",
                            HasSubstr("the module's `N` is another variable")));
    EXPECT_THAT(findings("a: int64[::1]", "N: int\na[0] = N", "N = 4"),
                ElementsAre("2:8: error: `N` is read before anything is assigned to it [unassigned-name]",
                            HasSubstr("the module's `N` is another variable")));
    EXPECT_THAT(
        findings("a: int64[::1], range: int32", "for i in range(3):\n    a[i] = 1"),
        ElementsAre("1:10: error: int32 cannot be called [not-callable]", "  0:6: here `range` became a variable"));
    EXPECT_EQ(body("a: int64[::1]", "for len in range(3):\n    a[len] = len"), text(R"py(
        for i in range(0, 3, 1) {
          len = i
          store a[wrap len] = len
        }
    )py"));
}

TEST(Shadowing, OfBuiltinsByTheModule) {
    EXPECT_EQ(body("a: int64[::1]", "a[0] = max", "max = 4"), "store a[wrap 0] = $max\n");
    EXPECT_EQ(body("a: int64[::1]", "a[0] = abs(-1)", "@cuda.jit(device=True)\ndef abs(x): return x * 2"),
              "store a[wrap 0] = call abs(-1)\n");
    EXPECT_EQ(body("a: float64[::1]", "a[0] = sqrt(4)",
                   "from math import sqrt\n@cuda.jit(device=True)\ndef sqrt(x): return x"),
              "store a[wrap 0] = float64(call sqrt(4))\n");
}

// A dtype is looked up like any name.
TEST(Shadowing, OfTypesInArrays) {
    EXPECT_EQ(type_of("n: int32", "cuda.local.array(4, dt)", "dt = float32"), "float32[::1] shape(4)");
    EXPECT_EQ(locals_and_body("n: int32", "dt = int8\ns = cuda.local.array(4, dt)", "dt = float32"),
              "local s: int8[::1] shape(4)\n\n");
}

// Defaults mean what they mean where the function is defined.
TEST(Shadowing, DefaultsBelongToTheModule) {
    EXPECT_EQ(body("a: int64[::1]", "N = 7\na[0] = f(N)", "N = 4\n@cuda.jit(device=True)\ndef f(x, y=N): return x + y"),
              text(R"py(
        N = 7
        store a[wrap 0] = call f(N, $N)
    )py"));
}

TEST(HostCode, IsPassedOver) {
    EXPECT_THAT(of(R"py(
        import sys, cupy, torch.nn as nn
        class Model(nn.Module):
            def forward(self, x): return [y async for y in x]
        data = {k: v for k, v in zip("ab", "cd")}
        @cuda.jit("void(float32[::1])")
        def k(a):
            a[0] = 1
        def host():
            global data
            with open("f") as f, open("g"):
                raise ValueError(f"{f}") from None
            k[1, 32](cuda.to_device(np.zeros(3)))
        @other.decorator(lambda: 0)
        def decorated(): yield 1
        match data:
            case {}: pass
        if __name__ == "__main__":
            host()
    )py"),
                IsEmpty());
}

TEST(HostCode, UncompilableFunctionsThatNobodyCalls) {
    EXPECT_THAT(of(R"py(
        @cuda.jit(device=True)
        def broken(x):
            return [y for y in nowhere]
        @cuda.jit
        def untyped(a):
            a[0] = undefined
        @cuda.jit("void(float32[::1])")
        def k(a):
            a[0] = 1
    )py"),
                IsEmpty());
}

// What each function changes is found once, however often it is called.
TEST(HostCode, ManyCallsOfManyFunctions) {
    std::string module = "T = np.zeros(2)\ndef f30(t):\n    t[0] = 1\n";
    for (int i = 29; i >= 0; --i) {
        module += "def f" + std::to_string(i) + "(t):\n";
        for (int call = 0; call < 12; ++call) module += "    f" + std::to_string(i + 1) + "(t)\n";
    }
    EXPECT_THAT(findings("a: float64[::1]", "a[0] = 1", module + "f0(T)"), IsEmpty());
}

TEST(HostCode, WhatAViewChangesIsNotKnown) {
    for (const char* view : {"T[1:]", "T.reshape(2, 2)", "np.ravel(T)"})
        EXPECT_THAT(
            findings("a: float64[::1]", "a[0] = T[1]", "T = np.zeros(4)\nV = " + std::string(view) + "\nV[0] = 5"),
            Contains(HasSubstr("[not-a-constant]")))
            << view;
    EXPECT_THAT(findings("a: float64[::1]", "a[0] = T[1]", "T = np.zeros(4)\nV = T[1]\nW = T.copy()\nW[0] = V"),
                IsEmpty());
}

TEST(HostCode, CallsThatArePruned) {
    EXPECT_THAT(of(R"py(
        DEBUG = False
        @cuda.jit(device=True)
        def broken(x):
            return [y for y in x]
        @cuda.jit("void(float32[::1])")
        def k(a):
            if DEBUG:
                broken(a)
            a[0] = 1
    )py"),
                IsEmpty());
}

TEST(Names, Unknown) {
    EXPECT_THAT(findings("values: float32[::1]", "values[0] = valeus[0]"),
                ElementsAre("1:13: error: `valeus` is not defined; did you mean `values`? [unknown-name]"));
    EXPECT_THAT(findings("a: float32[::1]", "a[0] = mth.sqrt(2.0)"),
                ElementsAre("1:8: error: `mth` is not defined; did you mean `math`? [unknown-name]"));
    EXPECT_THAT(findings("a: float32[::1]", "a[0] = math.sqrtt(2.0)"),
                ElementsAre("1:13: error: `math.sqrtt` is not defined; did you mean `math.sqrt`? [unknown-name]"));
    EXPECT_THAT(findings("a: float32[::1]", "a[0] = cuda.threadIdx.w"),
                ElementsAre(HasSubstr("1:23: error: `cuda.threadIdx.w` is not available in kernels")));
    EXPECT_THAT(findings("a: float32[::1]", "a[0] = a.length"),
                ElementsAre("1:10: error: `array(float32, 1d, C)` has no attribute `length`; did you mean `size`? "
                            "[unknown-attribute]"));
    EXPECT_THAT(findings("a: float32[::1]", "for i in qqqqqqqq(3):\n    a[i] = zzzzzzzz"),
                ElementsAre("1:10: error: `qqqqqqqq` is not defined [unknown-name]",
                            "2:12: error: `zzzzzzzz` is not defined [unknown-name]"));
}

TEST(Names, PlainFunctionsAreNotCalled) {
    EXPECT_THAT(
        findings("a: float32[::1]", "a[0] = f(1)", "def f(x): return x"),
        ElementsAre(
            "1:8: error: `f` is a plain Python function; decorate it with `@cuda.jit(device=True)` [plain-function]"));
}

TEST(Names, IntrinsicsWriteIR) {
    EXPECT_THAT(findings("a: float32[::1]", "a[0] = f()",
                         "from numba.cuda.extending import intrinsic\n@intrinsic\ndef f(context): return None"),
                ElementsAre("1:8: error: functions that write LLVM IR (`@intrinsic`) are not available in kernels; "
                            "`cuda.inline_ptx` writes instructions [unsupported-syntax]"));
}

TEST(Names, BeyondAscii) {
    const std::string ir = module_ir("@cuda.jit\ndef größe(α):\n    α[0] = 1\n", {"größe(float32[::1])"});
    EXPECT_THAT(ir, HasSubstr("kernel größe = pyk_gr_u00F6__u00DF_e_a1f4c(α: float32[::1])"));
}

TEST(Kernels, Found) {
    const Analysis result = analyze_text(R"py(
        import numba
        @cuda.jit("void(float32[::1])", fastmath=True)
        def a(x): x[0] = 1
        @cuda.jit(["void(float32[::1])", "void(float64[::1])"])
        def b(x): x[0] = 1
        @cuda.jit((float32[:],))
        def c(x): x[0] = 1
        @cuda.jit(numba.void(float32[:, ::1]))
        def d(x): x[0, 0] = 1
        @cuda.jit
        def e(x: float32[::1], n: int): x[0] = n
        @cuda.jit("float32(float32)")
        def device(x): return x
        @cuda.jit("void(float32)", device=True)
        def nothing(x): pass
    )py");
    EXPECT_THAT(result.findings, IsEmpty());
    for (const char* symbol :
         {"pyk_a_a1f4c(", "pyk_b_a1f4c(", "pyk_b_a1f8c(", "pyk_c_a1f4a(", "pyk_d_a2f4c(", "pyk_e_a1f4c_i8("})
        EXPECT_THAT(result.ir, HasSubstr(symbol));
    EXPECT_THAT(result.ir, testing::Not(HasSubstr("device")));
}

// Signatures are values that the module computes. Each is what Numba makes of it.
TEST(Kernels, SignaturesAreValues) {
    constexpr std::string_view kModule = R"py(
        import numba as nb
        from numba import types, void
        from numba.core.typing import signature
        ARRAY = float32[:]
        PAIR = (ARRAY,) * 2
        NAMED = {"f": float32, "a": float32[:]}
        class Types:
            scalar = float32
        def of(t):
            return void(t[:], t[:])
        def array(t, ndim=1):
            return types.Array(dtype=t, ndim=ndim, layout="C")
        TWO = [of(t) for t in (float32, float64)]
        @cuda.jit()py";
    const std::string kernel = ")\ndef k(x, y): x[0] = len(y)\n";
    const auto symbols = [&](std::string_view signature) {
        const Analysis result = analyze_text(text(kModule).append(signature) + kernel);
        EXPECT_THAT(result.findings, IsEmpty()) << signature;
        std::string found;
        for (size_t at = 0; (at = result.ir.find("pyk_k_", at)) != std::string::npos; at += 6)
            found += result.ir.substr(at + 6, result.ir.find('(', at) - at - 6) + " ";
        return found;
    };
    for (const char* one :
         {"void(ARRAY, ARRAY)", "(ARRAY, ARRAY)", "PAIR", "void(*PAIR)", "(float32[:],) * 2",
          "(ARRAY,) + (float32[:],)", "void(NAMED['f'][:], NAMED['a'])", "of(float32)", "[of(Types.scalar)]",
          "signature(void, ARRAY, ARRAY)", "nb.core.typing.signature(nb.void, *PAIR)",
          "nb.void(nb.types.Array(float32, 1, 'A'), types.Array(float32, layout='A', ndim=1, aligned=True))",
          "'void(ARRAY, ARRAY)'", "of(float32) if True else None",
          "void(array(float32).copy(layout='A'), ARRAY.copy())",
          "void(types.Array(ARRAY.dtype, ARRAY.ndim, ARRAY.layout), array(float64, 2).copy(float32, 1, 'A'))"})
        EXPECT_EQ(symbols(one), "a1f4a_a1f4a ") << one;
    EXPECT_EQ(symbols("TWO"), "a1f4a_a1f4a a1f8a_a1f8a ");
    EXPECT_EQ(symbols("[PAIR, of(float64)]"), "a1f4a_a1f4a a1f8a_a1f8a ");
    EXPECT_EQ(symbols("void(array(float32), array(types.np_uint8, 1))"), "a1f4c_a1u1c ");
    EXPECT_EQ(symbols("(nb.typeof(np.zeros(3)), nb.typeof((1, 2.0)))"), "a1f8c_t2i8f8 ");
}

TEST(Signatures, HaveWhatAStarBroughtOfTypes) {
    EXPECT_THAT(
        module_ir(
            "from numba.types import *\n@cuda.jit(void(Array(int32, 1, 'A', readonly=False), UniTuple(int8, 2)))\n"
            "def star(a, b): a[0] = b[1]"),
        HasSubstr("(a: int32[:], b: (int8, int8))"));
}

// A kernel that a call makes has the name of what holds it.
TEST(Kernels, MadeByFactories) {
    const Analysis result = analyze_text(R"py(
        def make(n):
            @cuda.jit("void(int64[::1])")
            def k(x): x[0] = n
            return k
        def both(n):
            @cuda.jit("void(int64[::1])")
            def up(x): x[0] = n
            @cuda.jit("void(int64[::1])")
            def down(x): x[0] = -n
            return up, down, np.random.rand()
        first, second, r = both(3)
        grid, third = 16, make(4)
        BY_SIZE = {n: make(n) for n in (8, 16)}
        KERNELS = [make(i) for i in range(2)]
        eight = BY_SIZE[8]
        again = third
        class Sim:
            def __init__(self, n):
                @cuda.jit("void(int64[::1])")
                def step(x): x[0] = n
                self.step = step
            def make(self, n):
                @cuda.jit("void(int64[::1])")
                def k(o): o[0] = n * 2
                return k
        sim = Sim(5)
        twice = sim.make(6)
        ALL = []
        for n in (1, 2):
            ALL.append(make(n))
        def deco(fast):
            def wrap(fn):
                return cuda.jit("void(int64[::1])", fastmath=fast)(fn)
            return wrap
        @deco(True)
        def decorated(x): x[0] = 1
        def on_gpu(device=True):
            def wrap(method):
                return cuda.jit(func_or_sig=method, device=device)
            return wrap
        @on_gpu()
        def given(x): return x
        @cuda.jit("void(int64[::1])")
        def calls(x): x[0] = given(x[1])
        @cuda.jit("void(int64[::1])")
        def old(x): x[0] = 1
        new = cuda.jit("void(int64[::1])")(old)
    )py");
    EXPECT_THAT(result.findings, IsEmpty());
    for (const char* name : {"first", "second", "third", "BY_SIZE_16", "KERNELS_0", "KERNELS_1", "eight", "again",
                             "step", "twice", "ALL_0", "ALL_1", "decorated", "old", "new", "calls"})
        EXPECT_THAT(result.ir, HasSubstr(fmt::format("pyk_{}_a1i8c(", name)));
    for (const char* name : {"pyk_k_", "pyk_up_", "pyk_down_", "pyk_BY_SIZE_8_"})
        EXPECT_THAT(result.ir, testing::Not(HasSubstr(name)));
}

namespace {

// What a file's kernels are open for, each as `k: n, m`.
std::vector<std::string> open_kernels(std::string_view source, const pyk::Defines& defines = {}) {
    const auto file = std::make_shared<pyk::SourceFile>("open.pyk", std::string(kImports) + text(source));
    pyk::Diagnostics diagnostics;
    const auto module = pyk::parse(file, diagnostics);
    std::vector<std::string> found;
    const pyk::ModuleScope scope(*module, defines);
    for (const pyk::KernelInfo& kernel : pyk::find_callables(scope, diagnostics).kernels)
        found.push_back(fmt::format("{}: {}", kernel.name, fmt::join(kernel.open_names, ", ")));
    return found;
}

}  // namespace

// What is computed of other names need not be given, nor what functions have defaults for.
TEST(Kernels, OfFunctionsThatNobodyCalled) {
    constexpr std::string_view kSource = R"py(
        def conv(x, w, P=2, S=2, tpb=16):
            B, C, H, W = x.shape
            K = w.shape[2]
            tile = (tpb - 1) * S + K
            rows = min(tile, H) + P
            @cuda.jit
            def k(o): o[0] = tile + rows + B
    )py";
    EXPECT_THAT(open_kernels(kSource), ElementsAre("k: K, H, B"));
    EXPECT_THAT(open_kernels(kSource, {{"K", int64_t(3)}, {"H", int64_t(8)}, {"B", int64_t(1)}}), ElementsAre("k: "));
    EXPECT_THAT(open_kernels(R"py(
        def make(n=8, m=8):
            @cuda.jit
            def k(o): o[0] = n + m
        def main(size): make(size)
    )py"),
                ElementsAre("k: n"));
    // Through other functions of the same one.
    EXPECT_THAT(open_kernels(R"py(
        def make(mapper):
            @cuda.jit(device=True)
            def one(x): return mapper(x)
            @cuda.jit
            def k(x): x[0] = one(x[0])
            return k
        def device_jit(f): return cuda.jit(device=True)(f)
        class Ops:
            @staticmethod
            def map(fn):
                f = make(device_jit(fn))
                return lambda a: f[1, 1](a)
    )py"),
                ElementsAre(HasSubstr(": mapper")));
    // A call that says it makes the kernel; the function's own is none then.
    EXPECT_THAT(open_kernels(R"py(
        def make(n):
            @cuda.jit
            def made(o): o[0] = n
            return made
        class Model:
            def __init__(self, n): self.n = n
            def forward(self, x):
                k = make(self.n)
                k[1, 1](x)
        model = Model(64)
        model.forward([1.0])
    )py"),
                ElementsAre("made: "));
    // What the module gives a name stays, whatever else the function made.
    EXPECT_THAT(open_kernels(R"py(
        import sys
        def make(n):
            @cuda.jit
            def made(o): o[0] = n
            return made
        three = make(3)
        given = make(int(sys.argv[1]))
    )py"),
                ElementsAre("three: ", "given: n"));
}

// An attribute that only has the name of a function of the file's is none of its object's methods.
TEST(Kernels, OfAttributesNamedLikeFunctions) {
    constexpr std::string_view kClass = R"py(
        class Filter:
            def __init__(self, f):
                self.f = f
                self.k = self.make()
            def make(self):
                g = cuda.jit(device=True)(self.f)
                @cuda.jit("void(float32[:], float32[:])")
                def k(x, out): out[0] = g(x[0])
                return k
        def f(x): return x * x
        def h(x): return x + x
    )py";
    for (const char* made : {"K = Filter(f)\n", "K = Filter(h)\n"})
        EXPECT_THAT(open_kernels(text(kClass) + made), ElementsAre("k: ")) << made;
    EXPECT_THAT(open_kernels(R"py(
        def f(x): return x * 2
        class Plain: pass
        o = Plain()
        o.f = f
        g = cuda.jit(o.f, device=True)
        @cuda.jit
        def k(x, out): out[0] = g(x[0])
    )py"),
                ElementsAre("k: "));
}

// `main()` calls a method of an object of the file's.
TEST(Kernels, OfObjectsThatFunctionsUse) {
    EXPECT_THAT(open_kernels(R"py(
        class Op:
            def __init__(self, n): self.n = n
            def kernel(self):
                n = self.n
                @cuda.jit("void(float32[:])")
                def k(a): a[0] = n
                return k
        O = Op(3)
        def main(): O.kernel()[1, 1](1)
        main()
    )py"),
                ElementsAre("k: "));
}

// Whatever captures the same function is the same kernel, however often that was made a device function.
TEST(Kernels, ThatCaptureFunctionsAreThereOnce) {
    EXPECT_THAT(open_kernels(R"py(
        class Op:
            def __init__(self, fn): self.fn = fn
            def kernel(self):
                g = cuda.jit(device=True)(self.fn)
                @cuda.jit("void(float32[:], float32[:])")
                def k(a, b): b[0] = g(a[0])
                return k
        def neg(x): return -x
        O = Op(neg)
        K = O.kernel()
    )py"),
                ElementsAre("K: "));
}

// Numba compiles what `@cuda.jit` decorates as a device function where another function calls it.
TEST(Kernels, CalledForTheirValues) {
    EXPECT_THAT(open_kernels(R"py(
        @cuda.jit
        def index(): return cuda.grid(1)
        @cuda.jit
        def k(x): x[index()] = 1
        @cuda.jit
        def wrong(x): return x[0]
    )py"),
                ElementsAre("k: ", "wrong: "));
}

// Wrappers that look at their options, and modules by other names.
TEST(Kernels, DecoratedByWrappers) {
    const Analysis result = analyze_text(R"py(
        import importlib, numba
        from typing import Any, cast
        gpu = numba.cuda
        late = cast(Any, importlib.import_module("numba.cuda"))
        def device_jit(*args, **kwargs):
            kwargs.setdefault("device", True)
            return cuda.jit(*args, **kwargs)
        def kernel_jit(*args, **kwargs):
            def decorator(func): return gpu.jit(*args, **kwargs)(func)
            return decorator
        def options(fastmath=False): return cuda.jit(device=True, fastmath=fastmath)
        def checked(*args, **kwargs):
            if cuda and late is not None: return late.jit(*args, **kwargs)
            return lambda f: f
        @device_jit
        def f(x): return x * 2
        @device_jit(inline=False)
        def g(x): return f(x) + 1
        def plain(x): return x
        h = cuda.jit(device=True)(getattr(plain, "py_func", plain)) if cuda else None
        def build(jit):
            @jit(fastmath=True)
            def inner(x): return x - 1
            @kernel_jit("void(float64[::1])")
            def k(x): x[0] = f(x[0]) + g(x[0]) + h(x[0]) + inner(x[0])
            return k
        k = build(options)
        @checked("void(int64[::1])")
        def k2(x): x[late.grid(1)] = 1
    )py");
    EXPECT_THAT(result.findings, IsEmpty());
    EXPECT_THAT(result.ir, testing::AllOf(HasSubstr("pyk_k_a1f8c("), HasSubstr("pyk_k2_a1i8c(")));
}

TEST(Kernels, SignaturesOfAnnotations) {
    const Analysis result = analyze_text(R"py(
        from typing import List
        M = {int: "int32", float: "float64", List[float]: "float32[:]", List[List[float]]: "float32[:, :]"}
        def typed(f):
            return cuda.jit("void(" + ", ".join(M[a] for a in f.__annotations__.values()) + ")")(f)
        def exact(f): return cuda.jit(void(*f.__annotations__.values()))(f)
        from numba import void
        @typed
        def k(x: List[float], y: List[List[float]], n: int): x[0] = y[0, 0] + n
        @exact
        def k2(x: float32[:], n: int32): x[0] = n
    )py");
    EXPECT_THAT(result.findings, IsEmpty());
    EXPECT_THAT(result.ir, testing::AllOf(HasSubstr("pyk_k_a1f4a_a2f4a_i4("), HasSubstr("pyk_k2_a1f4a_i4(")));
}

// Arrays of the device are tables as long as nothing may write to them.
TEST(HostCode, ArraysOfTheDevice) {
    const auto found = [](std::string_view host) {
        const std::string module = fmt::format(R"py(
            t = cuda.to_device(np.arange(4.0))
            @cuda.jit
            def reads(x, y): y[0] = x[0] + x[1]
            @cuda.jit
            def writes(x, y): x[0] = y[0]
            @cuda.jit
            def gives(x): writes_row(x, 1)
            @cuda.jit(device=True)
            def writes_row(row, v): row[0] = v
            {}
        )py",
                                               host);
        return findings("a: float64[::1]", "a[0] = t[1]", text(module));
    };
    for (const char* host :
         {"", "reads[1, 1](t, np.zeros(1))", "writes[1, 1](np.zeros(1), t)", "print(len(t), t.shape, t.copy_to_host())",
          "first = t[0]", "for v in t: print(v)", "class A:\n                def f(self, t): t[0] = 1"})
        EXPECT_THAT(found(host), IsEmpty()) << host;
    for (const char* host : {"writes[1, 1](t, np.zeros(1))", "gives[1, 1](t)", "t[0] = 5", "t[1] += 1",
                             "t.copy_to_device(np.ones(4))", "u = t", "u = t[1:]", "u = [t]", "unknown(t)",
                             "def late(): t[:] = 0", "cuda.to_device(np.ones(4), to=t)", "u = t.reshape(2, 2)"})
        EXPECT_THAT(found(host),
                    ElementsAre(HasSubstr("[not-a-constant]"),
                                testing::AnyOf(HasSubstr("may write to it"), HasSubstr("is changed here"))))
            << host;
}

// No argument is given.
TEST(HostCode, CommandLinesAreEmpty) {
    const std::string ir = module_ir(R"py(
        import argparse, sys
        def parse():
            parser = argparse.ArgumentParser()
            parser.add_argument("-t", "--threads-each", type=int, default="64")
            parser.add_argument("--double", action="store_true")
            group = parser.add_argument_group("more")
            group.add_argument("--size", type=int, default=32)
            return parser.parse_args()
        args = parse()
        REAL = "float64" if args.double else "float32"
        N = int(sys.argv[1]) if len(sys.argv) > 1 else 8
        THREADS, SIZE = args.threads_each, args.size
        @cuda.jit(f"void({REAL}[::1])")
        def k(x): x[0] = N + THREADS + SIZE
    )py");
    EXPECT_THAT(ir, testing::AllOf(HasSubstr("N: int64 = 8"), HasSubstr("THREADS: int64 = 64"),
                                   HasSubstr("SIZE: int64 = 32"), HasSubstr("pyk_k_a1f4c(")));
}

// Those that nothing of the file's names: one for each different set of captured values.
TEST(Kernels, MadeByWhatTheFileRuns) {
    const std::string make = R"py(
def make(n):
    @cuda.jit("void(int64[::1])")
    def k(x): x[0] = n
    return k
)py";
    const std::string bench = R"py(
def bench(n):
    @cuda.jit("void(int64[::1])")
    def k(x): x[0] = n * 10
    k[1, n](np.zeros(n))
)py";
    const auto kernels = [](const std::string& rest) {
        const Analysis result = analyze_text(rest);
        EXPECT_THAT(result.findings, IsEmpty()) << rest;
        std::string found;
        for (size_t at = 0; (at = result.ir.find(": int64 = ", at)) != std::string::npos; ++at)
            found += result.ir.substr(at + 10, result.ir.find('\n', at) - at - 10) + " ";
        return found;
    };
    EXPECT_EQ(kernels(make + "make(8)[1, 8](np.zeros(8))"), "8 ");
    EXPECT_EQ(
        kernels("def build(n):\n    @cuda.jit('void(int64[::1])')\n    def k(x): x[0] = f() + n\n"
                "    @cuda.jit(device=True)\n    def f(): return 2 * n\n    def run(q): k[1, 1](q)\n    return run\n"
                "r = build(6)"),
        "6 ");
    EXPECT_EQ(kernels(bench + "for i in range(20):\n    bench(8)\nbench(4)"), "8 4 ");
    EXPECT_EQ(kernels(bench + "def main(n=3):\n    for i in (1, 2):\n        bench(n + i)\nmain()"), "4 5 ");
    EXPECT_EQ(kernels(make + "class S:\n    def __init__(self, n): self.k = make(n)\nsolvers = [S(5), S(6)]"), "5 6 ");
    EXPECT_EQ(kernels(make + "get = lambda n: make(n)\nget(2)[1, 1](np.zeros(1))"), "2 ");
    // Of a class of which only other files make objects.
    EXPECT_EQ(kernels(make + "class S:\n    def __init__(self, m, n=9, *, of):\n        self.k = make(n)\n"
                             "        self.other = make(m + of)"),
              "9 ");
    EXPECT_EQ(kernels(make + "class S:\n    def __init__(self, n=9):\n        self.n = n\n        self.build()\n"
                             "    def build(self): self.k = self._k(self.n)\n    def _k(self, n): return make(n + 1)"),
              "10 ");
    EXPECT_EQ(kernels("FIVE = 5\nclass S:\n    def __init__(self, n):\n        self.n = n\n"
                      "        self.k = cuda.jit('void(int64[::1])')(self._k)\n"
                      "    @staticmethod\n    def _k(x): x[0] = FIVE"),
              "5 ");
    EXPECT_EQ(
        kernels(
            bench +
            "import unittest\nclass T(unittest.TestCase):\n    N = 7\n    def test_n(self):\n        bench(self.N)"),
        "7 ");
    EXPECT_EQ(kernels("from dataclasses import dataclass\nNINE = 9\ndef problem(cuda):\n    def k(x): x[0] = NINE\n    "
                      "return k\n@dataclass\n"
                      "class P:\n    fn: object\n    def run(self):\n        fn = self.fn(cuda)\n"
                      "        cuda.jit('void(int64[::1])')(fn)[1, 1](np.zeros(1))\nP(problem).run()"),
              "9 ");
    // With signatures it is compiled where it is defined: njit gives 1 and 2 as well.
    EXPECT_EQ(
        kernels("def main():\n    for n in (1, 2):\n        @cuda.jit('void(int64[::1])')\n"
                "        def k(x): x[0] = n\n        n += 10\n        k[1, 1](np.zeros(1))\n        n = 0\nmain()"),
        "1 2 ");
}

TEST(Kernels, HaveTheSignaturesOfTheCallsThatMakeThem) {
    const std::string get = R"py(
from numba import void
def body(x): x[0] = 1
def get(ty):
    k = cuda.jit(void(ty[:]), fastmath=True)(body)
    return k
)py";
    const auto kernels = [](const std::string& source) {
        const Analysis result = analyze_text(source);
        EXPECT_THAT(result.findings, IsEmpty()) << source;
        std::string found;
        for (size_t at = 0; (at = result.ir.find("pyk_", at)) != std::string::npos; at += 4)
            found += result.ir.substr(at + 4, result.ir.find('(', at) - at - 4) + " ";
        return found;
    };
    EXPECT_EQ(kernels(get + "k1 = get(float64)\n"), "k1_a1f8a ");
    EXPECT_EQ(kernels(get + "get(float64)[1, 1](a)\nget(float32)[1, 1](a)\nget(float32)[1, 1](b)"),
              "body_a1f8a body_2_a1f4a ");
    EXPECT_EQ(kernels(get + "class B:\n    def __init__(self, ty): self.k = get(ty)\nb = B(int32)"), "body_a1i4a ");
    // Each round has the names of its own.
    EXPECT_EQ(kernels(get + "kept = {}\ndef fill(types):\n    for t in types:\n"
                            "        kept[str(t)] = cuda.jit(void(t[:]))(body)\nfill([float32, float64])"),
              "kept_float32_a1f4a kept_float64_a1f8a ");
    EXPECT_EQ(kernels(get + "k = {str(t): cuda.jit(void(t[:]))(body) for t in (float32, float64)}"),
              "k_float32_a1f4a k_float64_a1f8a ");
    EXPECT_EQ(kernels(get + "k = {b: cuda.jit(void(float32[:]))(body) for b in (False, True)}"),
              "k_False_a1f4a k_True_a1f4a ");
    EXPECT_EQ(kernels(get + "k = {t: cuda.jit(void(t[:]))(body) for t in (float32, float64)}"),
              "k_float32_a1f4a k_float64_a1f8a ");
    EXPECT_EQ(kernels(get + "a, b = [cuda.jit(s)(body) for s in ('void(f4[:])', 'void(f8[:])')]"), "a_a1f4a b_a1f8a ");
}

// What stands for the function compiles it when it is launched, as packages do that launch in another way.
TEST(Kernels, AreCompiledByObjectsOfDecoratingClasses) {
    const std::string ir = module_ir(R"py(
        class compiled(object):
            def __init__(self, func):
                self.python_func = func
                self.known = {}
            def specialize(self, signature): self.special = cuda.jit(signature)(self.python_func)
            def __getitem__(self, grid):
                def call_kernel(*args):
                    kernel = cuda.jit(fastmath=True)(self.python_func).specialize(*args)
                    kernel[grid](*args)
                return call_kernel
        @compiled
        def push(x, dt): x[0] += dt
        push[1, 8](np.zeros(1), 0.1)
    )py",
                                     {"push(float64[::1], float64)"});
    EXPECT_THAT(ir, HasSubstr("pyk_push_a1f8c_f8("));
}

TEST(Kernels, AreKnownByTheDefThatADecoratorTakes) {
    const std::string ir = module_ir(R"py(
        def grid_stride(f):
            of_device = cuda.jit(device=True)(f)
            @cuda.jit("void(int64[::1])")
            def kernel(a): a[0] = of_device(a[0])
            return kernel
        @grid_stride
        def square(v): return v * v
        @grid_stride
        def half(v): return v // 2
    )py");
    EXPECT_THAT(ir, testing::AllOf(HasSubstr("pyk_square_a1i8c("), HasSubstr("pyk_half_a1i8c(")));
}

TEST(Kernels, DecoratedThroughFunctionsOfTheFile) {
    const std::string ir = module_ir(R"py(
        HAVE = True
        def gpu(*args, **options): return cuda.jit(*args, **options)
        of_types = lambda signature: cuda.jit(signature, fastmath=False, device=False)
        def maybe(*args, **options):
            if HAVE:
                return cuda.jit(*args, **options)
            def unchanged(f): return f
            return unchanged
        @maybe(device=True)
        def next_of(x): return x + 1
        @gpu("void(int64[::1])")
        def first(a): a[0] = next_of(a[0])
        @maybe("void(int64[::1])")
        def second(a): a[0] = WARP
        @of_types(["void(int64[::1])"])
        def third(a): a[0] = 3
        WARP = cuda.get_current_device().WARP_SIZE
    )py");
    EXPECT_THAT(ir, testing::AllOf(HasSubstr("pyk_first_a1i8c("), HasSubstr("pyk_third_a1i8c("),
                                   HasSubstr("pyk_second_a1i8c("), HasSubstr("WARP: int64 = 32")));
}

TEST(Kernels, OfWhatNumbaCompiledBefore) {
    const std::string ir = module_ir(R"py(
        from numba import jit, njit
        @jit
        def f(x): return x + 1
        @njit
        def g(x): return x * 2
        f_of_device = cuda.jit(device=True)(f.py_func)
        g_of_device = cuda.jit(g.py_func, device=True)
        @cuda.jit("void(int64[::1])")
        def k(a): a[0] = f_of_device(a[0]) + g_of_device(a[1])
    )py");
    EXPECT_THAT(ir, testing::AllOf(HasSubstr("(call f_of_device("), HasSubstr("call g_of_device(")));
}

// Names mean what they mean where the text uses them: a default at the `def`, a function that an older one calls.
TEST(HostCode, RunsInItsOrder) {
    EXPECT_EQ(type_of("n: int32", "g(n)", R"py(
        D = np.float32(1)
        @cuda.jit(device=True)
        def g(x, d=D): return d
        D = 40
    )py"),
              "float32");
    EXPECT_EQ(body("a: int64[::1]", "a[0] = N", "N = 4\nM = N\nN *= 2"), "store a[wrap 0] = $N\n");
    EXPECT_THAT(module_ir("N = 4\nN = N + 100\n@cuda.jit(\"void(int64[::1])\")\ndef k(a): a[0] = N"),
                HasSubstr("N: int64 = 104"));
    // A kernel is compiled with the values of the moment: of its decorator, of its first launch, or of the file's end.
    const std::string ir =
        module_ir(R"py(
        N = 10
        @cuda.jit(device=True)
        def scaled(x): return x * N
        @cuda.jit
        def launched(a): a[0] = N
        @cuda.jit
        def by_main(a): a[0] = scaled(a[0]) + LATER
        @cuda.jit("void(int64[::1])")
        def eager(a): a[0] = N
        @cuda.jit
        def unused(a): a[0] = N
        launched[1, 1](np.zeros(1, np.int64))
        N = 11
        LATER = 5
        def main(): by_main[1, 1](np.zeros(1, np.int64))
        main()
        LATER = 6
        N = 12
    )py",
                  {"launched(int64[::1])", "by_main(int64[::1])", "eager(int64[::1])", "unused(int64[::1])"});
    EXPECT_THAT(ir, testing::AllOf(HasSubstr("constant N: int64 = 10"), HasSubstr("constant N: int64 = 11"),
                                   HasSubstr("constant LATER: int64 = 5"), HasSubstr("constant N: int64 = 12")));
    // What the launching call does to a name before the launch counts, and what the file does where it is run itself.
    const std::string by_calls = module_ir(R"py(
        N, M, P, Q = 3, 5, 1, 16
        @cuda.jit
        def k(x): x[0] = N + M
        @cuda.jit
        def late(x): x[0] = P
        @cuda.jit
        def of_main(x): x[0] = Q
        def launch(x): k[1, 1](x)
        def setup(n):
            global P
            P = n
        def main(n):
            global N, M
            N = n
            launch(np.zeros(1))
            M = 9
        if __name__ == "__main__":
            Q = 32
            main(8)
            setup(11)
            late[1, 1](np.zeros(1))
            of_main[1, 1](np.zeros(1))
    )py",
                                           {"k(int64[::1])", "late(int64[::1])", "of_main(int64[::1])"});
    EXPECT_THAT(by_calls, testing::AllOf(HasSubstr("constant N: int64 = 8"), HasSubstr("constant M: int64 = 5"),
                                         HasSubstr("constant P: int64 = 11"), HasSubstr("constant Q: int64 = 32")));
    EXPECT_THAT(analyze_text("N = 1\n@cuda.jit\ndef k(a): a[0] = N\ndef f(x):\n    global N\n    for i in range(2):\n"
                             "        N = i\n        k[1, 1](x)\nf(np.zeros(1))\n",
                             {"k(int64[::1])"})
                    .findings,
                ElementsAre(HasSubstr("`N` is not a compile-time constant"), testing::_));
    // A file that is not there cannot be imported.
    EXPECT_THAT(module_ir("try:\n    from config import N, M as K\nexcept ImportError:\n    N = 7\n    K = N + 1\n"
                          "try:\n    from scipy.constants import c\nexcept ImportError:\n    c = 1\n"
                          "@cuda.jit(\"void(float64[::1])\")\ndef k(a): a[0] = N + K + c"),
                testing::AllOf(HasSubstr("N: int64 = 7"), HasSubstr("K: int64 = 8"), HasSubstr("+ 299792458.0)")));
    // What is not known makes unknown what depends on it.
    EXPECT_THAT(findings("a: int64[::1]", "a[0] = N", "N = 1\nfor s in input():\n    N += 1"),
                ElementsAre(HasSubstr("`N` is not a compile-time constant"), testing::_));
    EXPECT_THAT(module_ir("A = [1]\nB = (A, 2)\nA[0] = 5\nN = B[0][0]\n"
                          "@cuda.jit(\"void(int64[::1])\")\ndef k(a): a[0] = N"),
                HasSubstr("N: int64 = 5"));
}

TEST(Branches, AreNotDecidedByWhatAModuleMayHold) {
    EXPECT_THAT(analyze_text("import sys\nimport torch\nN = 3 if sys.flags.debug else 4\n"
                             "M = 1 if torch.cuda.enabled else 2\n"
                             "@cuda.jit(\"void(int64[::1])\")\ndef k(a): a[0] = N + M\n")
                    .findings,
                testing::IsSupersetOf({HasSubstr("`N` is not a compile-time constant"),
                                       HasSubstr("`M` is not a compile-time constant")}));
}

TEST(Branches, OfFunctionsMakeTheFunctionsThatCallsTook) {
    const auto kernel_of = [](std::string_view calls) {
        return std::string(
                   "def sim(x, flag):\n"
                   "    if flag:\n        @cuda.jit(device=True)\n        def f(): return 1\n"
                   "        @cuda.jit\n        def k(a): a[0] = 3\n"
                   "    else:\n        @cuda.jit(device=True)\n        def f(): return 2\n"
                   "        @cuda.jit\n        def k(a): a[0] = 10\n"
                   "    @cuda.jit\n    def both(a): a[0] = f()\n"
                   "    k[1, 1](x)\n    both[1, 1](x)\n") +
               std::string(calls);
    };
    const auto taken = [&](std::string_view calls, const char* signature) {
        return analyze_text(kernel_of(calls), {signature}).ir;
    };
    EXPECT_THAT(taken("sim([0], True)\n", "k(int64[::1])"), testing::Not(HasSubstr("10")));
    EXPECT_THAT(taken("sim([0], False)\n", "k(int64[::1])"), HasSubstr("10"));
    EXPECT_THAT(taken("sim([0], True)\n", "both(int64[::1])"), HasSubstr("return 1"));
    EXPECT_THAT(taken("sim([0], False)\n", "both(int64[::1])"), HasSubstr("return 2"));
    // Nobody calls it: there are both, and what depends on the branch is open.
    EXPECT_THAT(taken("", "k_2(int64[::1])"), HasSubstr("10"));
    EXPECT_THAT(analyze_text(kernel_of(""), {"both(int64[::1])"}).findings, testing::Contains(HasSubstr("`f`")));
}

}  // namespace
