// `pykc FILE`: outputs, messages, exit codes.
#include <gmock/gmock.h>

#include "cli.h"
#include "compile/nvcc.h"
#include "compile/nvrtc.h"

namespace pyk {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class CliCompile : public Cli {
  protected:
    void SetUp() override {
        Cli::SetUp();
        write("saxpy.pyk", kSaxpy);
        write("scale.pyk", kScale);
    }
};

TEST_F(CliCompile, TextGoesToStdout) {
    const auto result = pykc({"saxpy.pyk"});
    EXPECT_EQ(result.exit_code, 0) << result.messages;
    EXPECT_THAT(result.output, HasSubstr("pyk_saxpy_f4_a1f4c_a1f4c"));
    EXPECT_THAT(result.output, HasSubstr("__global__"));
    EXPECT_THAT(result.messages, IsEmpty());
}

TEST_F(CliCompile, OrToAFileOrFromStdin) {
    const auto to_stdout = pykc({"saxpy.pyk"});
    EXPECT_EQ(pykc({"saxpy.pyk", "-o", "out.cu"}).exit_code, 0);
    EXPECT_EQ(read("out.cu"), to_stdout.output);
    const auto from_stdin = shell("$PYKC - -o - < saxpy.pyk");
    EXPECT_EQ(from_stdin.exit_code, 0) << from_stdin.messages;
    EXPECT_THAT(from_stdin.output, HasSubstr("pyk_saxpy_f4_a1f4c_a1f4c"));
    EXPECT_THAT(shell("printf 'x = = 1' | $PYKC -").messages, StartsWith("<stdin>:1:5: error:"));
}

TEST_F(CliCompile, EveryTextKind) {
    EXPECT_THAT(pykc({"saxpy.pyk", "--emit=cpp"}).output, HasSubstr("pyk_saxpy_f4_a1f4c_a1f4c"));
    EXPECT_THAT(pykc({"saxpy.pyk", "--emit=ast"}).output, StartsWith("Module(body=["));
    EXPECT_THAT(pykc({"saxpy.pyk", "--emit=ir"}).output, HasSubstr("kernel saxpy = pyk_saxpy_f4_a1f4c_a1f4c"));
}

TEST_F(CliCompile, Binaries) {
    if (!nvrtc_info() && !find_nvcc()) GTEST_SKIP() << "neither NVRTC nor nvcc";
    EXPECT_THAT(pykc({"saxpy.pyk", "--emit=ptx"}).output, HasSubstr(".entry pyk_saxpy_f4_a1f4c_a1f4c"));
    EXPECT_THAT(pykc({"saxpy.pyk", "--emit=ptx", "-arch=sm_90"}).output, HasSubstr(".target sm_90"));
    EXPECT_EQ(pykc({"saxpy.pyk", "-o", "a.cubin", "-arch=sm_90"}).exit_code, 0);
    EXPECT_THAT(read("a.cubin"), StartsWith("\x7f"
                                            "ELF"));
    const auto unknown = pykc({"saxpy.pyk", "-o", "b.cubin", "-arch=sm_20"});
    EXPECT_EQ(unknown.exit_code, 3);
    EXPECT_FALSE(exists("b.cubin"));
    EXPECT_EQ(pykc({"saxpy.pyk", "-o", "b.cubin", "-arch=sm_90,sm_100"}).exit_code, 2);
}

TEST_F(CliCompile, AFatbinHoldsSeveralArchitectures) {
    if (!find_nvcc()) GTEST_SKIP() << "no nvcc on this machine";
    EXPECT_EQ(pykc({"saxpy.pyk", "-o", "a.fatbin", "-arch=sm_90,sm_100"}).exit_code, 0);
    EXPECT_GT(read("a.fatbin").size(), 1000u);
}

TEST_F(CliCompile, AMissingToolIsSaid) {
    const auto result = shell("PYK_NVCC=/nowhere $PYKC saxpy.pyk -o a.fatbin");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.messages, HasSubstr("nvcc was not found"));
    EXPECT_FALSE(exists("a.fatbin"));
    const auto both = shell("PYK_NVCC=/nowhere PYK_NVRTC=/nowhere $PYKC saxpy.pyk -o a.cubin");
    EXPECT_EQ(both.exit_code, 3);
    EXPECT_THAT(both.messages, HasSubstr("NVRTC (libnvrtc.so) was not found"));
}

TEST_F(CliCompile, Signatures) {
    const auto result = pykc({"scale.pyk", "--sig", "scale(int32[::1])", "--sig", "scale(float64[:, :])"});
    EXPECT_EQ(result.exit_code, 1);  // two axes, one index
    const auto good = pykc({"scale.pyk", "--sig", "scale(int32[::1])", "--sig", "(float64[:])"});
    EXPECT_EQ(good.exit_code, 0) << good.messages;
    EXPECT_THAT(good.output, HasSubstr("pyk_scale_a1i4c"));
    EXPECT_THAT(good.output, HasSubstr("pyk_scale_a1f8a"));
}

// `import tracks.consts` in a file of the package `tracks`, as Python finds it from above.
TEST_F(CliCompile, ImportsFromThePackageThatTheFileIsOf) {
    shell("mkdir -p tracks/sim && touch tracks/__init__.py tracks/sim/__init__.py");
    write("tracks/consts.py", "N = 7\n");
    const std::string kernel =
        "import tracks.consts as tc\nfrom numba import cuda\nfrom tracks.consts import N\n\n\n"
        "@cuda.jit('void(int64[:])')\ndef k(x):\n    x[0] = N + tc.N\n";
    write("tracks/sim/drift.py", kernel);
    EXPECT_THAT(pykc({"tracks/sim/drift.py"}).output, HasSubstr("N = 7"));
    write("alone.py", kernel);
    EXPECT_EQ(pykc({"alone.py"}).exit_code, 0);
    EXPECT_EQ(shell("cd tracks/sim && $PYKC drift.py -o ../../drift.cu").exit_code, 0);
    shell("rm tracks/sim/__init__.py");
    EXPECT_THAT(pykc({"tracks/sim/drift.py"}).messages, HasSubstr("[module-not-found]"));
}

TEST_F(CliCompile, BadSignaturesArePointedAt) {
    EXPECT_THAT(pykc({"scale.pyk", "--sig", "scale(int33)"}).messages, StartsWith("--sig:1:7: error:"));
    const auto unknown = pykc({"scale.pyk", "--sig", "scal(int32[:])"});
    EXPECT_EQ(unknown.exit_code, 1);
    EXPECT_THAT(unknown.messages, HasSubstr("did you mean `scale`?"));
    EXPECT_THAT(pykc({"scale.pyk", "--sig", "scale(int32[:], int32)"}).messages, HasSubstr("takes 1 argument,"));
    EXPECT_THAT(pykc({"scale.pyk", "--sig", "int32(int32[:])"}).messages, HasSubstr("returns nothing"));
    const auto two = pykc({"scale.pyk", "--sig", "scale(int32[:])", "scale(int64[:])"});
    EXPECT_EQ(two.messages,
              "pykc: error: there is no file scale(int64[:]); if it is a signature, write --sig before it\n");
}

TEST_F(CliCompile, KernelsWithoutTypes) {
    const auto none = pykc({"scale.pyk"});
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_THAT(none.messages, HasSubstr("kernel `scale` is skipped"));
    const auto named = pykc({"scale.pyk", "--kernel", "scale"});
    EXPECT_EQ(named.exit_code, 1);
    EXPECT_THAT(named.messages, HasSubstr("[kernel-without-types]"));

    write("both.pyk", std::string(kSaxpy) + "\n\n@cuda.jit\ndef other(x):\n    x[0] = 1\n");
    const auto both = pykc({"both.pyk"});
    EXPECT_EQ(both.exit_code, 0) << both.messages;
    EXPECT_THAT(both.messages, HasSubstr("note: kernel `other` is skipped"));
    EXPECT_THAT(pykc({"both.pyk", "--kernel", "saxpy"}).messages, IsEmpty());
    EXPECT_THAT(pykc({"both.pyk", "--kernel", "saxpi"}).messages, HasSubstr("did you mean `saxpy`?"));
    EXPECT_THAT(pykc({"both.pyk", "--sig", "(float32[:])"}).messages, HasSubstr("[signature-without-name]"));
}

TEST_F(CliCompile, Defines) {
    const auto result = pykc({"scale.pyk", "--sig", "scale(int32[:])", "-D", "FACTOR=41"});
    EXPECT_EQ(result.exit_code, 0) << result.messages;
    EXPECT_THAT(result.output, HasSubstr("41"));
}

TEST_F(CliCompile, CheckWritesNothing) {
    const auto result = pykc({"saxpy.pyk", "--check", "-o", "out.cu"});
    EXPECT_EQ(result.exit_code, 0) << result.messages;
    EXPECT_THAT(result.output, IsEmpty());
    EXPECT_FALSE(exists("out.cu"));
}

TEST_F(CliCompile, List) {
    EXPECT_EQ(pykc({"saxpy.pyk", "--list"}).output, "saxpy(a, x, y)\n    saxpy(float32, float32[::1], float32[::1])\n");
    EXPECT_EQ(pykc({"scale.pyk", "--list"}).output, "scale(x)\n");
    EXPECT_THAT(pykc({"--list-builtins"}).output, HasSubstr("cuda.threadIdx.x"));
}

TEST_F(CliCompile, DiagnosticsLeaveNoOutput) {
    write("bad.pyk", "from numba import cuda\n\n\n@cuda.jit('void(int32[:])')\ndef k(x):\n    x[0] = y\n");
    write("out.cu", "old");
    const auto result = pykc({"bad.pyk", "-o", "out.cu"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.messages, StartsWith("bad.pyk:6:12: error: `y` is not defined"));
    EXPECT_THAT(result.output, IsEmpty());
    EXPECT_EQ(read("out.cu"), "old");
}

TEST_F(CliCompile, WarningsObeyTheirOptions) {
    write("warn.pyk",
          "from numba import cuda\n\n\n@cuda.jit('void(int32[:])')\ndef k(x):\n    if x[0] > 0:\n        v = 1\n    "
          "x[1] = v\n");
    const auto plain = pykc({"warn.pyk", "-o", "out.cu"});
    EXPECT_EQ(plain.exit_code, 0);
    EXPECT_THAT(plain.messages, HasSubstr("[unassigned]"));
    EXPECT_THAT(pykc({"warn.pyk", "-Wno-unassigned"}).messages, IsEmpty());
    EXPECT_THAT(pykc({"warn.pyk", "-w"}).messages, IsEmpty());
    for (const char* option : {"-Werror", "-Werror=unassigned"}) {
        const auto error = pykc({"warn.pyk", option, "-o", "error.cu"});
        EXPECT_EQ(error.exit_code, 1);
        EXPECT_THAT(error.messages, HasSubstr("error: "));
        EXPECT_FALSE(exists("error.cu"));
    }
}

TEST_F(CliCompile, MessagesAreInColourOnTerminalsOnly) {
    EXPECT_THAT(pykc({"scale.pyk"}).messages, Not(HasSubstr("\x1b")));
    if (!find_program("script")) GTEST_SKIP() << "no `script` to make a terminal with";
    EXPECT_THAT(shell("script -qec \"$PYKC scale.pyk\" /dev/null").output, HasSubstr("\x1b[1"));
    EXPECT_THAT(shell("NO_COLOR=1 script -qec \"$PYKC scale.pyk\" /dev/null").output, Not(HasSubstr("\x1b[1")));
    const auto binary = shell("script -qec \"$PYKC saxpy.pyk --emit=cubin\" /dev/null");
    EXPECT_THAT(binary.output, HasSubstr("standard output is a terminal"));
    EXPECT_EQ(binary.exit_code, 2);
}

TEST_F(CliCompile, FilesThatCannotBeReadOrWritten) {
    const auto missing = pykc({"nowhere.pyk"});
    EXPECT_EQ(missing.exit_code, 3);
    EXPECT_EQ(missing.messages, "pykc: error: cannot read nowhere.pyk: No such file or directory\n");
    EXPECT_EQ(pykc({"."}).exit_code, 3);
    EXPECT_EQ(pykc({"saxpy.pyk", "-o", "no/such/folder.cu"}).exit_code, 3);
    EXPECT_EQ(shell("$PYKC saxpy.pyk > /dev/full").exit_code, 3);
    EXPECT_THAT(files(), ElementsAre("saxpy.pyk", "scale.pyk"));
}

TEST_F(CliCompile, UsageErrors) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {}, {"saxpy.pyk", "--nonsense"}, {"saxpy.pyk", "--emit=exe"}, {"saxpy.pyk", "-Wno-x"}}) {
        const auto result = pykc(arguments);
        EXPECT_EQ(result.exit_code, 2);
        EXPECT_THAT(result.messages, StartsWith("pykc: error: "));
        EXPECT_THAT(result.output, IsEmpty());
    }
}

TEST_F(CliCompile, HelpAndVersion) {
    EXPECT_THAT(pykc({"--version"}).output, StartsWith("pykc "));
    EXPECT_THAT(pykc({"--help"}).output, HasSubstr("pykc run"));
    EXPECT_EQ(pykc({"--help"}).exit_code, 0);
    EXPECT_THAT(pykc({"devices"}).output, HasSubstr("C++ compiler"));
}

TEST_F(CliCompile, OutputDoesNotDependOnWhereItIsMade) {
    ASSERT_EQ(shell("mkdir sub && cp saxpy.pyk sub/").exit_code, 0);
    EXPECT_EQ(pykc({"sub/saxpy.pyk"}).output, pykc({"saxpy.pyk"}).output);
    EXPECT_EQ(pykc({folder_.file("saxpy.pyk")}).output, pykc({"saxpy.pyk"}).output);
}

TEST_F(CliCompile, FilesThatImportEachOther) {
    constexpr std::string_view kKernel = R"py(

@cuda.jit("void(float32[::1])")
def k(x):
    x[0] = f(x[1])
)py";
    constexpr std::string_view kFunction = R"py(

@cuda.jit(device=True)
def f(x):
    return x + x
)py";
    const auto file = [](std::string_view import, std::string_view body) {
        return "from numba import cuda\n" + std::string(import) + std::string(body);
    };
    write("itself.pyk", file("from itself import f", kKernel));
    write("ring.pyk", file("from ring2 import f", kKernel));
    write("ring2.pyk", "from ring import f\n");
    for (const char* name : {"itself.pyk", "ring.pyk"}) {
        const auto result = pykc({name, "-o", "-"});
        EXPECT_EQ(result.exit_code, 1) << name;
        EXPECT_THAT(result.messages, HasSubstr("`f` is not defined [unknown-name]")) << name;
    }
    write("mutual.pyk", file("from mutual2 import f", kKernel));
    write("mutual2.pyk", file("from mutual import k", kFunction));
    EXPECT_EQ(pykc({"mutual.pyk", "-o", "-"}).exit_code, 0);
    // The host code of a kernel's file often has its name.
    write("itself.py", file("", kFunction));
    EXPECT_EQ(pykc({"itself.pyk", "-o", "-"}).exit_code, 0);
}

TEST_F(CliCompile, TypesOfImportedFilesInSignatures) {
    write("rays.py",
          "import numpy as np\nfrom numba import from_dtype, float32\n"
          "ray_t = from_dtype(np.dtype([('x', 'f4'), ('hit', '?')], align=True))\nREAL = float32\n");
    write("trace.py",
          "from numba import cuda\nimport rays\nfrom rays import ray_t, REAL\nRAY = rays.ray_t\n\n\n"
          "@cuda.jit\ndef k(r, a):\n    r[0].x = a[0]\n");
    for (const char* ray : {"ray_t", "rays.ray_t", "RAY"}) {
        const auto done = pykc({"trace.py", "--check", fmt::format("--sig=k({}[::1], REAL[::1])", ray)});
        EXPECT_EQ(done.exit_code, 0) << done.messages;
    }
}

TEST_F(CliCompile, OverloadsOfImportedFiles) {
    write("spacing.py",
          "from numba import types\nfrom numba.extending import overload\n\n\ndef last(s):\n    return s[-1]\n\n\n"
          "@overload(last)\ndef last_of(s):\n    at = len(s) - 1\n    if s.count == 3 and s.dtype is types.float32:\n"
          "        at = 0\n    def impl(s):\n        return s[at]\n    return impl\n");
    write("k.py",
          "from numba import cuda\nfrom spacing import last\n\n\n"
          "@cuda.jit('void(float32[::1], UniTuple(float32, 2))')\ndef k(out, s):\n    out[0] = last(s)\n");
    const auto done = pykc({"k.py", "--check"});
    EXPECT_EQ(done.exit_code, 0) << done.messages;
}

// Packages whose names only look like Numba's or NumPy's are as good as any other.
TEST_F(CliCompile, ImportsThatLookAlike) {
    write(
        "k.py",
        "import numpyro\nfrom ncempy.io.mrc import mrcReader\nfrom numbas import x\nfrom numba import cuda, njit\n\n\n"
        "@njit\ndef host(a, e=1.0 + 0j):\n    return a * e\n\n\n"
        "@cuda.jit('void(float32[::1])')\ndef k(a):\n    a[0] = 1\n");
    const auto done = pykc({"k.py", "--check"});
    EXPECT_EQ(done.exit_code, 0);
    EXPECT_EQ(done.messages, "");
}

TEST_F(CliCompile, NotesAreNoWarningsEither) {
    write("k.py",
          "from numba import cuda\n\n\n@cuda.jit\ndef k(x):\n    x[0] = 1\n\n\n"
          "@cuda.jit('void(float32[::1])')\ndef l(x):\n    x[0] = 1\n");
    EXPECT_THAT(pykc({"k.py", "--check"}).messages, HasSubstr("[kernel-skipped]"));
    EXPECT_EQ(pykc({"k.py", "--check", "-w"}).messages, "");
}

}  // namespace
}  // namespace pyk
