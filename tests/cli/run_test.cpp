// `pykc run`, on the CPU.
#include <gmock/gmock.h>

#include <cstring>

#include "cli.h"
#include "compile/host_compiler.h"
#include "driver/cli/npy.h"

namespace pyk {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class CliRun : public Cli {
  protected:
    void SetUp() override {
        Cli::SetUp();
        if (!find_host_compiler()) GTEST_SKIP() << "no C++ compiler on this machine";
        write("saxpy.pyk", kSaxpy);
        write("scale.pyk", kScale);
    }

    ProcessResult run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "run");
        arguments.insert(arguments.end(), {"--device", "cpu"});
        return pykc(arguments);
    }

    template <typename T>
    std::vector<T> saved(const std::string& name) const {
        auto array = parse_npy(read(name));
        EXPECT_TRUE(std::holds_alternative<NpyArray>(array));
        const std::string& bytes = std::get<NpyArray>(array).bytes;
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
};

TEST_F(CliRun, LaunchesAndSaves) {
    const auto result = run(
        {"saxpy.pyk", "saxpy", "--grid", "2", "--block", "4", "2", "arange:f32:6", "ones:f32:6", "--save", "y=y.npy"});
    ASSERT_EQ(result.exit_code, 0) << result.messages;
    EXPECT_THAT(result.output, StartsWith("saxpy<<<2, 4>>> "));
    EXPECT_THAT(result.output, HasSubstr(" ms on the CPU ("));
    EXPECT_THAT(result.output, HasSubstr("y: float32 (6,) [1, 3, 5, 7, 9, 11]"));
    EXPECT_THAT(saved<float>("y.npy"), ElementsAre(1, 3, 5, 7, 9, 11));
}

TEST_F(CliRun, AccessesBeyondTheEndEndItWithAMessage) {
    write("beyond.pyk",
          "from numba import cuda\n@cuda.jit\ndef near(x, y):\n    i = cuda.grid(1)\n    y[i] = x[i]\n"
          "@cuda.jit\ndef far(x, n):\n    x[cuda.grid(1) + n] = 1\n");
    const std::vector<std::vector<std::string>> calls = {
        {"beyond.pyk", "near", "--grid", "1", "--block", "64", "ones:f32:64", "ones:f32:16"},
        {"beyond.pyk", "far", "--grid", "1", "--block", "1", "ones:f32:16", "i64:10000000000000"}};
    for (const auto& call : calls) {
        const auto result = run(call);
        EXPECT_EQ(result.exit_code, 1);
        EXPECT_EQ(result.output, "");
        EXPECT_THAT(result.messages, HasSubstr("memory outside of the arrays was read or written"));
    }
    auto checked = calls[0];
    checked.push_back("--check-bounds");
    EXPECT_THAT(run(checked).messages, HasSubstr("index 16 is out of range"));
}

// C++ takes a loop without an end that does nothing for one that is never come to.
TEST_F(CliRun, EndsWhatDoesNotEnd) {
    write("spin.pyk",
          "from numba import cuda\n\n@cuda.jit\ndef spin(flag):\n    while flag[0] == 0:\n        pass\n"
          "    flag[1] = 1\n\n@cuda.jit\ndef count(x):\n    n = x[0]\n    while n != 1:\n        n += 2\n"
          "    x[0] = n\n");
    for (const char* kernel : {"spin", "count"}) {
        const auto result =
            pykc({"run", "spin.pyk", kernel, "--grid=1", "--block=1", "--device=cpu", "--timeout=1.5", "zeros:i32:2"});
        EXPECT_EQ(result.exit_code, 1) << kernel;
        EXPECT_EQ(result.output, "");
        EXPECT_THAT(result.messages, HasSubstr(std::string("`") + kernel + "` still runs after 1.5 s (--timeout)"));
    }
    EXPECT_EQ(pykc({"run", "spin.pyk", "spin", "--grid=1", "--block=1", "--timeout=60", "ones:i32:2"}).exit_code, 0);
    EXPECT_THAT(pykc({"run", "spin.pyk", "spin", "--timeout=-1", "ones:i32:2"}).messages, HasSubstr("--timeout"));
}

// The kernel and the message of docs/command-line.md.
TEST_F(CliRun, FindsRaces) {
    write("reversed.pyk",
          "# reversed.pyk\nfrom numba import cuda, float32\n\n@cuda.jit\ndef reversed_parts(x):\n"
          "    part = cuda.shared.array(64, float32)\n    t = cuda.threadIdx.x\n    part[t] = x[cuda.grid(1)]\n"
          "    x[cuda.grid(1)] = part[63 - t]\n");
    const std::vector<std::string> call = {"run",        "reversed.pyk", "reversed_parts", "--grid=2",
                                           "--block=64", "-w",           "arange:f32:128"};
    auto watched = call;
    watched.push_back("--check=race");
    const auto result = pykc(watched);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.messages,
              "pykc: error: reversed.pyk: line 8: race: element 32 of 'part' is stored to here, and thread (31, 0, 0) "
              "reads it in line 9, with no barrier between the two (block (0, 0, 0), thread (32, 0, 0)), and 63 other "
              "threads\n");
    EXPECT_THAT(pykc({"reversed.pyk", "--sig", "reversed_parts(float32[::1])", "--check=race", "-w"}).messages,
                HasSubstr("`--check=race` is not available on target `cuda`"));
    EXPECT_THAT(pykc({"reversed.pyk", "--check=races-of-all"}).messages, HasSubstr("and `--check=race`"));
}

TEST_F(CliRun, NamesFilesAndAutomaticDevice) {
    ASSERT_EQ(run({"saxpy.pyk", "saxpy", "--grid=1", "--block=8", "y=zeros:f32:8", "a=f32:-1", "x=arange:f32:8",
                   "--save", "y=in.npy"})
                  .exit_code,
              0);
    const auto result = pykc({"run", "saxpy.pyk", "saxpy", "--grid=1", "--block=8", "-1", "x=in.npy", "full:f32:8:100",
                              "--save", "y=out.npy"});
    ASSERT_EQ(result.exit_code, 0) << result.messages;
    EXPECT_THAT(saved<float>("out.npy"), ElementsAre(100, 101, 102, 103, 104, 105, 106, 107));
}

TEST_F(CliRun, SpecialisesOnTheArguments) {
    ASSERT_EQ(run({"scale.pyk", "scale", "--grid=1", "--block=4", "arange:i16:4", "--save", "x=i.npy"}).exit_code, 0);
    EXPECT_THAT(saved<int16_t>("i.npy"), ElementsAre(0, 3, 6, 9));
    ASSERT_EQ(run({"scale.pyk", "scale", "--grid=1", "--block=4", "full:f64:4:0.5", "--save", "x=d.npy", "-DFACTOR=4"})
                  .exit_code,
              0);
    EXPECT_THAT(saved<double>("d.npy"), Each(2.0));
}

// Numba reads no annotations.
TEST_F(CliRun, NumbersOfEveryType) {
    write("store.pyk", "from numba import cuda\n@cuda.jit\ndef k(x, v):\n    x[0] = v\n");
    const auto stored = [&](const char* value) {
        const auto result = pykc({"run", "store.pyk", "k", "--grid=1", "--block=1", "zeros:f64:1", value});
        return result.output.substr(result.output.rfind('['));
    };
    for (const char* type : {"f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"})
        EXPECT_EQ(stored((std::string(type) + ":3").c_str()), "[3]\n") << type;
    EXPECT_EQ(stored("bool:True"), "[1]\n");
    EXPECT_EQ(stored("f16:-0.5"), "[-0.5]\n");
    EXPECT_EQ(stored("f16:1e6"), "[inf]\n");
    EXPECT_EQ(stored("1e400"), "[inf]\n");
}

TEST_F(CliRun, NoneTuplesAndComplexNumbers) {
    write("k.pyk",
          "from numba import cuda\n\n\n"
          "@cuda.jit\ndef k(x, z, limit, at):\n"
          "    x[0] = z * at[1]\n    x[1] = 7 if limit is None else limit\n    x[2] = at[0]\n\n\n"
          "@cuda.jit('void(complex64[::1], Tuple((int64, Tuple((float32, boolean)))))')\n"
          "def nested(x, t):\n    x[0] = t[0] + t[1][0] + t[1][1]\n");
    const auto shown = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "k.pyk");
        arguments.insert(arguments.end(), {"--grid=1", "--block=1"});
        const auto result = run(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.messages;
        return result.output.substr(result.output.find('[') + 1);
    };
    // What NumPy makes of the same.
    EXPECT_EQ(shown({"k", "zeros:c128:3", "1+2j", "None", "(3, 2.5)"}), "2.5+5j, 7+0j, 3+0j]\n");
    EXPECT_EQ(shown({"k", "zeros:c64:3", "limit=f32:4", "-1-1j", "at=(True, c64:2j)"}), "2-2j, 4+0j, 1+0j]\n");
    EXPECT_EQ(shown({"nested", "zeros:c64:1", "(4, (f32:0.5, True))"}), "5.5+0j]\n");
    EXPECT_THAT(run({"k.pyk", "nested", "--grid=1", "--block=1", "zeros:c64:1", "(4, 5)"}).messages,
                HasSubstr("is launched with (complex64[::1], (int64, int64))"));
}

TEST_F(CliRun, AnnotationsThatLieAreIgnored) {
    write("lie.pyk", "from numba import cuda\n\n\n@cuda.jit\ndef k(x: float, n: int):\n    x[0] = n\n");
    ASSERT_EQ(run({"lie.pyk", "k", "--grid=1", "--block=1", "zeros:f32:1", "7", "--save", "x=lie.npy"}).exit_code, 0);
    EXPECT_THAT(saved<float>("lie.npy"), ElementsAre(7));
}

TEST_F(CliRun, TwoAxesAndFortranOrder) {
    write("t.pyk",
          "from numba import cuda\n\n\n@cuda.jit\ndef t(a, b):\n    i, j = cuda.grid(2)\n"
          "    if i < a.shape[0] and j < a.shape[1]:\n        b[j, i] = a[i, j]\n");
    // A Fortran-ordered (2, 3) array has the elements of a (3, 2) one in C order.
    NpyArray fortran{Scalar::int32, true, {2, 3}, {}};
    for (int32_t i = 0; i < 6; ++i) fortran.bytes.append(reinterpret_cast<const char*>(&i), sizeof i);
    write("f.npy", format_npy(fortran));
    const auto result =
        run({"t.pyk", "t", "--grid", "1", "--block", "4,4", "f.npy", "zeros:i32:3x2", "--save", "b=b.npy"});
    ASSERT_EQ(result.exit_code, 0) << result.messages;
    EXPECT_THAT(result.output, StartsWith("t<<<1, (4, 4)>>> "));
    EXPECT_THAT(saved<int32_t>("b.npy"), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(CliRun, ArgumentsThatDoNotFit) {
    const std::vector<std::string> shape = {"saxpy.pyk", "saxpy", "--grid=1", "--block=1"};
    const auto with = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), shape.begin(), shape.end());
        const auto result = run(arguments);
        EXPECT_EQ(result.exit_code, 2) << result.messages;
        return result.messages;
    };
    EXPECT_THAT(with({"1", "ones:f32:2"}), HasSubstr("parameter `y` of kernel `saxpy` is not given"));
    EXPECT_THAT(with({"1", "ones:f32:2", "ones:f32:2", "3"}), HasSubstr("takes 3 arguments, but 4 are given"));
    EXPECT_THAT(with({"1", "x=ones:f32:2", "x=ones:f32:2"}), HasSubstr("given twice"));
    EXPECT_THAT(with({"1", "z=ones:f32:2", "ones:f32:2"}), HasSubstr("no parameter `z`; it has a, x, y"));
    EXPECT_THAT(with({"1", "ones:f64:2", "ones:f32:2"}),
                HasSubstr("is launched with (int64, float64[::1], float32[::1])"));
    EXPECT_THAT(with({"1", "2", "ones:f32:2"}), HasSubstr("is launched with"));
    EXPECT_THAT(with({"1", "ones:f32:2", "ones:f32:2", "--save", "z=z.npy"}), HasSubstr("no parameter `z`"));
    EXPECT_THAT(with({"1", "ones:f32:2", "ones:f32:2", "--save", "a=z.npy"}), HasSubstr("`a` is not an array"));
}

TEST_F(CliRun, StarredParametersOfAKernel) {
    write("rest.pyk",
          "from numba import cuda\n"
          "@cuda.jit\n"
          "def add(out, *arrays):\n"
          "    i = cuda.grid(1)\n"
          "    if len(arrays) > 0:\n"
          "        for a in arrays:\n"
          "            out[i] += a[i]\n"
          "    if len(arrays) > 1:\n"
          "        arrays[1][i] = 0\n");
    const std::vector<std::string> call = {"rest.pyk", "add", "--grid=1", "--block=3", "zeros:f64:3"};
    const auto with = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), call.begin(), call.end());
        return run(arguments);
    };
    EXPECT_EQ(with({}).exit_code, 0);
    const auto two = with({"ones:f64:3", "arange:f64:3", "--save", "arrays[1]=rest.npy"});
    EXPECT_THAT(two.output, HasSubstr("out: float64 (3,) [1, 2, 3]")) << two.messages;
    EXPECT_THAT(saved<double>("rest.npy"), ElementsAre(0, 0, 0));
    EXPECT_THAT(with({"ones:f64:3", "--save", "arrays[1]=rest.npy"}).messages, HasSubstr("no parameter `arrays[1]`"));
    EXPECT_THAT(with({"ones:f64:3", "more=1"}).messages, HasSubstr("no parameter `more`; it has out, *arrays"));
}

TEST_F(CliRun, OtherFailures) {
    EXPECT_EQ(run({"saxpy.pyk", "saxpy", "--grid=1", "--block=1", "1", "nowhere.npy", "ones:f32:1"}).exit_code, 3);
    EXPECT_EQ(run({"nowhere.pyk", "saxpy", "--grid=1", "--block=1"}).exit_code, 3);
    const auto unknown = run({"saxpy.pyk", "saxpi", "--grid=1", "--block=1"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.messages, HasSubstr("there is no kernel `saxpi`; there is `saxpy`"));
    write("bad.pyk", "from numba import cuda\n\n\n@cuda.jit\ndef k(x):\n    x[0] = y\n");
    const auto bad = run({"bad.pyk", "k", "--grid=1", "--block=1", "ones:f32:1"});
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_THAT(bad.messages, StartsWith("bad.pyk:6:12: error:"));
    ::setenv("CXX", "/nowhere/c++", 1);
    const auto missing = run({"saxpy.pyk", "saxpy", "--grid=1", "--block=1", "1", "ones:f32:1", "ones:f32:1"});
    ::unsetenv("CXX");
    EXPECT_EQ(missing.exit_code, 3);
    EXPECT_THAT(missing.messages, HasSubstr("there is no C++ compiler `/nowhere/c++`, which $CXX names"));
}

TEST_F(CliRun, BoundsAreCheckedOnDemand) {
    write("oob.pyk", "from numba import cuda\n\n\n@cuda.jit\ndef k(x):\n    x[cuda.grid(1)] = 1\n");
    const auto result =
        run({"oob.pyk", "k", "--grid=1", "--block=8", "zeros:f32:5", "--check=bounds", "--save", "x=x.npy"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.messages, HasSubstr("oob.pyk"));
    EXPECT_THAT(result.messages, HasSubstr("line 6: index 5 is out of range for axis 0 of 'x'"));
    EXPECT_FALSE(exists("x.npy"));
}

TEST_F(CliRun, PartsOfSharedMemoryAndVectorAccessesAreChecked) {
    write("m.pyk",
          "from numba import cuda, float32\n\n\n@cuda.jit\ndef k(x, n, i):\n"
          "    s = cuda.shared.array((n, 4), float32)\n    t = cuda.shared.array(n, float32)\n"
          "    t[0] = s[0, 0] = 1\n"
          "    a = cuda.load_vector(x, i, 2)\n    cuda.store_vector(x, i + 1, (a[0], t[0]))\n");
    const auto at = [&](const char* shared, const char* n, const char* i) {
        return run({"m.pyk", "k", "--grid=1", "--block=1", "--check=bounds", shared, "zeros:f32:9", n, i}).messages;
    };
    EXPECT_THAT(at("--shared=40", "2", "0"), Not(HasSubstr("dynamic shared memory")));
    EXPECT_THAT(at("--shared=39", "2", "0"),
                HasSubstr("line 7: index 39 is out of range for axis 0 of 'dynamic shared memory'"));
    EXPECT_THAT(at("--shared=40", "2", "8"), HasSubstr("line 9: index 9 is out of range for axis 0"));
    EXPECT_THAT(at("--shared=40", "2", "0"), HasSubstr("not aligned"));
}

TEST_F(CliRun, BoundsOfAlignedPartsAreChecked) {
    write("m.pyk",
          "from numba import cuda, float32\n\n\n@cuda.jit\ndef k(out, n):\n    s = cuda.shared.array(n, float32)\n"
          "    t = cuda.shared.array(n, float32, alignment=64)\n    out[0] = s[0] + t[0]\n");
    const auto at = [&](const char* shared) {
        return run({"m.pyk", "k", "--grid=1", "--block=1", "--check=bounds", shared, "zeros:f32:1", "2"}).messages;
    };
    EXPECT_THAT(at("--shared=72"), Not(HasSubstr("dynamic shared memory")));
    EXPECT_THAT(at("--shared=71"), HasSubstr("line 7: index 71 is out of range for axis 0 of 'dynamic shared memory'"));
}

TEST_F(CliRun, TooLittleSharedMemoryIsAnErrorOnTheCpu) {
    write("m.pyk",
          "from numba import cuda, float32\n\n\n@cuda.jit\ndef k(out, n):\n    s = cuda.shared.array(n, float32)\n"
          "    s[cuda.threadIdx.x] = 1\n    out[0] = s[0]\n");
    const auto none = run({"m.pyk", "k", "--grid=1", "--block=8", "zeros:f32:1", "i32:8"});
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_THAT(none.messages, HasSubstr("line 6: index 31 is out of range for axis 0 of 'dynamic shared memory'"));
    EXPECT_EQ(run({"m.pyk", "k", "--grid=1", "--block=8", "--shared=32", "zeros:f32:1", "i32:8"}).exit_code, 0);
}

TEST_F(CliRun, SharedMemoryAndBarriers) {
    write("sum.pyk",
          "from numba import cuda, int32\n\n\n@cuda.jit\ndef total(x, out):\n    s = cuda.shared.array(0, int32)\n"
          "    t = cuda.threadIdx.x\n    s[t] = x[t]\n    cuda.syncthreads()\n    if t == 0:\n        v = 0\n"
          "        for i in range(cuda.blockDim.x):\n            v += s[i]\n        out[0] = v\n");
    const auto result = run({"sum.pyk", "total", "--grid=1", "--block=64", "--shared=256", "arange:i32:64",
                             "zeros:i32:1", "--save", "out=o.npy"});
    ASSERT_EQ(result.exit_code, 0) << result.messages;
    EXPECT_THAT(saved<int32_t>("o.npy"), ElementsAre(2016));
}

TEST_F(CliRun, PrintsAsNumba) {
    write("say.pyk", R"py(
from numba import cuda
@cuda.jit("void(float64[::1], int32)")
def say(a, n):
    i = cuda.threadIdx.x
    print("thread", cuda.threadIdx, "has", a[i], i > 0, (i, 2.5), n, 100 % 3, "100%")
    print()
)py");
    const auto result = run({"say.pyk", "say", "--grid", "1", "--block", "2", "ones:f64:2", "-3"});
    ASSERT_EQ(result.exit_code, 0) << result.messages;
    EXPECT_THAT(result.output, HasSubstr("thread (0, 0, 0) has 1.000000 False (0, 2.500000) -3 1 100%\n\n"));
    EXPECT_THAT(result.output, HasSubstr("thread (1, 0, 0) has 1.000000 True (1, 2.500000) -3 1 100%\n\n"));
}

TEST_F(CliRun, ReportsWhatKernelsRaise) {
    write("root.pyk", R"py(
from numba import cuda
@cuda.jit(device=True)
def root(x):
    if x < 0:
        raise ValueError("a root of", -1)
    return x ** 0.5
@cuda.jit("void(int64[::1], float64[::1])")
def k(x, out):
    i = cuda.threadIdx.x
    assert x[i] < 100, "too large"
    out[i] = root(x[i]) + 7 // x[i]
)py");
    const std::vector<std::string> launch{"root.pyk", "k", "--grid", "1", "--block", "2"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), launch.begin(), launch.end());
        return run(more);
    };
    EXPECT_EQ(with({"full:i64:2:-4", "zeros:f64:2"}).exit_code, 0);
    EXPECT_THAT(with({"full:i64:2:-4", "zeros:f64:2"}).output, HasSubstr("out: float64 (2,) [0, 0]"));
    const auto raised = with({"full:i64:2:-4", "zeros:f64:2", "--debug"});
    EXPECT_NE(raised.exit_code, 0);
    EXPECT_THAT(
        raised.messages,
        HasSubstr("line 6: ValueError: a root of, -1 (block (0, 0, 0), thread (0, 0, 0)), and 1 other thread\n"));
    EXPECT_THAT(with({"full:i64:2:100", "zeros:f64:2", "--debug"}).messages,
                HasSubstr("line 11: AssertionError: too large (block"));
    EXPECT_THAT(with({"zeros:i64:2", "zeros:f64:2", "--debug"}).messages,
                HasSubstr("line 12: ZeroDivisionError: division by zero (block"));
    // Of a value that nothing uses, too.
    write("step.pyk", R"py(from numba import cuda

@cuda.jit("void(float64[::1], int64)")
def k(out, n):
    s = out[::n]
    out[0] = 8
)py");
    const auto stepped = run({"step.pyk", "k", "--grid", "1", "--block", "1", "zeros:f64:2", "0", "--debug"});
    EXPECT_THAT(stepped.messages, HasSubstr("line 5: ValueError: slice step cannot be zero (block"));
}

TEST_F(CliRun, FindsImportedFiles) {
    write("sizes.py", "WIDTH = 3\n");
    write("main.pyk",
          "from numba import cuda\nfrom sizes import WIDTH\n@cuda.jit('void(int64[::1])')\n"
          "def k(out):\n    out[0] = WIDTH\n");
    EXPECT_THAT(run({"main.pyk", "k", "--grid", "1", "--block", "1", "zeros:i64:1"}).output, HasSubstr("[3]"));
    write("sizes.py", "WIDTH = = 3\n");
    EXPECT_THAT(run({"main.pyk", "k", "--grid", "1", "--block", "1", "zeros:i64:1"}).messages,
                HasSubstr("sizes.py:1:9: error"));
}

}  // namespace
}  // namespace pyk
