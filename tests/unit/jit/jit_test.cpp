// libpyk as a C++17 program sees it.
#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <pyk/pyk.hpp>
#include <thread>

#include "on_backend.h"

static_assert(__cplusplus == 201703L, "the public headers are C++17");

namespace {

using pyk::jit::Backend;
using pyk::jit::Error;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char* const kText = R"py(from numba import cuda

FACTOR = 2


@cuda.jit
def scale(a, x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = a * x[i] * FACTOR


@cuda.jit("void(int64, float64[:, :])")
def fill(v, a):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        a[i, j] = v * 10 * i + j


@cuda.jit
def store(x):
    x[cuda.grid(1)] = 1


@cuda.jit
def bad(x):
    x[0] = nothing
)py";

pyk::jit::Module module(pyk::jit::Options options = {}) {
    options.backend = Backend::cpu;
    options.disk_cache = false;
    return pyk::load_text("kernels.pyk", kText, options).value();
}

class Jit : public ::testing::Test {
  protected:
    void SetUp() override { need_cpu(); }
};

TEST_F(Jit, LaunchesAndRemembersTheInstance) {
    const auto scale = module().kernel("scale").value();
    std::vector<float> x = {1, 2, 3};
    const auto first = scale(pyk::grid(1), pyk::block(4)).timed(1.5f, x).value();
    EXPECT_THAT(x, ElementsAre(3, 6, 9));
    EXPECT_EQ(first.backend, Backend::cpu);
    EXPECT_THAT(first.device, HasSubstr("CPU"));
    EXPECT_GT(first.compile_ms, 0);
    EXPECT_THAT(first.written, ElementsAre(false, true));
    EXPECT_EQ(scale(pyk::grid(1), pyk::block(4)).timed(1.0f, x).value().compile_ms, 0);
    EXPECT_GT(scale(pyk::grid(1), pyk::block(4)).timed(1.0, x).value().compile_ms, 0);
}

TEST_F(Jit, TypesOfArguments) {
    const auto scale = module().kernel("scale").value();
    const auto text = [&](const pyk::jit::Argument& a, const pyk::jit::Argument& x) {
        return scale.text(Backend::cuda, {a, x}).value();
    };
    std::vector<double> doubles(2);
    std::array<std::uint8_t, 2> bytes{};
    const int i = 1;
    long l = 1;
    bool b = true;
    EXPECT_THAT(text(pyk::jit::make_argument(i), pyk::jit::make_argument(doubles)), HasSubstr("pyk_scale_i4_a1f8c"));
    EXPECT_THAT(text(pyk::jit::make_argument(l), pyk::jit::make_argument(bytes)), HasSubstr("pyk_scale_i8_a1u1c"));
    EXPECT_THAT(text(pyk::jit::make_argument(b), pyk::jit::make_argument(doubles)), HasSubstr("pyk_scale_b1_a1f8c"));
}

TEST_F(Jit, DeclaredSignaturesAndAxes) {
    const auto fill = module().kernel("fill").value();
    EXPECT_THAT(fill.params(), ElementsAre("v", "a"));
    std::vector<double> a(6);
    fill(pyk::grid(1, 1), pyk::block(2, 3))(2, pyk::host(a.data(), {2, 3}));
    EXPECT_THAT(a, ElementsAre(0, 1, 2, 20, 21, 22));
    std::vector<float> wrong(6);
    const auto refused = fill(pyk::grid(1), pyk::block(1)).launch(2, pyk::host(wrong.data(), {2, 3}));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Error::Kind::arguments);
    EXPECT_THAT(refused.error().message,
                HasSubstr("takes (int64, float64[:, :]), but is launched with (int32, float32[:, ::1]): argument 2 "
                          "(`a`) has elements of float32, where the signature says float64"));
}

TEST_F(Jit, ArgumentsThatDoNotFitAreToldApart) {
    const auto kernel = pyk::load_text("k.pyk",
                                       "from numba import cuda\n\n@cuda.jit('void(float32[::1], int32)')\n"
                                       "def k(x, n):\n    x[0] = n\n")
                            .value()
                            .kernel("k")
                            .value()(pyk::grid(1), pyk::block(1));
    std::vector<float> x(6);
    const auto message = [&](const auto& one, const auto& other) {
        const auto done = kernel.launch(one, other);
        return done ? "" : done.error().message;
    };
    const pyk::View<float, 2> rows(x.data(), {2, 3});
    EXPECT_THAT(message(rows, 1), HasSubstr(": argument 1 (`x`) has 2 axes, where the signature says 1 axis"));
    const pyk::View<float> every_second = pyk::View<float>(x).slice(0, 0, 6, 2);
    EXPECT_THAT(message(every_second, 1), HasSubstr(": argument 1 (`x`) does not lie in C order without gaps"));
    EXPECT_THAT(message(1.0f, 1), HasSubstr(": argument 1 (`x`) is no array, as the signature says"));
    EXPECT_THAT(message(x, x), HasSubstr(": argument 2 (`n`) is an array, where the signature has none"));
    EXPECT_THAT(message(x, 2.5), HasSubstr(": argument 2 (`n`) is float64, which does not become int32 by itself"));
}

TEST_F(Jit, Defines) {
    pyk::jit::Options options;
    options.defines["FACTOR"] = std::int64_t{5};
    std::vector<int> x = {1};
    module(options).kernel("scale").value()(pyk::grid(1), pyk::block(1))(1, x);
    EXPECT_THAT(x, ElementsAre(5));
}

TEST_F(Jit, DefinesOfTypesAndTuples) {
    const std::string text =
        "from numba import cuda\nimport numpy as np\nT = np.float64\nSHAPE = (1, 1)\n\n\n@cuda.jit\ndef k(x):\n"
        "    s = cuda.local.array(SHAPE, T)\n    s[0, 0] = 0.1\n    x[0] = s[0, 0]\n    x[1] = s.size\n";
    pyk::jit::Options options;
    options.backend = pyk::jit::Backend::cpu;
    options.defines["T"] = pyk::jit::TypeName{"float32"};
    options.defines["SHAPE"] = std::vector<pyk::jit::Constant>{std::int64_t{2}, std::int64_t{3}};
    std::vector<double> x(2);
    pyk::jit::load_text("t.pyk", text, options).value().kernel("k").value()(pyk::grid(1), pyk::block(1))(x);
    EXPECT_THAT(x, ElementsAre(static_cast<double>(0.1f), 6));
    options.defines["T"] = pyk::jit::TypeName{"floaty"};
    EXPECT_THAT(pyk::jit::load_text("t.pyk", text, options).error().message, HasSubstr("floaty is not a type"));
}

TEST_F(Jit, ConstArraysAreNotWritten) {
    const std::vector<float> x = {1, 2, 3};
    const auto refused = module().kernel("scale").value()(pyk::grid(1), pyk::block(4)).launch(1.5f, x);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                HasSubstr("the kernel writes argument 2 (`x`) of kernel `scale`, which is const"));
}

TEST_F(Jit, FailuresAreValues) {
    std::vector<float> x(1);
    EXPECT_EQ(pyk::load("/nowhere.pyk").error().kind, Error::Kind::input_output);
    const auto syntax = pyk::load_text("bad.pyk", "def f(:\n");
    EXPECT_EQ(syntax.error().kind, Error::Kind::diagnostics);
    EXPECT_THAT(syntax.error().message, HasSubstr("bad.pyk:1:6: error: `(` was never closed"));
    EXPECT_THAT(module().kernel("scal").error().message,
                HasSubstr("there is no kernel `scal`; there is `scale`, `fill`, `store`, `bad`"));
    EXPECT_THAT(module().kernel("scale").value()(pyk::grid(1), pyk::block(1)).launch(x).error().message,
                HasSubstr("takes 2 arguments, not 1"));
    const auto bad = module().kernel("bad").value()(pyk::grid(1), pyk::block(1));
    EXPECT_THAT(bad.launch(x).error().message, HasSubstr("kernels.pyk:27:12: error: `nothing` is not defined"));
    EXPECT_THAT(bad.launch(x).error().message, HasSubstr("`nothing`")) << "remembered with its message";
    EXPECT_THROW(bad(x), pyk::jit::Exception);
    EXPECT_THROW(pyk::load_or_throw("/nowhere.pyk"), pyk::jit::Exception);
}

// Kernels are compiled when they are launched, with the files that lie where they did when it was loaded.
TEST_F(Jit, PathsAreThoseOfTheLoad) {
    namespace fs = std::filesystem;
    const fs::path before = fs::current_path(), folder = fs::path(testing::TempDir()) / "pyk_paths_of_the_load";
    const auto write = [&](const char* file, const char* text) {
        fs::create_directories((folder / file).parent_path());
        std::ofstream(folder / file) << text;
    };
    write("here/main.pyk",
          "from numba import cuda\nfrom lib import N\nfrom more import M\n\n\n"
          "@cuda.jit\ndef k(x):\n    x[0] = N + M\n");
    write("here/lib.pyk", "N = 5\n");
    write("here/more/more.pyk", "M = 20\n");
    write("there/lib.pyk", "N = 100\n");
    write("there/more/more.pyk", "M = 200\n");
    for (const bool is_kept : {true, false}) {
        pyk::jit::Options options;
        options.import_folders = {"more"};
        options.disk_cache = is_kept;
        fs::current_path(folder / "here");
        const auto kernel = pyk::load("main.pyk", options).value().kernel("k").value();
        EXPECT_THAT(pyk::load("none.pyk").error().message,
                    HasSubstr("cannot read none.pyk (in " + (folder / "here").string()));
        for (const char* place : {"there", "../.."}) {
            fs::current_path(folder / place);
            std::vector<float> x(1);
            const auto done = kernel(pyk::grid(1), pyk::block(1)).launch(x);
            ASSERT_TRUE(done) << done.error().message;
            EXPECT_EQ(x[0], 25.0f);
        }
    }
    fs::current_path(before);
    fs::remove_all(folder);
}

TEST_F(Jit, ChecksBoundsOnDemand) {
    pyk::jit::Options options;
    options.check_bounds = true;
    std::vector<float> x(5);
    const auto report = module(options).kernel("store").value()(pyk::grid(1), pyk::block(8)).launch(x);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().kind, Error::Kind::execution);
    EXPECT_THAT(report.error().message, HasSubstr("kernels.pyk: line 22: index 5 is out of range"));
    EXPECT_THAT(x, Each(1.0f));
}

TEST_F(Jit, OptionsThatMakeNoSenseAreSaidAtLoad) {
    using Change = void (*)(pyk::jit::Options&);
    const std::pair<Change, const char*> cases[] = {
        {[](auto& o) { o.backend = static_cast<pyk::jit::Backend>(9); }, "Options::backend is none of"},
        {[](auto& o) { o.typing = static_cast<pyk::jit::Typing>(9); }, "Options::typing is none of"},
        {[](auto& o) { o.print_buffer_bytes = SIZE_MAX; }, "Options::print_buffer_bytes is 18446744073709551615, of"},
        {[](auto& o) { o.check_races = true, o.backend = pyk::jit::Backend::cuda; }, "Options::check_races is for"},
        {[](auto& o) { o.code.optimization = 9; }, "Options::code.optimization is 9, of 0 to 3"},
        {[](auto& o) { o.code.optimization = -1; }, "Options::code.optimization is -1, of 0 to 3"},
        {[](auto& o) { o.code.max_registers = -4; }, "Options::code.max_registers is -4, of 1 to 255"},
        {[](auto& o) { o.code.max_registers = 256; }, "Options::code.max_registers is 256, of 1 to 255"},
        {[](auto& o) { o.links = {"/nowhere.cpp"}; },
         "Options::links: cannot read /nowhere.cpp: No such file or directory"},
        {[](auto& o) { o.links = {"/tmp"}; }, "Options::links: /tmp is a folder"},
        {[](auto& o) {
             o.import_folders = {"/tmp", "/nowhere"};
         },
         "Options::import_folders: there is no folder /nowhere"},
        {[](auto& o) { o.defines["FACTO"] = std::int64_t{1}; },
         "the definition of FACTO: kernels.pyk has no such name; did you mean `FACTOR`?"},
        {[](auto& o) { o.warnings = {"no-such"}; }, "there is no warning `such`"},
    };
    for (const Backend backend : {Backend::automatic, Backend::cpu, Backend::cuda})
        for (const auto& [change, text] : cases) {
            pyk::jit::Options options;
            options.backend = backend;
            change(options);
            const auto loaded = pyk::load_text("kernels.pyk", kText, options);
            ASSERT_FALSE(loaded) << text;
            EXPECT_EQ(loaded.error().kind, Error::Kind::arguments);
            EXPECT_THAT(loaded.error().message, HasSubstr(text));
        }
}

const char* const kMemory = R"py(from numba import cuda, float32, int64


@cuda.jit
def dynamic(y):
    s = cuda.shared.array(0, float32)
    i = cuda.threadIdx.x
    s[i] = i
    y[i] = s[i]


@cuda.jit
def mirrored(y):
    s = cuda.shared.array(0, float32)
    i = cuda.threadIdx.x
    s[i] = i
    cuda.syncthreads()
    y[i] = s[cuda.blockDim.x - 1 - i]


@cuda.jit(device=True)
def total_of(n):
    values = cuda.local.array(2500000, int64)
    for i in range(values.size):
        values[i] = n
    cuda.syncthreads()
    total = 0
    for i in range(values.size):
        total += values[i]
    return total


@cuda.jit
def alone(y):
    values = cuda.local.array(4000000, float32)
    i = cuda.grid(1)
    for k in range(values.size):
        values[k] = k % 8
    y[i] = values[3000000 + i]


@cuda.jit
def together(y):
    y[cuda.grid(1)] = total_of(cuda.grid(1))
)py";

TEST_F(Jit, DynamicSharedMemoryThatTheLaunchDidNotGive) {
    pyk::jit::Options options;
    options.backend = Backend::cpu;
    const auto file = pyk::load_text("memory.pyk", kMemory, options).value();
    for (const char* name : {"dynamic", "mirrored"})
        for (const std::size_t bytes : {0, 64}) {
            std::vector<float> y(32);
            const auto status = file.kernel(name).value()(pyk::grid(2), pyk::block(32), bytes).launch(y);
            EXPECT_THAT(status.message(), HasSubstr("it wrote beyond the " + std::to_string(bytes) +
                                                    " bytes of dynamic shared memory that the launch gave it"));
            file.kernel(name).value()(pyk::grid(2), pyk::block(32), 128)(y);
            EXPECT_EQ(y[31], name == std::string("dynamic") ? 31 : 0);
        }
}

// Larger than any stack.
TEST_F(Jit, LocalArraysOfAnySize) {
    pyk::jit::Options options;
    options.backend = Backend::cpu;
    const auto file = pyk::load_text("memory.pyk", kMemory, options).value();
    std::vector<double> y(8);
    file.kernel("alone").value()(pyk::grid(2), pyk::block(4))(y);
    EXPECT_THAT(y, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    file.kernel("together").value()(pyk::grid(2), pyk::block(4))(y);
    EXPECT_THAT(y, ElementsAre(0, 2.5e6, 5e6, 7.5e6, 1e7, 1.25e7, 1.5e7, 1.75e7));
}

TEST_F(Jit, ManyThreadsCompileOnce) {
    const auto scale = module().kernel("scale").value();
    std::array<int, 8> compiled{};
    std::vector<std::thread> threads;
    for (size_t t = 0; t < compiled.size(); ++t)
        threads.emplace_back([&, t] {
            std::vector<double> x(100, 1.0);
            compiled[t] = scale(pyk::grid(4), pyk::block(32)).timed(3.0, x).value().compile_ms > 0;
            EXPECT_THAT(x, Each(6.0));
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::accumulate(compiled.begin(), compiled.end(), 0), 1);
}

TEST_F(Jit, WhatIsForAGpuDoesNotRunOnTheCpu) {
    if (!pyk::jit::why_unavailable(Backend::cuda)) GTEST_SKIP() << "there is a GPU";
    pyk::jit::Options options;
    options.backend = Backend::cuda;
    const auto kernel =
        pyk::load_text("k.pyk", "from numba import cuda\n\n\n@cuda.jit\ndef k(x):\n    x[0] += 1\n", options)
            .value()
            .kernel("k")
            .value();
    EXPECT_FALSE(kernel.preload("float32[::1]").wait());
    EXPECT_FALSE(kernel.bind<pyk::View<float>>());
    const auto x = pyk::Array<float>::from_host(pyk::Device::cpu(), std::vector<float>(4, 1.0f)).value();
    EXPECT_FALSE(kernel(pyk::grid(1), pyk::block(1)).launch(x.view()));
    EXPECT_EQ(x.to_host().value()[0], 1);
}

TEST_F(Jit, SaysWhyThereIsNoGpu) {
    const auto reason = pyk::jit::why_unavailable(Backend::cuda);
    if (!reason) GTEST_SKIP() << "there is a GPU";
    pyk::jit::Options options;
    options.backend = Backend::cuda;
    std::vector<float> x(1);
    const auto launched = pyk::load_text("k.pyk", kText, options)
                              .value()
                              .kernel("scale")
                              .value()(pyk::grid(1), pyk::block(1))
                              .launch(1.0f, x);
    ASSERT_FALSE(launched);
    EXPECT_EQ(launched.error().kind, Error::Kind::input_output);
}

}  // namespace
