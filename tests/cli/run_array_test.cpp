// `pykc run` of array functions, on the CPU.
#include <gmock/gmock.h>

#include <cstring>

#include "cli.h"
#include "compile/host_compiler.h"
#include "driver/cli/npy.h"
#include "types/time.h"

namespace pyk {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CliRunArray : public Cli {
  protected:
    void SetUp() override {
        Cli::SetUp();
        if (!find_host_compiler()) GTEST_SKIP() << "no C++ compiler on this machine";
        write("tens.pyk", R"py(
from numba import cuda, vectorize
@vectorize(["int64(int64)", "float32(float32)"])
def add_ten(x):
    return x + 10
@vectorize
def sum_of(x, y):
    return x + y
@cuda.jit
def k(x):
    x[0] = 1
@cuda.reduce
def total(a, b):
    return a + b
)py");
        write("parts.pyk", R"py(
from numba import guvectorize, njit, prange, stencil
@guvectorize(["void(float32[:], float32[:], float32[:])"], "(n)->(),()")
def extremes(x, least, most):
    least[0] = x[0]
    most[0] = x[0]
    for i in range(x.shape[0]):
        least[0] = min(least[0], x[i])
        most[0] = max(most[0], x[i])
@guvectorize("(n)->()")
def last(x, out):
    out[0] = x[-1]
@stencil
def ahead(x):
    return x[1] - x[0]
@stencil(neighborhood=[[-1, 1]], standard_indexing=["w"])
def weighted(x, w):
    return w[0] * x[-1] + w[1] * x[1]
@njit
def latest(days):
    return days, days.max()
@njit(parallel=True)
def total(x):
    s = 0.0
    for i in prange(x.size):
        s += x[i]
    return s
)py");
    }

    ProcessResult run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"run", "tens.pyk"});
        arguments.insert(arguments.end(), {"--device", "cpu"});
        return pykc(arguments);
    }
};

TEST_F(CliRunArray, PrintsAndSavesTheResult) {
    const auto result = run({"add_ten", "arange:f32:2x3", "--save", "out.npy"});
    ASSERT_EQ(result.exit_code, 0) << result.messages;
    EXPECT_EQ(result.output, "add_ten: float32 (2, 3) [10, 11, 12, 13, 14, 15]\n");
    const auto array = parse_npy(read("out.npy"));
    ASSERT_TRUE(std::holds_alternative<NpyArray>(array));
    EXPECT_THAT(std::get<NpyArray>(array).shape, ElementsAre(2, 3));
    EXPECT_EQ(run({"add_ten", "out.npy"}).output, "add_ten: float32 (2, 3) [20, 21, 22, 23, 24, 25]\n");
}

TEST_F(CliRunArray, BroadcastsAndTakesNumbers) {
    EXPECT_EQ(run({"sum_of", "arange:i32:2x1", "y=arange:i32:1x3"}).output,
              "sum_of: int64 (2, 3) [0, 1, 2, 1, 2, 3]\n");
    EXPECT_THAT(run({"add_ten", "5"}).output, StartsWith("add_ten: int64 () [15"));
    const auto wrong = run({"sum_of", "zeros:f32:2", "zeros:f32:3"});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.messages, HasSubstr("could not be broadcast together with shapes (2,) (3,)"));
    EXPECT_THAT(run({"add_ten", "zeros:c64:2"}).messages,
                HasSubstr("`add_ten` has no signature to which (complex64) cast safely"));
}

TEST_F(CliRunArray, RunsFunctionsForParts) {
    const auto parts = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"run", "parts.pyk"});
        arguments.insert(arguments.end(), {"--device", "cpu"});
        return pykc(arguments);
    };
    const auto both = parts({"extremes", "arange:f32:2x3", "--save", "most=most.npy"});
    EXPECT_EQ(both.output, "extremes\n  least: float32 (2,) [0, 3]\n  most: float32 (2,) [2, 5]\n") << both.messages;
    EXPECT_EQ(parts({"last", "arange:i32:2x3", "zeros:i32:2", "--save", "out.npy"}).output,
              "last: int32 (2,) [2, 5]\n");
    EXPECT_THAT(std::get<NpyArray>(parse_npy(read("out.npy"))).shape, ElementsAre(2));
    EXPECT_THAT(parts({"extremes", "ones:f32:2", "--save", "x.npy"}).messages,
                HasSubstr("array function `extremes` has several outputs, --save least=x.npy"));
    EXPECT_THAT(parts({"extremes", "ones:f32:2", "--save", "x=x.npy"}).messages, HasSubstr("has no output `x`"));
    EXPECT_EQ(parts({"ahead", "arange:i64:4"}).output, "ahead: int64 (4,) [1, 1, 1, 0]\n");
    EXPECT_EQ(parts({"ahead", "arange:i64:4", "out=full:i64:4:9"}).output, "ahead: int64 (4,) [1, 1, 1, 9]\n");
    EXPECT_EQ(parts({"weighted", "arange:i64:4", "full:i64:2:3"}).output, "weighted: int64 (4,) [0, 6, 12, 0]\n");
    EXPECT_EQ(
        pykc({"parts.pyk", "--list"}).output,
        "extremes(x, least, most): parts of arrays, (n)->(),()\n    extremes(float32[:], float32[:], float32[:])\n"
        "last(x, out): parts of arrays, (n)->()\nahead(x): a stencil\nweighted(x, w): a stencil\n");
    for (const char* emit : {"--emit=cu", "--emit=cpp"}) {
        const auto text = pykc({"parts.pyk", emit, "--sig", "total(float64[::1])", "--sig", "ahead(float32[::1])"});
        EXPECT_EQ(text.exit_code, 0) << text.messages;
        EXPECT_THAT(text.output, HasSubstr("pyk_extremes_"));
        // The host calls functions on the CPU alone.
        EXPECT_EQ(text.output.find("total_call") != std::string::npos, emit == std::string("--emit=cpp"));
    }
}

TEST_F(CliRunArray, HasNoGrid) {
    const auto grid = run({"add_ten", "ones:f32:2", "--grid", "1"});
    EXPECT_EQ(grid.exit_code, 2);
    EXPECT_THAT(grid.messages, HasSubstr("array function `add_ten` takes no --grid, --block or --shared"));
    EXPECT_THAT(run({"add_ten", "ones:f32:2", "--save", "x=x.npy"}).messages,
                HasSubstr("of array function `add_ten` only the result is new, --save x.npy"));
    EXPECT_THAT(run({"k", "ones:f32:2"}).messages, HasSubstr("kernel `k` is launched with --grid and --block"));
    EXPECT_THAT(run({"k", "ones:f32:2", "--grid", "1", "--block", "1", "--save", "x.npy"}).messages,
                HasSubstr("kernels return nothing; the form is PARAM=FILE.npy"));
}

TEST_F(CliRunArray, Reduces) {
    const auto sum = run({"total", "arange:i32:101", "--save", "out.npy"});
    ASSERT_EQ(sum.exit_code, 0) << sum.messages;
    EXPECT_EQ(sum.output, "total: int32 () [5050]\n");
    EXPECT_EQ(run({"total", "ones:f32:9", "init=0.5", "size=4"}).output, "total: float32 () [4.5]\n");
    EXPECT_THAT(run({"total", "ones:f32:9", "--grid", "1"}).messages,
                HasSubstr("reduction `total` takes no --grid, --block or --shared"));
    EXPECT_THAT(run({"total", "ones:f32:9", "size=1.5"}).messages, HasSubstr("`size` is an integer"));
    EXPECT_THAT(run({"total", "5"}).messages, HasSubstr("takes an array of one axis, not of 0"));
}

TEST_F(CliRunArray, CallsFunctionsOfTheCpu) {
    write("host.pyk", R"py(
from numba import njit


@njit
def moments(x):
    total = 0.0
    squares = 0.0
    for v in x:
        total += v
        squares += v * v
    return total / x.size, squares / x.size


@njit
def scale(x, k):
    for i in range(x.size):
        x[i] *= k
)py");
    EXPECT_EQ(pykc({"run", "host.pyk", "moments", "arange:f64:5"}).output, "moments: 2, 6\n");
    const auto scaled = pykc({"run", "host.pyk", "scale", "k=3", "arange:i32:4", "--save", "x=x.npy"});
    EXPECT_EQ(scaled.output, "scale\n  x: int32 (4,) [0, 3, 6, 9]\n");
    EXPECT_TRUE(exists("x.npy"));
    EXPECT_THAT(pykc({"run", "host.pyk", "moment", "arange:f64:5"}).messages,
                HasSubstr("there is no kernel `moment`; the file has none, but other functions: `moments`, `scale`"));
    write("plain.pyk", "def double(x):\n    return 2 * x\n");
    EXPECT_THAT(
        pykc({"run", "plain.pyk", "double", "3"}).messages,
        HasSubstr("`double` is a function, and no kernel without `@cuda.jit`; the file has none: `@cuda.jit` makes "
                  "one, `@njit` a function that runs on the CPU"));
    EXPECT_THAT(pykc({"run", "host.pyk", "moments", "arange:f64:5", "--device", "cuda"}).messages,
                HasSubstr("function `moments` runs on the CPU: --device cuda is for kernels and array functions"));
    EXPECT_THAT(pykc({"run", "host.pyk", "scale", "ones:f32:2", "1", "--grid", "1"}).messages,
                HasSubstr("function `scale` takes no --grid, --block or --shared"));
}

TEST_F(CliRunArray, ShowsAndSavesTheArraysOfFunctions) {
    write("made.pyk", R"py(
import numpy as np
from numba import njit


@njit
def squares(n, scale=2):
    return np.arange(n) ** 2 * scale


@njit
def count(n):
    return n + 1


@njit
def both(n):
    return np.zeros(n), (n, np.ones((n, 1), np.float32))


@njit
def steps(x):
    x[1:] = x[:-1] * 2 + x[::-1][1:].copy()
    return x[1:] - x[:-1]


@njit
def plus_one(x):
    return x + 1


@njit(parallel=True)
def shared_sum(x):
    return (x * 2).sum()
)py");
    EXPECT_EQ(pykc({"run", "made.pyk", "squares", "4", "--save", "s.npy"}).output,
              "squares: int64 (4,) [0, 2, 8, 18]\n");
    EXPECT_TRUE(exists("s.npy"));
    EXPECT_EQ(pykc({"run", "made.pyk", "squares", "scale=1", "n=3"}).output, "squares: int64 (3,) [0, 1, 4]\n");
    EXPECT_EQ(pykc({"run", "made.pyk", "both", "2"}).output, "both: float64 (2,) [0, 0], 2, float32 (2, 1) [1, 1]\n");
    EXPECT_THAT(pykc({"run", "made.pyk", "both", "2", "--save", "s.npy"}).messages,
                HasSubstr("function `both` returns 2 arrays; --save 0=s.npy is the first result"));
    const std::string stepped = "steps: int64 (3,) [2, 1, 1]\n  x: int64 (4,) [0, 2, 3, 4]\n";
    EXPECT_EQ(pykc({"run", "made.pyk", "steps", "arange:i64:4"}).output, stepped);
    EXPECT_EQ(pykc({"run", "made.pyk", "steps", "arange:i64:4", "--check=bounds"}).output, stepped);
    EXPECT_EQ(pykc({"run", "made.pyk", "plus_one", "ones:i64:2x2", "--check=bounds"}).output,
              "plus_one: int64 (2, 2) [2, 2, 2, 2]\n");
    EXPECT_EQ(pykc({"run", "made.pyk", "shared_sum", "ones:i64:2x2", "--check=bounds"}).output, "shared_sum: 8\n");
    EXPECT_EQ(pykc({"run", "made.pyk", "both", "2", "--save", "2=m.npy", "--save", "1=n.npy"}).exit_code, 0);
    EXPECT_TRUE(exists("m.npy") && exists("n.npy"));
    EXPECT_THAT(pykc({"run", "made.pyk", "both", "2", "--save", "3=s.npy"}).messages,
                HasSubstr("`--save 3=`: function `both` returns 3 results, counted from 0"));
    EXPECT_EQ(pykc({"run", "made.pyk", "count", "3", "--save", "c.npy"}).output, "count: 4\n");
    EXPECT_TRUE(exists("c.npy"));
    EXPECT_THAT(pykc({"run", "made.pyk", "squares"}).messages,
                HasSubstr("parameter `n` of function `squares` is not given"));
}

// Numba's values.
TEST_F(CliRunArray, LeavesOutParametersThatBecomeOtherTypes) {
    write("defaults.pyk", R"py(
from numba import njit

@njit
def twice(x):
    return 2 * x

@njit
def grown(n, m=5, is_odd=True, f=twice):
    for i in range(n):
        m *= 1.5
        is_odd = i % 2 == 1
    return m, is_odd, f(m)
)py");
    EXPECT_EQ(pykc({"run", "defaults.pyk", "grown", "2"}).output, "grown: 11.25, True, 22.5\n");
    EXPECT_EQ(pykc({"run", "defaults.pyk", "grown", "0"}).output, "grown: 5, True, 10\n");
    EXPECT_EQ(pykc({"run", "defaults.pyk", "grown", "1", "4"}).output, "grown: 6, False, 12\n");
}

TEST_F(CliRunArray, ShowsDatesThatFunctionsReturn) {
    const int64_t days[] = {18262, 18661};
    const NpyArray array{
        *time_from_name("datetime64[D]"), false, {2}, std::string(reinterpret_cast<const char*>(days), 16)};
    write("days.npy", format_npy(array));
    EXPECT_EQ(pykc({"run", "parts.pyk", "latest", "days.npy"}).output,
              "latest: datetime64[D] (2,) [18262, 18661], 18661\n");
}

TEST_F(CliRunArray, IsListedAndCompiled) {
    EXPECT_EQ(pykc({"tens.pyk", "--list"}).output,
              "k(x)\nadd_ten(x): elements of arrays\n    add_ten(int64)\n    add_ten(float32)\n"
              "sum_of(x, y): elements of arrays\ntotal(a, b): reduction\n");
    const auto text = pykc({"tens.pyk", "--kernel", "add_ten"});
    ASSERT_EQ(text.exit_code, 0) << text.messages;
    for (const char* symbol : {"pyk_add_ten_i8_flat", "pyk_add_ten_f4_rows", "pyk_add_ten_f4_strided"})
        EXPECT_THAT(text.output, HasSubstr(symbol));
    EXPECT_THAT(pykc({"tens.pyk", "--sig", "sum_of(int8, int8)", "--emit=cpp", "-o", "-", "--kernel", "sum_of"}).output,
                HasSubstr("extern \"C\" void pyk_sum_of_i1_i1(const pyk::cpu_block* pyk_block, const void* pyk_args)"));
}

}  // namespace
}  // namespace pyk
