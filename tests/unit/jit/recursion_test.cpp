// Recursion on the CPU that a stack cannot hold is an error, wherever it happens.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "pyk/function.hpp"

namespace {

constexpr const char* kFile = R"py(
from numba import cuda, njit, prange


@njit
def depth(n):
    if n == 0:
        return 0
    return n - depth(n - 1) // 2


@njit
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


@njit(parallel=True)
def depths(n, out):
    for i in prange(out.size):
        out[i] = depth(n + i)


@cuda.jit
def independent(n, out):
    i = cuda.grid(1)
    out[i] = depth(n)


@cuda.jit
def meeting(n, out):
    i = cuda.grid(1)
    cuda.syncthreads()
    out[i] = depth(n)
    cuda.syncthreads()


@cuda.jit
def waiting(n, out):
    cuda.cg.this_grid().sync()
    out[cuda.grid(1)] = depth(n)


@cuda.jit(device=True)
def large_frames(n):
    buffer = cuda.local.array(2048, "float64")
    for i in range(2048):
        buffer[i] = i * n
    if n == 0:
        return buffer[1]
    return large_frames(n - 1) + buffer[n % 2048]


@cuda.jit
def with_arrays(n, out):
    cuda.syncthreads()
    out[cuda.grid(1)] = large_frames(n)


@njit
def passed(n, m):
    return depth(n) + fib(m)
)py";

constexpr const char* kError = "RecursionError: `depth` calls itself more deeply than the stack allows";
constexpr long long kEndless = 1'000'000'000;

using Integers = std::vector<long long>;

/// What `depth` gives, which compilers make no loop of.
long long depth_of(long long n) {
    long long x = 0;
    for (long long i = 1; i <= n; ++i) x = i - x / 2;
    return x;
}

class Recursion : public ::testing::Test {
  protected:
    void SetUp() override {
        pyk::jit::Options options;
        options.backend = pyk::jit::Backend::cpu;
        module_ = pyk::load_text("recursion.pyk", kFile, options).value();
    }
    /// Of a launch of two blocks.
    std::string error_of(const char* kernel, long long n, bool cooperative = false) {
        pyk::LaunchConfig config;
        config.grid = {2, 1, 1};
        config.block = {32, 1, 1};
        config.cooperative = cooperative;
        out_.assign(64, -1);
        return module_->kernel(kernel).value()(config).launch(n, out_).message();
    }

    std::optional<pyk::jit::Module> module_;
    Integers out_;
};

TEST_F(Recursion, OfAFunction) {
    const auto depth = pyk::function<long long(long long)>(*module_, "depth").value();
    EXPECT_EQ(depth(10'000), depth_of(10'000));
    EXPECT_EQ(depth.call(kEndless).message(), std::string("recursion.pyk: line 6: ") + kError);
    EXPECT_EQ(depth(10'000), depth_of(10'000));
    const auto passed = pyk::function<long long(long long, long long)>(*module_, "passed").value();
    EXPECT_EQ(passed(3, 10), depth_of(3) + 55);
    EXPECT_EQ(passed.call(kEndless, 10).message(), std::string("recursion.pyk: line 6: ") + kError);
}

TEST_F(Recursion, OfPartsOfALoop) {
    const auto depths = pyk::function<void(long long, Integers&)>(*module_, "depths").value();
    Integers out(8);
    depths(1000, out);
    EXPECT_EQ(out[7], depth_of(1007));
    EXPECT_EQ(depths.call(kEndless, out).message(), std::string("recursion.pyk: line 6: ") + kError);
}

TEST_F(Recursion, OfKernels) {
    for (const char* kernel : {"independent", "meeting", "waiting"}) {
        const bool cooperative = kernel == std::string("waiting");
        EXPECT_EQ(error_of(kernel, 500, cooperative), "") << kernel;
        EXPECT_EQ(out_, Integers(64, depth_of(500))) << kernel;
        EXPECT_NE(error_of(kernel, kEndless, cooperative).find(kError), std::string::npos) << kernel;
        EXPECT_EQ(error_of(kernel, 500, cooperative), "") << kernel << " once more";
    }
}

// Frames of 16 KiB: what is left of the stack must do for the next one.
TEST_F(Recursion, WithArrays) {
    EXPECT_EQ(error_of("with_arrays", 4), "");
    EXPECT_NE(error_of("with_arrays", kEndless).find("RecursionError: `large_frames`"), std::string::npos);
}

}  // namespace
