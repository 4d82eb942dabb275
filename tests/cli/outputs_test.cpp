// What `pykc FILE…` writes, where, and what it says it was made of.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "cli.h"
#include "compile/nvcc.h"
#include "compile/nvrtc.h"

namespace pyk {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kImporting = R"py(from numba import cuda

from my_helper import twice


@cuda.jit("void(int32[::1])")
def double(x):
    x[0] = twice(x[0])
)py";
constexpr const char* kHelper = R"py(from numba import cuda


@cuda.jit(device=True)
def twice(v):
    return v * 2
)py";

class CliOutputs : public Cli {
  protected:
    void SetUp() override {
        Cli::SetUp();
        write("saxpy.pyk", kSaxpy);
        write("double.pyk", kImporting);
        write("my_helper.pyk", kHelper);
    }
};

TEST_F(CliOutputs, AFolderOfTemplatesMustBeThere) {
    const auto done = pykc({"saxpy.pyk", "--templates", "no_such_folder"});
    EXPECT_EQ(done.exit_code, 3);
    EXPECT_THAT(done.messages, HasSubstr("no_such_folder"));
}

TEST_F(CliOutputs, AFileNamedMainHasANamespaceThatProgramsMayInclude) {
    write("main.pyk", kSaxpy);
    EXPECT_THAT(pykc({"main.pyk", "--emit=cu,header", "-d", "."}).exit_code, 0);
    EXPECT_THAT(read("main.h"), HasSubstr("namespace main_ {"));
}

TEST_F(CliOutputs, StandardInputHasAFilesNameInAFolder) {
    EXPECT_EQ(shell("$PYKC - -d out < saxpy.pyk && $PYKC - --stdin-name=a/b.pyk -d out < saxpy.pyk").exit_code, 0);
    EXPECT_TRUE(exists("out/stdin.cu") && exists("out/b.cu"));
}

TEST_F(CliOutputs, NoInputIsOverwritten) {
    const std::string source = read("double.pyk"), helper = read("my_helper.pyk");
    const std::vector<std::vector<std::string>> calls = {{"double.pyk", "--emit=cu", "-o", "./double.pyk"},
                                                         {"double.pyk", "-o", "out.cu", "-MF", "double.pyk"},
                                                         {"double.pyk", "--emit=cu=out.cu", "--emit=ir=my_helper.pyk"}};
    for (const std::vector<std::string>& call : calls) {
        const auto done = pykc(call);
        EXPECT_EQ(done.exit_code, 2);
        EXPECT_THAT(done.messages, HasSubstr("is the same file as the input"));
    }
    EXPECT_EQ(read("double.pyk"), source);
    EXPECT_EQ(read("my_helper.pyk"), helper);
    EXPECT_FALSE(exists("out.cu"));
}

TEST_F(CliOutputs, SeveralKindsLieBesideEachOther) {
    ASSERT_EQ(pykc({"saxpy.pyk", "-o", "out.cu", "--emit=cu,header,cpp"}).exit_code, 0);
    EXPECT_THAT(read("out.h"), HasSubstr("pyk::Status saxpy(const pyk::Launch& launch, pyk::Scalar<float> a, "));
    // What is linked is not `extern "C"`: two files may have kernels of one name.
    EXPECT_THAT(read("out.cu"), HasSubstr("\nPYK_LINKED __global__ void pyk_saxpy_f4_a1f4c_a1f4c("));
    EXPECT_THAT(read("out.cpp"),
                HasSubstr("\n__attribute__((weak)) void pyk_saxpy_f4_a1f4c_a1f4c(const pyk::cpu_block*"));
    ASSERT_EQ(pykc({"saxpy.pyk", "-o", "plain.cu", "--emit=cu,cpp"}).exit_code, 0);
    EXPECT_EQ(read("plain.cu"), pykc({"saxpy.pyk"}).output);
    EXPECT_EQ(read("plain.cpp"), pykc({"saxpy.pyk", "--emit=cpp"}).output);
    EXPECT_THAT(read("plain.cu"), HasSubstr("\nextern \"C\" __global__ void pyk_saxpy_f4_a1f4c_a1f4c("));
    const auto alone = pykc({"saxpy.pyk", "--emit=header"});
    EXPECT_EQ(alone.exit_code, 2);
    EXPECT_THAT(alone.messages, HasSubstr("--emit=cu,header"));
    ASSERT_EQ(pykc({"saxpy.pyk", "--emit=ir=a=b.ir", "--emit=ast=tree"}).exit_code, 0);
    EXPECT_THAT(read("a=b.ir"), HasSubstr("kernel saxpy"));
    EXPECT_THAT(read("tree"), StartsWith("Module("));
    const auto both = pykc({"saxpy.pyk", "--emit=cu,cpp"});
    EXPECT_EQ(both.exit_code, 2);
    EXPECT_THAT(both.messages, HasSubstr("two outputs would be written to the standard output"));
    const auto rule = pykc({"saxpy.pyk", "-o", "rule.cu", "-MD", "-MF", "rule.cu"});
    EXPECT_EQ(rule.exit_code, 2);
    EXPECT_THAT(rule.messages, HasSubstr("two outputs would be written to rule.cu"));
    EXPECT_THAT(pykc({"double.pyk", "--emit=cu=in.cu", "--emit=header=./in.cu"}).messages,
                HasSubstr("two outputs would be written to ./in.cu"));
    EXPECT_THAT(pykc({"double.pyk", "--emit=cu="}).messages, HasSubstr("a value is missing"));
}

// Two libraries of a program may have the same file, compiled otherwise: neither takes the other's code.
TEST_F(CliOutputs, WhatIsBuiltOtherwiseHasOtherNames) {
    const auto space = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"saxpy.pyk", "-o", "s.h", "--emit=header"});
        EXPECT_EQ(pykc(options).exit_code, 0);
        const std::string header = read("s.h");
        const size_t at = header.find("inline namespace pyk_");
        return header.substr(at, header.find(' ', at + 17) - at);
    };
    const std::string cu = space({"--emit=cu=s.cu"});
    EXPECT_EQ(space({"--emit=cu=s.cu"}), cu);
    EXPECT_THAT(read("s.cu"), HasSubstr(cu));
    EXPECT_NE(space({"--emit=cpp=s.cpp"}), cu);
    EXPECT_NE(space({"--emit=cu=s.cu", "-arch=sm_90"}), cu);
    EXPECT_NE(space({"--emit=cu=s.cu", "--fastmath"}), cu);
    EXPECT_NE(space({"--emit=cu=s.cu", "--check=bounds"}), cu);
}

// The compiler's flags are a GPU's: texts for the CPU have none.
TEST_F(CliOutputs, FunctionsOfTheCpuMayDifferInTheirOptions) {
    write("thirds.pyk", R"py(from numba import njit

@njit("float64(float64)", fastmath=True)
def fast(x):
    return x / 3

@njit("float64(float64)")
def exact(x):
    return x / 3
)py");
    const auto both = pykc({"thirds.pyk", "--emit=cpp=t.cpp", "--emit=header=t.h", "--prelude=include"});
    EXPECT_EQ(both.messages, "");
    EXPECT_THAT(read("t.h"), HasSubstr("inline pyk::Result<double> exact("));
}

TEST_F(CliOutputs, AHeaderHasAFunctionForEachSignatureOfAnArrayFunction) {
    write("add.pyk",
          "from numba import vectorize\n\n\n"
          "@vectorize(['int32(int32, int32)', 'float64(float64, float64)'], target='cuda')\n"
          "def add(x, stream):\n    \"\"\"Their sum.\"\"\"\n    return x + stream\n");
    ASSERT_EQ(pykc({"add.pyk", "-o", "add.cu", "--emit=cu,header,cpp"}).exit_code, 0);
    const std::string header = read("add.h");
    EXPECT_THAT(header, HasSubstr("/// Their sum.\n/// add(int32, int32) -> int32, of each element, at add.pyk:5\n"
                                  "pyk::Status add(const pyk::Operand<int>& x, const pyk::Operand<int>& stream, "
                                  "const pyk::AnyView<int>& out,\n        pyk::StreamRef stream_1 = {});\n"));
    EXPECT_THAT(header, HasSubstr("const pyk::Operand<double>& stream, const pyk::AnyView<double>& out,\n"));
    // Two kernels for each signature, which may meet those of another file.
    const std::string kernels = read("add.cu");
    EXPECT_THAT(kernels, HasSubstr("\nPYK_LINKED __global__ void __launch_bounds__(256) pyk_add_i4_i4_flat("));
    EXPECT_THAT(kernels, HasSubstr("\nPYK_LINKED __global__ void __launch_bounds__(256) pyk_add_i4_i4_any("));
    EXPECT_THAT(kernels, Not(HasSubstr("pyk_add_i4_i4_rows")));
    EXPECT_THAT(read("add.cpp"), HasSubstr("\n__attribute__((weak)) void pyk_add_i4_i4(const pyk::cpu_block*"));
    ASSERT_EQ(pykc({"add.pyk", "-o", "only.cu", "--emit=cu,header"}).exit_code, 0);
    EXPECT_THAT(read("only.h"), HasSubstr("\"pyk_add_i4_i4_any\", nullptr, "));
}

TEST_F(CliOutputs, AHeaderHasAFunctionForEachSignatureOfAFunctionForTheCpu) {
    write("ratio.pyk",
          "from numba import njit\n\n\n"
          "@njit(['int64(int64, int64)', 'Tuple((float64, int64))(float64[:], int64)'])\n"
          "def ratio(x, by):\n    \"\"\"How often.\"\"\"\n    return x // by\n\n\n"
          "@njit('void(float64[::1])')\n"
          "def clear(x):\n    x[0] = 0\n\n\n"
          "@njit('float64[:](float64[:])')\n"
          "def view(x):\n    return x[1:]\n\n\n"
          "@njit('Tuple((int64, UniTuple(float32[:, :], 2)))(float32[:, :])')\n"
          "def both(x):\n    return 1, (x, x.T)\n\n\n"
          "@njit('optional(int64)(int64)')\n"
          "def perhaps(x):\n    return x if x else None\n\n\n"
          "@njit(['float64(none)', 'float64(float64)'])\n"
          "def either(x):\n    return 0.5\n\n\n"
          "@njit('Tuple((datetime64[D], timedelta64[D]))(datetime64[D], datetime64[D][:])')\n"
          "def since(day, days):\n    return days[0], day - days[0]\n");
    EXPECT_EQ(pykc({"ratio.pyk", "--check", "--sig", "ratio(int64, int64)"}).exit_code, 0);
    ASSERT_EQ(pykc({"ratio.pyk", "--sig", "ratio(int64, int64)", "-o", "ratio.cpp", "--emit=cpp,header"}).exit_code, 0);
    const std::string header = read("ratio.h");
    EXPECT_THAT(
        header,
        HasSubstr("of that name and these types\n/// How often.\n/// ratio(int64, int64) -> int64 on "
                  "the CPU, at ratio.pyk:5\n"
                  "pyk::Result<long long> ratio(pyk::Scalar<long long> x, pyk::Scalar<long long> by);\n#endif\n"));
    EXPECT_THAT(header, HasSubstr("/// clear(float64[::1]) on the CPU, at ratio.pyk:11\n"
                                  "pyk::Status clear(pyk::View<double, 1> x);\n"));
    EXPECT_THAT(header, HasSubstr("/// view(float64[:]) -> float64[::1] on the CPU, at ratio.pyk:16\n"
                                  "pyk::Result<pyk::Array<double, 1>> view(pyk::View<const double, 1> x);\n"));
    EXPECT_THAT(header, HasSubstr("pyk::Result<std::tuple<long long, std::tuple<pyk::Array<float, 2>, "
                                  "pyk::Array<float, 2>>>> both("));
    EXPECT_THAT(header, HasSubstr("pyk::Result<std::optional<long long>> perhaps(pyk::Scalar<long long> x);"));
    EXPECT_THAT(header, HasSubstr("pyk::Result<double> either();"));
    EXPECT_THAT(header, HasSubstr("pyk::Result<double> either(pyk::Scalar<double> x);"));
    EXPECT_THAT(header, HasSubstr("pyk::Result<std::tuple<pyk::DateTime<pyk::TimeUnit::days>, "
                                  "pyk::TimeDelta<pyk::TimeUnit::days>>> since("));
    // They are not for GPUs.
    ASSERT_EQ(pykc({"ratio.pyk", "--sig", "ratio(int64, int64)", "-o", "ratio.cu"}).exit_code, 0);
    EXPECT_THAT(read("ratio.cu"), Not(HasSubstr("__global__")));
    EXPECT_THAT(pykc({"ratio.pyk", "--list"}).output,
                HasSubstr("clear(x): a function for the CPU\n    clear(float64[::1])"));
}

TEST_F(CliOutputs, ArrayFunctionsThatMakeArraysAreForTheCpuAlone) {
    write("parts.pyk",
          "from numba import guvectorize, njit\n\n\n"
          "@guvectorize(['(float64[:], float64[:])'], '(n)->(n)')\n"
          "def centred(x, out):\n    out[:] = x - x.mean()\n\n\n"
          "@guvectorize(['(float64[:], float64[:])'], '(n)->(n)')\n"
          "def doubled(x, out):\n    for i in range(x.shape[0]):\n        out[i] = 2 * x[i]\n\n\n"
          "@njit('float64[:](float64[:])')\n"
          "def halved(x):\n    return x / 2\n");
    const auto made = pykc({"parts.pyk", "--emit=cpp=parts.cpp", "--emit=header=parts.h"});
    ASSERT_EQ(made.exit_code, 0) << made.messages;
    EXPECT_EQ(made.messages, "");
    EXPECT_EQ(pykc({"parts.pyk", "--check"}).exit_code, 0);
    EXPECT_THAT(read("parts.cpp"),
                AllOf(HasSubstr("pyk_doubled_"), HasSubstr("pyk_centred_"), HasSubstr("pyk_halved_")));
    for (const char* name : {"pyk::Status doubled(", "pyk::Status centred(", "halved("})
        EXPECT_THAT(read("parts.h"), HasSubstr(name));
    const auto built = shell("$PYKC parts.pyk --emit=cpp=all.cpp && c++ -std=c++17 -fsyntax-only all.cpp");
    EXPECT_EQ(built.exit_code, 0) << built.messages;
    EXPECT_THAT(pykc({"parts.pyk", "--emit=cu"}).messages, HasSubstr("`-` of arrays would need a new array"));
}

TEST_F(CliOutputs, AHeaderHasFunctionsForPartsOfArraysAndAroundEachElement) {
    write("parts.pyk",
          "from numba import guvectorize, stencil\n\n\n"
          "@guvectorize(['(float32[:], float32[::1])', '(float64[::1], float64[::1])'], '(n)->(n)')\n"
          "def norm(x, out):\n    total = 0.0\n    for v in x:\n        total += v\n"
          "    for i in range(x.shape[0]):\n        out[i] = x[i] / total\n\n\n"
          "@stencil(standard_indexing=('w',))\n"
          "def around(x, w):\n    return x[-1] * w[0] + x[1]\n");
    const std::vector<std::string> options = {"parts.pyk",
                                              "--sig",
                                              "norm(float32[:], float32[::1])",
                                              "--sig",
                                              "norm(float64[::1], float64[::1])",
                                              "--sig",
                                              "around(int32[:], float64[::1])"};
    std::vector<std::string> command = options;
    command.insert(command.end(), {"--emit=cu=parts.cu", "--emit=cpp=parts.cpp", "--emit=header=parts.h"});
    ASSERT_EQ(pykc(command).exit_code, 0);
    const std::string header = read("parts.h"), text = read("parts.cu");
    EXPECT_THAT(header,
                HasSubstr("/// norm(float32[:], float32[::1]), of parts `(n)->(n)`, at parts.pyk:5\n"
                          "pyk::Status norm(const pyk::AnyView<const float>& x, const pyk::AnyView<float>& out, "
                          "pyk::StreamRef stream = {});"));
    EXPECT_THAT(header, HasSubstr("/// around(int32[:], float64[::1]) -> float64[:], around each element, at "
                                  "parts.pyk:14\n"
                                  "pyk::Status around(pyk::View<const int, 1> x, pyk::View<const double, 1> w, "
                                  "pyk::View<double, 1> out,"));
    // Any strides where the signature says so: of the input alone.
    EXPECT_THAT(header, HasSubstr("{\"ac\", pyk_norm_a1f4cr_a1f4c_kernels + "));
    EXPECT_THAT(header, Not(HasSubstr("pyk_norm_a1f8ar")));
    EXPECT_THAT(header, HasSubstr(", \"r..\", stream, x, w,"));
    // What the table names is there.
    for (const char* symbol : {"core", "staged", "team1024", "team32x4", "team1024x32"})
        EXPECT_THAT(text, HasSubstr(" pyk_norm_a1f4cr_a1f4c_" + std::string(symbol) + "("));
    EXPECT_THAT(text, HasSubstr("template <int pyk_threads, int pyk_items>\n__device__ void norm_a1f4cr_a1f4c("));
    // Without a header there is one kernel for each.
    command = options;
    command.insert(command.end(), {"-o", "alone.cu"});
    ASSERT_EQ(pykc(command).exit_code, 0);
    EXPECT_THAT(read("alone.cu"), Not(HasSubstr("c_staged(")));
}

TEST_F(CliOutputs, KernelsAndFunctionsForTheCpuDoNotShareWhatTheyMean) {
    write("both.pyk",
          "from numba import cuda, njit\n\n\n"
          "@njit('int64(int64, int64)')\n"
          "def ratio(x, by):\n    return x // by\n\n\n"
          "@cuda.jit('void(int64[::1])')\n"
          "def halve(x):\n    x[0] = ratio(x[0], x[1])\n");
    ASSERT_EQ(pykc({"both.pyk", "-o", "both.cu", "--emit=cu,header,cpp", "--prelude=include"}).exit_code, 0);
    const std::string text = read("both.cpp"), header = read("both.h");
    EXPECT_EQ(pykc({"both.pyk", "-o", "kernels.cu", "--emit=cu,header", "--prelude=include"}).exit_code, 0);
    const std::regex digest("namespace pyk_[0-9a-f]{8}");  // of the inline namespace, which says what is built
    EXPECT_EQ(std::regex_replace(read("kernels.cu"), digest, ""), std::regex_replace(read("both.cu"), digest, ""));
    EXPECT_THAT(text, HasSubstr("void pyk_halve_a1i8c("));
    EXPECT_THAT(text, HasSubstr("void pyk_ratio_call_i8_i8_a1i8c("));
    // A division by zero is an error of the call, and none of a kernel's.
    EXPECT_LT(text.find("void pyk_halve_a1i8c("), text.find("ZeroDivisionError"));
    EXPECT_THAT(header, HasSubstr("pyk::Status halve(const pyk::Launch& launch, pyk::View<long long, 1> x);"));
    EXPECT_THAT(header,
                HasSubstr("pyk::Result<long long> ratio(pyk::Scalar<long long> x, pyk::Scalar<long long> by);"));
    EXPECT_THAT(header, HasSubstr("pyk::aot::File pyk_file{\"both.pyk\", nullptr, &pyk_find, false}"));
}

TEST_F(CliOutputs, SeveralInputsGoToAFolder) {
    ASSERT_EQ(pykc({"saxpy.pyk", "double.pyk", "-d", "made/here", "--emit=cu,cpp", "-j", "2"}).exit_code, 0);
    EXPECT_EQ(read("made/here/saxpy.cu"), pykc({"saxpy.pyk"}).output);
    EXPECT_THAT(read("made/here/double.cpp"), HasSubstr("pyk_double_a1i4c"));
    EXPECT_EQ(pykc({"saxpy.pyk", "double.pyk"}).exit_code, 2);
    EXPECT_EQ(pykc({"saxpy.pyk", "saxpy.pyk", "-d", "made"}).exit_code, 2);
    EXPECT_EQ(pykc({"saxpy.pyk", "-d", "made", "-o", "x.cu"}).exit_code, 2);
    // What is wrong with one says nothing against the others.
    write("bad.pyk", "from numba import cuda\n\n\n@cuda.jit('void(int32[:])')\ndef k(x):\n    x[0] = y\n");
    EXPECT_EQ(pykc({"bad.pyk", "saxpy.pyk", "-d", "other"}).exit_code, 1);
    EXPECT_TRUE(exists("other/saxpy.cu"));
    EXPECT_FALSE(exists("other/bad.cu"));
}

TEST_F(CliOutputs, SignaturesOfOtherFilesKernelsMayBeIgnored) {
    write("scale.pyk", kScale);
    const std::vector<std::string> both = {"scale.pyk", "saxpy.pyk", "-d", "o", "--sig", "scale(int32[:])"};
    EXPECT_EQ(pykc(both).exit_code, 1);
    std::vector<std::string> lenient = both;
    lenient.emplace_back("--skip-foreign-sigs");
    EXPECT_EQ(pykc(lenient).exit_code, 0);
    EXPECT_THAT(read("o/scale.cu"), HasSubstr("pyk_scale_a1i4a"));
}

TEST_F(CliOutputs, AFailureLeavesEveryFileAsItWas) {
    write("out.h", "old");
    EXPECT_EQ(pykc({"saxpy.pyk", "--emit=header=out.h", "--emit=cu=no/such/folder/x.cu"}).exit_code, 3);
    EXPECT_EQ(read("out.h"), "old");
    EXPECT_THAT(files(), ElementsAre("double.pyk", "my_helper.pyk", "out.h", "saxpy.pyk"));
}

TEST_F(CliOutputs, Depfiles) {
    ASSERT_EQ(pykc({"double.pyk", "-o", "double.cu", "-MD"}).exit_code, 0);
    EXPECT_EQ(read("double.d"), "double.cu: \\\n  double.pyk \\\n  my_helper.pyk\n");
    ASSERT_EQ(pykc({"double.pyk", "-o", "double.cu", "-MD", "-MP", "-MFdeps", "-MT", "a b", "-MT", "$c#"}).exit_code,
              0);
    EXPECT_EQ(read("deps"), "a\\ b $$c\\#: \\\n  double.pyk \\\n  my_helper.pyk\nmy_helper.pyk:\n");
    // What is no file is not named; what links is.
    write("own.cu", "extern \"C\" __device__ int twice(int x) { return 2 * x; }\n");
    ASSERT_EQ(shell("$PYKC - --stdin-name=sub/s.pyk --link own.cu -o s.cu -MF s.d < saxpy.pyk").exit_code, 0);
    EXPECT_EQ(read("s.d"), "s.cu: \\\n  own.cu\n");
    ASSERT_EQ(shell("$PYKC - -MP -MQ 'a b' -o d.cu -MF d.d < double.pyk").exit_code, 0);
    EXPECT_EQ(read("d.d"), "a\\ b: \\\n  my_helper.pyk\nmy_helper.pyk:\n");
    EXPECT_EQ(pykc({"double.pyk", "-MD"}).exit_code, 2);
    write("double.pyk", "x = = 1");
    EXPECT_EQ(pykc({"double.pyk", "-o", "n.cu", "-MD"}).exit_code, 1);
    EXPECT_FALSE(exists("n.d"));
}

TEST_F(CliOutputs, AFileThatIsNotThereLeavesTheOthers) {
    const auto result = pykc({"nowhere.pyk", "double.pyk", "-d", "others"});
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.messages, HasSubstr("nowhere.pyk"));
    EXPECT_TRUE(exists("others/double.cu"));
}

TEST_F(CliOutputs, StdinHasAName) {
    const auto result = shell("printf 'x = = 1' | $PYKC - --stdin-name=sub/k.pyk");
    EXPECT_THAT(result.messages, StartsWith("sub/k.pyk:1:5: error:"));
    EXPECT_EQ(
        shell("cd / && $PYKC - --stdin-name=" + folder_.file("k.pyk") + " < " + folder_.file("double.pyk")).exit_code,
        0);
}

TEST_F(CliOutputs, ResponseFiles) {
    write("arguments", "-o 'out file.cu'\n--emit=cu -I \".\" @more");
    write("more", "saxpy.pyk --namespace=a::\\b");
    ASSERT_EQ(pykc({"@arguments"}).exit_code, 0);
    EXPECT_THAT(read("out file.cu"), HasSubstr("namespace a::b {"));
    write("loop", "@loop");
    EXPECT_EQ(pykc({"@loop"}).exit_code, 2);
    EXPECT_THAT(pykc({"@missing"}).messages, HasSubstr("cannot read @missing"));
}

TEST_F(CliOutputs, Namespaces) {
    EXPECT_THAT(pykc({"saxpy.pyk", "--namespace=blas::one"}).output, HasSubstr("namespace blas::one {"));
    EXPECT_EQ(pykc({"saxpy.pyk", "--namespace=1x"}).exit_code, 2);
    EXPECT_EQ(pykc({"saxpy.pyk", "--namespace=a::"}).exit_code, 2);
    EXPECT_EQ(pykc({"saxpy.pyk", "--namespace=a::class"}).exit_code, 2);
    EXPECT_EQ(pykc({"saxpy.pyk", "-D", "1 x=3"}).exit_code, 2);
}

TEST_F(CliOutputs, HeadersIncludeEachPartOnce) {
    write("pairs.pyk",
          "from numba import cuda\n\n\n@cuda.jit('void(UniTuple(int32, 2), float16[::1])')\n"
          "def first(pair, out):\n    out[cuda.grid(1)] = pair[0]\n");
    ASSERT_EQ(pykc({"pairs.pyk", "--emit=cu=pairs.cu", "--emit=header=pairs.h"}).exit_code, 0);
    const std::string header = read("pairs.h");
    for (const char* part : {"#include <pyk/tuple.h>", "#include <pyk/half.h>", "#include <pyk/array.h>"})
        EXPECT_EQ(header.find(part), header.rfind(part)) << part;
    EXPECT_THAT(header, HasSubstr("#include <pyk/tuple.h>"));
}

TEST_F(CliOutputs, ImagesHoldEachArchitecture) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    ASSERT_EQ(pykc({"saxpy.pyk", "--emit=images=i.cpp", "--emit=header=i.h", "-arch=80-real;90"}).exit_code, 0);
    write("main.cpp", R"(#include "i.h"
#include <regex>
#include <cstdio>
int main() {
    for (size_t i = 0; i < saxpy::saxpy_images.count; ++i) {
        const pyk::Image& image = saxpy::saxpy_images.first[i];
        std::fprintf(stderr, "%d %d %d;", image.sm, image.is_ptx, static_cast<int>(image.data[image.size]));
    }
    std::fwrite(saxpy::saxpy_images.first[0].data, 1, saxpy::saxpy_images.first[0].size, stdout);
}
)");
    const auto built = shell("c++ -std=c++17 -Wall -Werror -I '" PYK_SOURCE_DIR "/runtime/aot' -I '" PYK_SOURCE_DIR
                             "/runtime/host' main.cpp i.cpp -o main");
    ASSERT_EQ(built.exit_code, 0) << built.messages;
    const auto ran = shell("./main");
    EXPECT_EQ(ran.messages, "80 0 0;90 0 0;90 1 0;");
    EXPECT_THAT(ran.output, StartsWith("\x7f"
                                       "ELF"));
    EXPECT_THAT(ran.output, HasSubstr("pyk_saxpy_f4_a1f4c_a1f4c_noalias"));
}

// Of the library's functions beside one's own, which not all need what tells where they were called.
TEST_F(CliOutputs, FunctionsForTheCpuWarnOfNothing) {
    write(
        "k.pyk",
        "import numpy as np\nfrom numba import njit, prange\n@njit('float64(float64[::1], int64[::1])')\ndef f(a, i):\n"
        "    b = np.where(a > 1, a, np.cumsum(a))\n    lo, hi = 0, len(a)\n    while lo < hi:\n"
        "        mid = (lo + hi) // 2\n        lo, hi = (mid + 1, hi) if a[mid] < 2.0 else (lo, mid)\n"
        "    return np.outer(a, b).sum() + np.sort(i)[0] + np.unique(i)[0] + np.median(a) + lo\n"
        "@njit('int64(float64[::1])')\ndef g(a):\n    lo, hi = 0, len(a)\n    while lo < hi:\n"
        "        mid = (lo + hi) // 2\n        lo, hi = (mid + 1, hi) if a[mid] < 2.0 else (lo, mid)\n    return lo\n"
        "@njit('float64(int64[::1], uint8[::1])')\ndef of_integers(i, u):\n"
        "    return np.median(i) + np.percentile(i, 30) + np.bincount(u)[0]\n"
        "@njit('float64[:](float64[::1])', parallel=True)\ndef in_parallel(x):\n    total = 0.0\n"
        "    for i in prange(x.size):\n        x[i] *= 2\n        total += x[i]\n    return x * 2 + total + (x * "
        "x).sum()\n");
    ASSERT_EQ(pykc({"k.pyk", "--emit=cpp=k.cpp", "--prelude=include"}).exit_code, 0);
    const auto built = shell(
        "c++ -std=c++17 -Wall -Wextra -Wshadow -Wconversion -Werror -fopenmp-simd -fsyntax-only -I '" PYK_SOURCE_DIR
        "/runtime/device' k.cpp");
    EXPECT_EQ(built.exit_code, 0) << built.messages;
}

// Operands of which a row has one element are said to be such: the C++ compiler computes several of a row at once.
TEST_F(CliOutputs, ColumnsInExpressionsOfArrays) {
    write("k.pyk",
          "import numpy as np\nfrom numba import njit\n@njit('float64[:, ::1](float64[::1], float64[:, ::1])')\n"
          "def f(a, m):\n    return (a[:, None] - a[None, :]) * a.reshape(-1, 1) + m\n");
    ASSERT_EQ(pykc({"k.pyk", "--emit=cpp=k.cpp", "--prelude=include"}).exit_code, 0);
    const std::string text = read("k.cpp");
    size_t repeated = 0;
    for (size_t at = text.find("pyk::repeated("); at != text.npos; at = text.find("pyk::repeated(", at + 1)) ++repeated;
    EXPECT_EQ(repeated, 2u);  // `a[:, None]` and `a.reshape(-1, 1)`
}

// Who holds an array's memory is counted where several may: what a round makes goes to its name as it is.
TEST_F(CliOutputs, NewArraysChangeHandsWithoutCounting) {
    write("k.pyk",
          "import numpy as np\nfrom numba import njit\n@njit('float64(int64)')\ndef f(n):\n    y = np.ones(2)\n"
          "    for i in range(n):\n        y = y + 0.5 * np.array([y[1], -y[0]])\n    return y[0]\n"
          "@njit('float64(int64)')\ndef g(n):\n    y = np.ones(2)\n    v = y[1:]\n    for i in range(n):\n"
          "        y = y + v[0]\n        v = y[:1] + v\n    return v[0]\n");
    ASSERT_EQ(pykc({"k.pyk", "--emit=cpp=k.cpp", "--prelude=include"}).exit_code, 0);
    const std::string text = read("k.cpp");
    const auto body = [&](const char* name) {
        const size_t begin = text.find(std::string("static inline double ") + name + "(pyk::thread&");
        return text.substr(begin, text.find("\n}\n", begin) - begin);
    };
    EXPECT_THAT(body("f"), HasSubstr("y = std::move("));
    EXPECT_THAT(body("f"), Not(HasSubstr("kept_of")));
    EXPECT_THAT(body("g"), HasSubstr("v = pyk::kept_of(y, "));  // `y` becomes another array, `v` keeps the first
}

TEST_F(CliOutputs, HeadersWarnOfNothingWhateverADocstringSays) {
    write("k.pyk",
          "from numba import cuda\n@cuda.jit('void(float32[::1])')\ndef k(x):\n"
          "    \"\"\"Is it zero?\?/\n    A backslash \\\\\n    */ /* ends\"\"\"\n    x[0] = 1\n");
    ASSERT_EQ(pykc({"k.pyk", "--emit=cpp=k.cpp", "--emit=header=k.h"}).exit_code, 0);
    EXPECT_THAT(read("k.h"), HasSubstr("/// Is it zero?? /\n"));
    const auto built = shell("c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I '" PYK_SOURCE_DIR
                             "/runtime/aot' -I '" PYK_SOURCE_DIR "/runtime/host' -I '" PYK_SOURCE_DIR
                             "/runtime/device' -include k.h -x c++ /dev/null");
    EXPECT_EQ(built.exit_code, 0) << built.messages;
}

TEST_F(CliOutputs, KernelsAndFunctionsForTheHostShareAFunction) {
    write("k.pyk",
          "import numpy as np\nfrom numba import cuda, guvectorize, njit\n"
          "@njit('float64(float32)')\ndef twice(x):\n    return x * 2.0\n"
          "@guvectorize(['(float32[:], float32[:])'], '(n)->(n)')\ndef g(x, out):\n    out[:] = np.sqrt(x) * "
          "twice(x[0])\n"
          "@njit('float64(float32[:])')\ndef first(x):\n    return twice(x[0])\n"
          "@cuda.jit('void(float32[:])')\ndef k(x):\n    x[0] = twice(x[1])\n");
    ASSERT_EQ(pykc({"k.pyk", "--emit=cpp=k.cpp"}).exit_code, 0);
    const auto built = shell("c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only k.cpp");
    EXPECT_EQ(built.exit_code, 0) << built.messages;
}

TEST_F(CliOutputs, AFunctionIsCompiledWithWhatItsNamesAreThen) {
    write("k.pyk",
          "from numba import cuda\ndef twice(x):\n    return x * 2\ndef thrice(x):\n    return x * 3\n"
          "def f(a):\n    a[0] = g(a[0]) + N\n"
          "N = 5\ng = cuda.jit(twice, device=True)\nfirst = cuda.jit('void(int64[::1])')(f)\n"
          "N = 7\ng = cuda.jit(thrice, device=True)\nsecond = cuda.jit('void(int64[::1])')(f)\nN = 9\n");
    for (const auto& [kernel, value] : {std::pair("first", "[15]"), std::pair("second", "[22]")})
        EXPECT_THAT(
            pykc({"run", "k.pyk", kernel, "full:i64:1:5", "--grid", "1", "--block", "1", "--device", "cpu"}).output,
            HasSubstr(value));
}

TEST_F(CliOutputs, NumbersKeepTheirBase) {
    write("k.pyk",
          "import numpy as np\nfrom numba import cuda\n\nMASK = 0xFFFF_FFFF\nGOLDEN = np.uint32(0x9E3779B9)  # 2**32 / "
          "phi\n"
          "@cuda.jit('void(uint32[::1], int64[::1])')\ndef k(a, b):\n"
          "    b[0] = (b[0] & 0xff00ff00) + MASK + 0o17 + 0X1F\n"
          "    b[1] = b[1] | 0b1010 if b[1] != -0x80 else 0x7FFFFFFFFFFFFFFF\n"
          "    a[0] = (a[0] & np.uint32(0xdeadbeef)) ^ GOLDEN\n"
          "    a[1] = 0xF0 * 2\n");
    const std::string text = pykc({"k.pyk", "-o", "-"}).output;
    for (const char* part : {"constexpr long long MASK = 0xFFFFFFFFLL;", "constexpr unsigned int GOLDEN = 0x9E3779B9u;",
                             "& 0xff00ff00LL) + MASK + 15 + 0x1F", "b(1) | 0b1010", "!= -0x80", "0x7FFFFFFFFFFFFFFFLL",
                             "0xdeadbeef", "a(1) = 480"})
        EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(CliOutputs, AFilePerArchitecture) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    ASSERT_EQ(pykc({"saxpy.pyk", "-d", "o", "--emit=cubin,ptx", "-arch=sm_80,sm_90"}).exit_code, 0);
    EXPECT_THAT(read("o/saxpy.sm_90.cubin"), StartsWith("\x7f"
                                                        "ELF"));
    EXPECT_THAT(read("o/saxpy.compute_80.ptx"), HasSubstr(".target sm_80"));
    const std::string all = pykc({"--list-archs"}).output;
    EXPECT_THAT(all, HasSubstr("sm_90\n"));
    EXPECT_EQ(pykc({"saxpy.pyk", "-arch=90-fast", "-o", "x.cubin"}).exit_code, 2);
}

TEST_F(CliOutputs, ObjectsAreCalledFromCuda) {
    if (!find_nvcc()) GTEST_SKIP() << "no nvcc on this machine";
    ASSERT_EQ(pykc({"saxpy.pyk", "-o", "saxpy.o", "-arch=sm_90"}).exit_code, 0);
    EXPECT_THAT(shell("nm saxpy.o").output, HasSubstr(" T pyk_saxpy_f4_a1f4c_a1f4c"));
}

TEST_F(CliOutputs, ToolsAreShown) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    const auto verbose = pykc({"saxpy.pyk", "-o", "s.cubin", "-arch=sm_90", "-v"});
    EXPECT_THAT(verbose.messages, HasSubstr("--gpu-architecture=sm_90"));
    EXPECT_TRUE(exists("s.cubin"));
    const auto shown = pykc({"saxpy.pyk", "-o", "t.cubin", "-arch=sm_90", "-###"});
    EXPECT_THAT(shown.messages, HasSubstr("--gpu-architecture=sm_90"));
    EXPECT_THAT(shown.messages, HasSubstr("would write t.cubin\n"));
    EXPECT_FALSE(exists("t.cubin"));
    EXPECT_EQ(pykc({"saxpy.pyk", "-o", "u.cu", "--dry-run"}).messages, "would write u.cu\n");
    EXPECT_FALSE(exists("u.cu"));
}

TEST_F(CliOutputs, TimeReports) {
    const auto json = nlohmann::json::parse(pykc({"saxpy.pyk", "--time-report=json"}).messages);
    ASSERT_EQ(json["inputs"].size(), 1u);
    EXPECT_EQ(json["inputs"][0]["file"], "saxpy.pyk");
    double sum = 0;
    for (const auto& [phase, seconds] : json["inputs"][0]["seconds"].items()) sum += seconds.get<double>();
    EXPECT_NEAR(json["inputs"][0]["total"].get<double>(), sum, 1e-9);
    EXPECT_TRUE(json["inputs"][0]["seconds"].contains("parse"));
    EXPECT_THAT(pykc({"--time-report", "--check", "saxpy.pyk"}).messages, HasSubstr("total"));
    EXPECT_THAT(pykc({"--check", "--time-report", "saxpy.pyk"}).messages, HasSubstr("total"));
}

TEST_F(CliOutputs, TemplatesOfTheHouse) {
    ASSERT_EQ(
        shell("mkdir -p house/cuda && cp '" PYK_SOURCE_DIR
              "/templates/cuda/module.mustache' house/cuda && sed -i '1i // Our house.' house/cuda/module.mustache")
            .exit_code,
        0);
    ASSERT_EQ(pykc({"saxpy.pyk", "--templates", "house", "-o", "h.cu", "-MD"}).exit_code, 0);
    EXPECT_THAT(read("h.cu"), StartsWith("// Our house.\n"));
    EXPECT_THAT(read("h.d"), HasSubstr("house/cuda/module.mustache"));
    // Parts of a header are texts of one template, of which only the first has its head.
    ASSERT_EQ(shell("cp '" PYK_SOURCE_DIR "/templates/cuda/header.mustache' house/cuda && "
                    "sed -i 's|^#pragma once|// Do not #include this.\\n&|' house/cuda/header.mustache")
                  .exit_code,
              0);
    write("two.pyk",
          std::string(kSaxpy) + "from numba import njit\n@njit('int64(int64)')\ndef twice(n): return 2 * n\n");
    ASSERT_EQ(pykc({"two.pyk", "--templates", "house", "--emit=cpp,header", "-o", "two"}).exit_code, 0);
    EXPECT_THAT(read("two.h"), HasSubstr("// Do not #include this.\n#pragma once\n"));
    EXPECT_EQ(read("two.h").find("Do not", read("two.h").find("Do not") + 1), std::string::npos);
    EXPECT_THAT(read("two.h"), HasSubstr("twice("));
    ASSERT_EQ(shell("mkdir empty").exit_code, 0);
    const auto done = pykc({"saxpy.pyk", "--templates", "empty", "-o", "e.cu"});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(done.messages, HasSubstr("template `empty`: no template is in this folder"));
}

}  // namespace
}  // namespace pyk
