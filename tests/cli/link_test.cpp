// Code of the user's own, and the options that go to the compiler behind pykc.
#include <gmock/gmock.h>

#include "cli.h"
#include "compile/host_compiler.h"
#include "compile/nvcc.h"
#include "compile/nvrtc.h"

namespace pyk {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kTwice =
    "#include \"factor.h\"\n"
    "extern \"C\" __device__ int twice(int* result, int x) { *result = FACTOR * x; return 0; }\n";
constexpr const char* kLinked = R"py(from numba import cuda

twice = cuda.declare_device("twice", "int32(int32)", link="code/twice.cu")


@cuda.jit("void(int32[::1])")
def k(x):
    x[0] = twice(x[0])
)py";

class CliLink : public Cli {
  protected:
    void SetUp() override {
        Cli::SetUp();
        shell("mkdir -p sub/code");
        write("sub/code/twice.cu", kTwice);
        write("sub/code/factor.h", "#define FACTOR 2\n");
        write("sub/k.pyk", kLinked);
    }
    bool has_nvrtc() const { return static_cast<bool>(nvrtc_info()); }
};

TEST_F(CliLink, PathsAreRelativeToTheFile) {
    const auto text = pykc({"sub/k.pyk"});
    EXPECT_EQ(text.exit_code, 0) << text.messages;
    EXPECT_THAT(text.output, AllOf(HasSubstr("// linked with twice.cu"),
                                   HasSubstr("extern \"C\" __device__ int twice(int*, int);")));
    if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
    const auto cubin = pykc({"sub/k.pyk", "-o", "k.cubin", "-arch=sm_90"});
    EXPECT_EQ(cubin.exit_code, 0) << cubin.messages;
}

// Names have another value by the end of the file.
TEST_F(CliLink, DeclarationsAndLinksAreOfTheTimeWhenTheyRun) {
    write("sub/code/kept.cu", "extern \"C\" __device__ int kept;\n");
    write("sub/later.pyk", R"py(from numba import cuda

TAIL, T, FILE = "ce", "int32", "code/kept.cu"
NAME = "twi" + TAIL
SIG = T + "(int32)"
LINKS = [FILE]
TAIL, T, FILE = "n", "float32", "code/gone.cu"
CODE = "code/twice.cu"
twice = cuda.declare_device(NAME, SIG, link=CODE)


@cuda.jit("void(int32[::1])", link=LINKS)
def k(x):
    x[0] = twice(x[0])


NAME, SIG, CODE = "thrice", "float32(float32)", "code/gone.cu"
LINKS = []
)py");
    const auto text = pykc({"sub/later.pyk"});
    EXPECT_EQ(text.exit_code, 0) << text.messages;
    EXPECT_THAT(text.output, AllOf(HasSubstr("// linked with kept.cu"), HasSubstr("// linked with twice.cu"),
                                   HasSubstr("extern \"C\" __device__ int twice(int*, int);")));
}

TEST_F(CliLink, FatbinsHoldLinkedCode) {
    if (!has_nvrtc() || !find_nvcc()) GTEST_SKIP() << "no CUDA toolkit";
    const auto fatbin = pykc({"sub/k.pyk", "-o", "k.fatbin", "-arch=sm_75,sm_90,compute_90"});
    EXPECT_EQ(fatbin.exit_code, 0) << fatbin.messages;
    EXPECT_THAT(read("k.fatbin"), StartsWith("\x50\xed\x55\xba")) << "the magic number of fatbins";
}

TEST_F(CliLink, CudaSourceIsInlinedInPtx) {
    if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
    const auto ptx = pykc({"sub/k.pyk", "--emit=ptx", "-arch=sm_90"});
    EXPECT_EQ(ptx.exit_code, 0) << ptx.messages;
    EXPECT_THAT(ptx.output, AllOf(HasSubstr(".entry pyk_k_a1i4c"), Not(HasSubstr("call.uni"))));
}

TEST_F(CliLink, PtxAndFilesOfTheCommandLine) {
    if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
    write("sub/open.pyk", std::string(kLinked).replace(std::string(kLinked).find(", link="), 22, ""));
    const auto nobody = pykc({"sub/open.pyk", "-o", "k.cubin", "-arch=sm_90"});
    EXPECT_EQ(nobody.exit_code, 1);
    EXPECT_THAT(nobody.messages, AllOf(StartsWith("sub/open.pyk:3:9: error: the code does not link"),
                                       HasSubstr("twice"), HasSubstr("[link-failed]")));
    EXPECT_FALSE(exists("k.cubin"));
    write("twice.ptx",
          ".version 8.0\n.target sm_75\n.address_size 64\n"
          ".visible .func (.param .b32 status) twice(.param .b64 result, .param .b32 x)\n"
          "{\n.reg .b32 %r<3>;\n.reg .b64 %p;\nld.param.b64 %p, [result];\nld.param.b32 %r1, [x];\n"
          "add.s32 %r2, %r1, %r1;\nst.b32 [%p], %r2;\nst.param.b32 [status], 0;\nret;\n}\n");
    const auto given = pykc({"sub/open.pyk", "-o", "k.cubin", "-arch=sm_90", "--link", "twice.ptx"});
    EXPECT_EQ(given.exit_code, 0) << given.messages;
    const auto no_ptx = pykc({"sub/open.pyk", "--emit=ptx", "-arch=sm_90", "--link", "twice.ptx"});
    EXPECT_EQ(no_ptx.exit_code, 1);
    EXPECT_THAT(no_ptx.messages, HasSubstr("make a cubin"));
    EXPECT_THAT(pykc({"sub/open.pyk", "--link", "nowhere.cu"}).messages, HasSubstr("cannot read nowhere.cu"));
}

TEST_F(CliLink, EditsOfLinkedFilesAreSeen) {
    if (!find_host_compiler()) GTEST_SKIP() << "no C++ compiler";
    const auto result = [&] {
        return pykc({"run", "sub/k.pyk", "k", "--grid=1", "--block=1", "--device=cpu", "ones:i32:1"}).output;
    };
    EXPECT_THAT(result(), HasSubstr("[2]"));
    write("sub/code/factor.h", "#define FACTOR 3\n");
    EXPECT_THAT(result(), HasSubstr("[3]"));
    write("sub/code/twice.cu",
          "extern \"C\" __device__ int twice(int* result, int x) { *result = 5 * x; return 0; }\n");
    EXPECT_THAT(result(), HasSubstr("[5]"));
    write("sub/code/twice.cu", kTwice);
    EXPECT_THAT(result(), HasSubstr("[3]"));
}

TEST_F(CliLink, CodeThatDoesNotCompile) {
    write("sub/code/twice.cu", "extern \"C\" __device__ int twice(int* result, int x) { return oops; }\n");
    if (has_nvrtc()) {
        const auto cubin = pykc({"sub/k.pyk", "-o", "k.cubin", "-arch=sm_90"});
        EXPECT_EQ(cubin.exit_code, 1);
        EXPECT_THAT(cubin.messages, AllOf(StartsWith("sub/k.pyk:3:59: error: sub/code/twice.cu does not compile"),
                                          HasSubstr("sub/code/twice.cu(1): error: identifier \"oops\" is undefined")));
    }
    if (!find_host_compiler()) GTEST_SKIP() << "no C++ compiler";
    const auto cpu = pykc({"run", "sub/k.pyk", "k", "--grid=1", "--block=1", "--device=cpu", "ones:i32:1"});
    EXPECT_EQ(cpu.exit_code, 1);
    EXPECT_THAT(cpu.messages, AllOf(StartsWith("sub/k.pyk:3:59: error: sub/code/twice.cu does not compile as C++"),
                                    HasSubstr("sub/code/twice.cu:1:")));
}

TEST_F(CliLink, OnTheCpu) {
    if (!find_host_compiler()) GTEST_SKIP() << "no C++ compiler";
    const std::vector<std::string> run = {"run",          "sub/k.pyk",    "k", "--grid=1", "--block=1",
                                          "--device=cpu", "full:i32:1:21"};
    const auto cuda = pykc(run);
    EXPECT_EQ(cuda.exit_code, 0) << cuda.messages;
    EXPECT_THAT(cuda.output, HasSubstr("[42]"));
    write("mine.cpp", "extern \"C\" int twice(int* result, int x) { *result = 1000 + x; return 0; }\n");
    auto with_own = run;
    with_own.insert(with_own.end(), {"--link", "mine.cpp"});
    EXPECT_THAT(pykc(with_own).output, HasSubstr("[1021]")) << "C++ goes before CUDA C++";
    write("sub/k.pyk", std::string(kLinked).replace(std::string(kLinked).find("code/twice.cu"), 13, "code/twice.ptx"));
    write("sub/code/twice.ptx", ".version 8.0\n");
    const auto ptx = pykc(run);
    EXPECT_EQ(ptx.exit_code, 1);
    EXPECT_THAT(ptx.messages, HasSubstr("`twice` is code for GPUs"));
}

TEST_F(CliLink, OptionsOfTheCommandLine) {
    write("saxpy.pyk", kSaxpy);
    if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
    const auto fused = pykc({"saxpy.pyk", "--emit=ptx"}).output;
    EXPECT_THAT(fused, HasSubstr("fma.rn.f32"));
    EXPECT_THAT(pykc({"saxpy.pyk", "--emit=ptx", "-fmad=false"}).output, Not(HasSubstr("fma.rn.f32")));
    EXPECT_THAT(pykc({"saxpy.pyk", "--emit=ptx", "-fastmath"}).output, HasSubstr("fma.rn.ftz.f32"));
    EXPECT_THAT(pykc({"saxpy.pyk", "--emit=ptx", "-lineinfo"}).output, HasSubstr("saxpy.pyk\""));
    EXPECT_THAT(pykc({"saxpy.pyk", "--emit=ptx", "-G"}).output, HasSubstr(".debug_info"));
    for (const char* option : {"-O0", "-O1", "-O3", "--maxrregcount=32"})
        EXPECT_EQ(pykc({"saxpy.pyk", "-o", "a.cubin", "-arch=sm_90", option}).exit_code, 0) << option;
    EXPECT_EQ(pykc({"saxpy.pyk", "-O7"}).exit_code, 2);
    EXPECT_EQ(pykc({"saxpy.pyk", "--maxrregcount=1000"}).exit_code, 2);
}

TEST_F(CliLink, Explanations) {
    EXPECT_THAT(pykc({"--explain", "float64-literal"}).output,
                AllOf(StartsWith("warning: "), HasSubstr("Reported with -Wperf"), HasSubstr("float32(0.1)")));
    EXPECT_THAT(pykc({"--explain", "unknown-name"}).output, StartsWith("error: `…`"));
    const auto misspelt = pykc({"--explain", "float64-litteral"});
    EXPECT_EQ(misspelt.exit_code, 2);
    EXPECT_THAT(misspelt.messages, HasSubstr("did you mean `float64-literal`?"));
}

// A report from a function of another file names that file.
TEST_F(CliLink, ReportsOfImportedFunctions) {
    if (!find_host_compiler()) GTEST_SKIP() << "no C++ compiler";
    write("helpers.pyk",
          "from numba import cuda\n\n\n@cuda.jit(device=True)\ndef third(x):\n    if x[0] < 0:\n        raise "
          "ValueError('negative')\n    return x[3]\n");
    write("main.pyk",
          "from numba import cuda\nfrom helpers import third\n\n\n@cuda.jit('void(int32[::1])')\ndef k(x):\n    x[1] = "
          "third(x)\n");
    const auto run = [&](const char* option, const char* data) {
        return pykc({"run", "main.pyk", "k", "--grid=1", "--block=1", "--device=cpu", data, option}).messages;
    };
    EXPECT_THAT(run("--debug", "full:i32:4:-1"), HasSubstr("helpers.pyk: line 7: ValueError: negative"));
    EXPECT_THAT(run("--check=bounds", "ones:i32:2"),
                HasSubstr("helpers.pyk: line 8: index 3 is out of range for axis 0 of 'x'"));
    const auto directed = pykc({"main.pyk", "--line-directives"}).output;
    EXPECT_THAT(directed, AllOf(HasSubstr("#line 6 \"helpers.pyk\""), HasSubstr("#line 7 \"main.pyk\"")));
    EXPECT_THAT(pykc({"main.pyk"}).output, AllOf(HasSubstr("// helpers.pyk:6"), HasSubstr("// main.pyk:7")));
}

// As a compiler does: the path as it was given, and that at which an import was found.
TEST_F(CliLink, LineDirectivesNamePaths) {
    ASSERT_EQ(shell("mkdir -p src/parts lib").exit_code, 0);
    write("src/parts/__init__.py", "");
    write("src/parts/main.pyk",
          "from numba import cuda\n\n\n@cuda.jit(device=True)\ndef half(x):\n    return x[0] // 2\n");
    write("lib/helpers.pyk", "from numba import cuda\n\n\n@cuda.jit(device=True)\ndef one(x):\n    return x[1] - 1\n");
    write("src/main.pyk",
          "from numba import cuda\nfrom helpers import one\nfrom parts.main import "
          "half\n\n\n@cuda.jit('void(int32[::1])')"
          "\ndef k(x):\n    x[2] = half(x) + one(x)\n");
    for (const char* emit : {"--emit=cu", "--emit=cpp"}) {
        const auto directed = pykc({"src/main.pyk", emit, "-Ilib", "--line-directives"}).output;
        EXPECT_THAT(directed, AllOf(HasSubstr("#line 8 \"src/main.pyk\""), HasSubstr("#line 6 \"src/parts/main.pyk\""),
                                    HasSubstr("#line 6 \"lib/helpers.pyk\"")));
        const auto commented =
            pykc({"src/main.pyk", emit, "-Ilib", "--line-directives", "--no-line-directives"}).output;
        EXPECT_THAT(commented, AllOf(HasSubstr("// helpers.pyk:6"), Not(HasSubstr("#line"))));
    }
}

// Two libraries of one program may be made of the same file: the linkers take either, of device code too.
TEST_F(CliLink, EqualTextsAreLinked) {
    if (!find_nvcc()) GTEST_SKIP() << "no nvcc";
    write("same.pyk", R"py(import numpy as np
from numba import cuda, vectorize

TABLE = np.array([1.5, 2.5, 3.5, 4.5])


@cuda.jit("float64(int64)", device=True)
def look(i):
    total = 0.0
    for k in range(i):
        total += TABLE[k % 4]
    return total


@cuda.jit("void(float64[::1], int64)")
def fill(x, n):
    if n < 0:
        raise ValueError("negative")
    x[n] = look(n)


@vectorize(["float64(float64)"], target="cuda")
def twice(x):
    return 2 * x
)py");
    write("use.cu", R"cpp(#include "a/same.h"
#include "b/same.h"
#ifdef __CUDACC_RDC__
                          __global__ void other(double* x) { x[0] = same::look(3); }
#endif
                          int main() {
                              void* found;
                              return same::pyk_find("pyk_fill_a1f8c_i8", &found) == 999;
                          }
    )cpp");
    ASSERT_EQ(shell("mkdir a b").exit_code, 0);
    for (const char* folder : {"a", "b"}) {
        const auto made = pykc({"same.pyk", "--emit=cu,header", "--debug", "-d", folder});
        ASSERT_EQ(made.exit_code, 0) << made.messages;
    }
    const std::string nvcc = "'" + *find_nvcc() +
                             "' -std=c++17 -arch=sm_90 -I. -I'" PYK_SOURCE_DIR "/runtime/host' -I'" PYK_SOURCE_DIR
                             "/runtime/aot' -I'" PYK_SOURCE_DIR "/runtime/device' ";
    for (const char* mode : {"-rdc=false ", "-rdc=true "}) {
        const auto objects = shell(nvcc + mode + "-c use.cu -o use.o && " + nvcc + mode + "-c a/same.cu -o a.o && " +
                                   nvcc + mode + "-c b/same.cu -o b.o");
        ASSERT_EQ(objects.exit_code, 0) << objects.messages;
        EXPECT_EQ(objects.messages, "");
        // Of what the header calls, in the library, nothing is here.
        const auto linked = shell(nvcc + mode + "use.o a.o b.o -Xlinker --unresolved-symbols=ignore-all -o program");
        EXPECT_EQ(linked.exit_code, 0) << linked.messages;
    }
}

// A device function of ours is called from another object: nvcc links their device code.
TEST_F(CliLink, RelocatableObjects) {
    if (!find_nvcc()) GTEST_SKIP() << "no nvcc";
    write("dev.pyk", R"py(from numba import cuda


@cuda.jit("float32(float32)", device=True)
def twice(x):
    return 2 * x


@cuda.jit("void(float32[::1])")
def k(x):
    x[0] = twice(x[0])
)py");
    write("use.cu",
          "#include \"dev.h\"\n__global__ void other(float* x) { x[0] = dev::twice(x[0]); }\nint main() {}\n");
    const auto made = pykc({"dev.pyk", "--emit=object=dev.o", "--emit=header=dev.h", "-arch=sm_90", "-rdc=true"});
    ASSERT_EQ(made.exit_code, 0) << made.messages;
    const auto linked =
        shell("'" + *find_nvcc() +
              "' -std=c++17 -arch=sm_90 -rdc=true -I. -I'" PYK_SOURCE_DIR "/runtime/host' -I'" PYK_SOURCE_DIR
              "/runtime/aot' -I'" PYK_SOURCE_DIR "/runtime/device' -dc use.cu -o use.o && '" +
              *find_nvcc() + "' -arch=sm_90 -dlink dev.o use.o -o linked.o");
    EXPECT_EQ(linked.exit_code, 0) << linked.messages;
    EXPECT_THAT(pykc({"dev.pyk", "-o", "dev.cu", "-rdc=true"}).messages, HasSubstr("-rdc=true is about --emit=object"));
}

class CliExport : public CliLink {
  protected:
    void SetUp() override {
        CliLink::SetUp();
        write("ops.pyk", R"py(from numba import cuda


@cuda.jit(device=True, inline=True)
def farther(a, b):
    return a if abs(a) >= abs(b) else b


def total(x, n):
    result = x[0] - x[0]
    for i in range(n):
        result += farther(x[i], x[i] / 2)
    return result
)py");
    }

    /// Of the toolkit's nvcc, in the folder.
    ProcessResult nvcc(const std::string& arguments) const {
        return shell("'" + *find_nvcc() + "' -std=c++17 -arch=sm_90 -I. -I'" PYK_SOURCE_DIR "/runtime/host' -I'" +
                     PYK_SOURCE_DIR "/runtime/aot' -I'" PYK_SOURCE_DIR "/runtime/device' " + arguments);
    }
};

// Functions with `--sig` are called by CUDA C++ of the user's, in its own text and across objects.
TEST_F(CliExport, CudaCallsFunctions) {
    if (!find_nvcc()) GTEST_SKIP() << "no nvcc";
    const auto made =
        pykc({"ops.pyk", "--sig", "farther(float32, float32)", "--sig", "farther(float64, float64)", "--sig",
              "total(float32[::1], int64)", "--emit=cu,header", "--prelude=include", "-o", "ops.cu"});
    ASSERT_EQ(made.exit_code, 0) << made.messages;
    EXPECT_THAT(read("ops.h"), HasSubstr("__device__ double farther_f8_f8(double a, double b);"));
    EXPECT_THAT(read("ops.h"), Not(HasSubstr("pyk_find")));
    const std::string program = R"cpp(
#include <cstdio>
        __global__ void fill(double* out, float* x) {
            for (int i = 0; i < 4; ++i) x[i] = 1.5f * (i - 2);
            out[0] = ops::farther_f4_f4(x[0], 2.0f);
            out[1] = ops::farther_f8_f8(0.25, -0.125);
            out[2] = ops::total(pyk::array<float, 1>{x, {4}}, 4);
        }
        int main() {
            int count = 0;
            if (cudaGetDeviceCount(&count) != cudaSuccess || !count) return 3;
            double* out = nullptr;
            float* x = nullptr;
            if (cudaMallocManaged(&out, 3 * sizeof *out) || cudaMallocManaged(&x, 4 * sizeof *x)) return 1;
            fill<<<1, 1>>>(out, x);
            if (cudaDeviceSynchronize() != cudaSuccess) return 1;
            std::printf("%g %g %g\n", out[0], out[1], out[2]);
        }
    )cpp";
    write("apart.cu", "#include \"ops.h\"\n" + program);
    write("together.cu", "#include \"ops.cu\"\n" + program);
    for (const char* files : {"-rdc=true apart.cu ops.cu", "together.cu", "-rdc=true together.cu apart.cu --dryrun"}) {
        const auto linked = nvcc(std::string(files) + " -o program");
        ASSERT_EQ(linked.exit_code, 0) << files << linked.messages;
        if (std::string_view(files).ends_with("--dryrun")) continue;
        const auto ran = shell("./program");
        if (ran.exit_code == 3) continue;  // no GPU
        EXPECT_EQ(ran.exit_code, 0);
        EXPECT_EQ(ran.output, "-3 0.25 -3\n") << files;
    }
}

// As `numba.cuda.compile` names them: by C linkage, for whoever links PTX, cubins or LTO-IR.
TEST_F(CliExport, FunctionsAreLinked) {
    if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
    write("use.pyk", R"py(from numba import cuda

farther = cuda.declare_device("farther", "float64(float64, float64)", abi="c")


@cuda.jit("void(float64[::1])")
def k(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = farther(x[i], 2.5)
)py");
    for (const std::string kind : {"ptx", "cubin", "ltoir"}) {
        const auto made = pykc({"ops.pyk", "--sig", "farther(float64, float64)", "-o", "ops." + kind, "-arch=sm_90"});
        ASSERT_EQ(made.exit_code, 0) << made.messages;
        const auto linked = pykc({"use.pyk", "--link", "ops." + kind, "-o", "use.cubin", "-arch=sm_90"});
        EXPECT_EQ(linked.exit_code, 0) << kind << linked.messages;
        const auto ran = pykc({"run", "use.pyk", "k", "arange:f64:4", "--link", "ops." + kind, "--device", "cuda",
                               "--grid", "1", "--block", "32"});
        if (ran.exit_code == 3) continue;  // no GPU
        EXPECT_EQ(ran.exit_code, 0) << kind << ran.messages;
        EXPECT_THAT(ran.output, HasSubstr("[2.5, 2.5, 2.5, 3]")) << kind;
    }
    const auto kernel = pykc({"use.pyk", "-o", "use.ltoir", "-arch=sm_90"});
    EXPECT_EQ(kernel.exit_code, 0) << kernel.messages;
}

TEST_F(CliExport, FunctionsOfTheHostAreChecked) {
    write("host.pyk",
          "import numpy as np\nfrom numba import njit\n\n\n@njit\ndef last(x):\n    return np.sort(x)[-1]\n");
    EXPECT_EQ(pykc({"host.pyk", "--check", "--sig", "last(float64[::1])"}).exit_code, 0);
    EXPECT_THAT(pykc({"host.pyk", "--sig", "last(float64[::1])"}).messages, HasSubstr("[array-result]"));
}

TEST_F(CliExport, WhatCannotBeExported) {
    const auto message = [&](const std::string& signature, std::vector<std::string> more) {
        more.insert(more.begin(), {"ops.pyk", "--sig", signature});
        const auto refused = pykc(more);
        EXPECT_EQ(refused.exit_code, 1) << signature;
        return refused.messages;
    };
    EXPECT_THAT(message("farther(float32)", {"-o", "ops.cu"}), HasSubstr("[signature-arity]"));
    EXPECT_THAT(message("further(float32, float32)", {"-o", "ops.cu"}), HasSubstr("did you mean `farther`?"));
    EXPECT_THAT(message("farther(float32[:], float32)", {"-o", "ops.cu"}), HasSubstr("ops.pyk:6:"));
    EXPECT_THAT(message("farther(float32, float32)", {"-o", "ops.cpp"}), HasSubstr("other CUDA C++"));
    EXPECT_FALSE(exists("ops.cu"));

    write("half.pyk", "def half(x):\n    return x / 2\n");
    const auto refused = pykc({"half.pyk", "--sig", "float32(float32)", "-o", "half.cu"});
    EXPECT_THAT(refused.messages, HasSubstr("`half` gives float64 [bad-signature]"));
    EXPECT_EQ(pykc({"half.pyk", "--sig", "float64(float32)", "-o", "half.cu"}).exit_code, 0);
}

TEST_F(CliLink, RelocatableObjectsWithChecksHaveOneReport) {
    if (!find_nvcc()) GTEST_SKIP() << "no nvcc";
    for (const std::string name : {"a", "b"}) {
        write(name + ".pyk", "from numba import cuda\n\n\n@cuda.jit(\"void(int32[::1])\")\ndef " + name +
                                 "_k(x):\n    x[cuda.grid(1)] = 1\n");
        const auto made =
            pykc({name + ".pyk", "--emit=object=" + name + ".o", "-arch=sm_90", "-rdc=true", "--check=bounds"});
        ASSERT_EQ(made.exit_code, 0) << made.messages;
    }
    const auto linked = shell("'" + *find_nvcc() + "' -arch=sm_90 -dlink a.o b.o -o linked.o");
    EXPECT_EQ(linked.exit_code, 0) << linked.messages;
}

TEST_F(CliLink, WhatPtxasRefusesIsWhereItIsWritten) {
    if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
    write("ptx.pyk", R"py(from numba import cuda, uint32


@cuda.jit("void(uint32[::1])")
def first(x):
    x[0] = cuda.inline_ptx("mov.u32 $r, 3;", r=uint32)


@cuda.jit("void(uint32[::1])")
def second(x):
    x[0] = cuda.inline_ptx("bogus.b32 $r, 3;", r=uint32)
)py");
    const auto refused = pykc({"ptx.pyk", "-o", "ptx.cubin", "-arch=sm_90"});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.messages, StartsWith("ptx.pyk:11:12: error: ptxas"));

    // The same instruction stands above; and a `;` is missed in the next line.
    write("types.pyk", R"py(from numba import cuda, int32


@cuda.jit("void(int32[::1])")
def k(x):
    x[0] = cuda.inline_ptx("add.s32 $r, $a, $a;", r=int32, a=x[0])
    x[1] = cuda.inline_ptx("add.f64 $r, $a, $a;", r=int32, a=x[1])
)py");
    EXPECT_THAT(pykc({"types.pyk", "-o", "ptx.cubin", "-arch=sm_90"}).messages,
                StartsWith("types.pyk:7:12: error: ptxas"));
    write("types.pyk", R"py(from numba import cuda, int32


@cuda.jit("void(int32[::1])")
def k(x):
    x[0] = cuda.inline_ptx("add.s32 $r, $a, $a", r=int32, a=x[0])
    x[1] = cuda.inline_ptx("mov.u32 $r, %laneid;", r=int32)
)py");
    const auto open = pykc({"types.pyk", "-o", "ptx.cubin", "-arch=sm_90"});
    EXPECT_EQ(open.exit_code, 1);
    EXPECT_THAT(open.messages, StartsWith("types.pyk:6:12: error: ptxas"));
}

// CUDA C++ that stands in the file: what is wrong with it is told of the file's lines.
TEST_F(CliLink, LinkedCodeIsToldOfTheLinesOfTheFile) {
    write("own.pyk", R"py(from numba import cuda

CODE = cuda.CUSource("""
extern "C" __device__ int twice(int* result, int x)
{
    *result = 2 * y;
    return 0;
}
""")
twice = cuda.declare_device("twice", "int32(int32)", link=CODE)


@cuda.jit("void(int32[::1])")
def k(x):
    x[0] = twice(x[0])
)py");
    if (find_host_compiler()) {
        const auto refused = pykc({"run", "own.pyk", "k", "--grid=1", "--block=1", "--device=cpu", "ones:i32:2"});
        EXPECT_EQ(refused.exit_code, 1);
        EXPECT_THAT(refused.messages, AllOf(StartsWith("own.pyk:6:5: error: "), HasSubstr("own.pyk:6:19: error: ")));
    }
    if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
    const auto refused = pykc({"own.pyk", "-o", "own.cubin", "-arch=sm_90"});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.messages, AllOf(StartsWith("own.pyk:6:5: error: "), HasSubstr("own.pyk(6): error: ")));
}

// They are read when a kernel comes to them.
TEST_F(CliLink, NamesOfDefinesMayBeThoseOfImports) {
    std::filesystem::create_directories(folder_.file("pack"));
    write("pack/__init__.pyk", "from . import deep\n");
    const std::string device = "from numba import cuda\nimport pack\nK = 1\n\n\n@cuda.jit(device=True)\n";
    write("pack/deep.pyk", device + "def limit(x):\n    return x + LIMIT\n\n\nLIMIT = 7\n");
    write("other.pyk", device + "def f(x):\n    return pack.deep.limit(x * K)\n");
    for (const std::string import : {"from other import f", "from other import *", "import other\nf = other.f"}) {
        write("main.pyk", "from numba import cuda\n" + import + "\n\n\n@cuda.jit\ndef k(x):\n    x[0] = f(2.0)\n");
        const auto defined = pykc({"main.pyk", "-DK=5", "-DLIMIT=3", "--sig=k(float64[::1])", "--emit=cu", "-o", "-"});
        EXPECT_EQ(defined.exit_code, 0) << import << defined.messages;
        EXPECT_THAT(defined.output, AllOf(HasSubstr("K = 5;"), HasSubstr("LIMIT = 3;"))) << import;
        EXPECT_THAT(pykc({"main.pyk", "-DKK=5", "--sig=k(float64[::1])", "-o", "-"}).messages,
                    HasSubstr("main.pyk has no such name; did you mean `K`?"));
    }
}

TEST_F(CliLink, NamesOfDefinesAreThoseOfTheFile) {
    write("tile.pyk",
          "from numba import cuda\n\nTILE = 4\n\n\n@cuda.jit(\"void(int32[::1])\")\ndef k(x):\n    x[0] = TILE\n");
    const auto wrong = pykc({"tile.pyk", "-DTIEL=8", "-o", "-"});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.messages, HasSubstr("tile.pyk has no such name; did you mean `TILE`?"));
    EXPECT_THAT(pykc({"tile.pyk", "-DTILE=8", "-o", "-"}).output, HasSubstr("TILE = 8;"));
    for (const std::string own : {"x", "y", "size"}) {
        write("own.pyk",
              "from numba import cuda\n\n\n@cuda.jit(\"void(int32[::1])\")\ndef k(x):\n    y = x.size\n    x[0] = y\n");
        EXPECT_THAT(pykc({"own.pyk", "-D" + own + "=8", "-o", "-"}).messages,
                    HasSubstr("the definition of " + own + ": in own.pyk that is only a parameter or a variable"));
    }
    write("made.pyk",
          "from numba import cuda\n\n\ndef make(n):\n    @cuda.jit(\"void(int32[::1])\")\n    def k(x):\n        x[0] "
          "= n\n"
          "    return k\n");
    EXPECT_THAT(pykc({"made.pyk", "-Dn=8", "-o", "-"}).output, HasSubstr("n = 8;"));
}

}  // namespace
}  // namespace pyk
