// What kernels print: its text, and where it goes. On the CPU, and on a GPU where there is one.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <pyk/function.hpp>
#include <pyk/pyk.hpp>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace {

using pyk::Device;
using pyk::jit::Backend;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kText = R"py(from numba import cuda


@cuda.jit
def values(i, u, x, b):
    if cuda.grid(1) == 0:
        print("100 %", i, u, x, b, not b, (i, x), (u,), "grün")
        print()
        print(-i, x * 1e20, 0.1 + x)


@cuda.jit
def number(x):
    print(x)


@cuda.jit
def lines(n, label):
    for k in range(n):
        print("label", label, "thread", cuda.grid(1), "line", k, 0.5 * k)


WIDTH = 9
LABEL = "width"


@cuda.jit
def formatted(i, u, x, b):
    print(f"{i} {x:.3f}|{x:>{WIDTH}.2e}|{-x:<+8.1f}|{i:05d}|{i:4}|{u:x} {u:#X} {u:08o} {u:#010x}|{b} {b:d} 100 % {{}}")
    print(f"{i=} {i + 1 = }", f"{LABEL!r}{LABEL:>8}{LABEL}", x, f"{x:g}{i:.1f} {(i, b)} {'quoted'} \u00fc\t{WIDTH:03}")
    print(f"")


@cuda.jit
def raises(x):
    i = cuda.grid(1)
    print("before", i)
    assert i < 1, "one thread only"
    x[i] = 1
)py";

constexpr const char* kFunctions = R"py(from numba import njit


@njit
def values(x, y, z, n):
    print("100 %", x, y, z, x > 1, n, (x, n), (z,), x * 1e20, x * 1e-5, -x, 0 * x, 1e16, 1 / 3)
    print(complex(0, y), complex(-0.0, 1), complex(x, -1e-7) * 1e300)
    print(None, n, (None, x))
    print(f"{x} {y:.2f} {z} {n:>4}|{x > 1} {None} {(n, x)}", x, f"{n * 2}")
)py";

class Print : public ::testing::TestWithParam<bool> {
  protected:
    void SetUp() override {
        const bool on_gpu = GetParam();
        const auto missing = pyk::jit::why_unavailable(on_gpu ? Backend::cuda : Backend::cpu);
        if (missing) GTEST_SKIP() << *missing;
        options.backend = on_gpu ? Backend::cuda : Backend::cpu;
        options.disk_cache = false;
        device.emplace(on_gpu ? Device::get().value() : Device::cpu());
    }

    pyk::jit::Module load() const { return pyk::load_text("prints.pyk", kText, options).value(); }
    pyk::jit::Module load_with_sink() {
        options.on_print = [this](std::string_view line) { got.emplace_back(line); };
        return load();
    }
    std::string all() const {
        std::string text;
        for (const std::string& line : got) text += line;
        return text;
    }

    pyk::jit::Options options;
    std::optional<Device> device;
    std::vector<std::string> got;
};

void print_values(const pyk::jit::Module& module) {
    module.kernel("values").value()(pyk::grid(1), pyk::block(32))(-7, std::numeric_limits<std::uint64_t>::max(), 2.5,
                                                                  true);
}

TEST_P(Print, TheSinkGetsTheTextOfStandardOutput) {
    const auto module = load_with_sink();
    print_values(module);
    device->synchronize().or_throw();
    EXPECT_THAT(got, SizeIs(3));
    EXPECT_THAT(got, Each(EndsWith("\n")));
    EXPECT_EQ(got[0],
              "100 % -7 18446744073709551615 2.500000 True False (-7, 2.500000) (18446744073709551615,) grün\n");
    EXPECT_EQ(got[1], "\n");
    EXPECT_EQ(got[2], "7 250000000000000000000.000000 2.600000\n");

    options.on_print = {};
    ::testing::internal::CaptureStdout();
    print_values(load());
    device->synchronize().or_throw();
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), all());
}

// What CPython writes for these, but for the floats without a type, which are as Numba's `print` has them.
TEST_P(Print, FormattedTexts) {
    const auto print = [&](const pyk::jit::Module& module) {
        module.kernel("formatted").value()(pyk::grid(1), pyk::block(1))(-7, std::uint32_t{0xBEEF}, 2.5, true);
        device->synchronize().or_throw();
    };
    print(load_with_sink());
    EXPECT_THAT(got,
                ElementsAre("-7 2.500| 2.50e+00|-2.5    |-0007|  -7|beef 0XBEEF 00137357 0x0000beef|True 1 100 % {}\n",
                            "i=-7 i + 1 = -6 'width'   widthwidth 2.500000 2.5-7.0 (-7, True) quoted ü\t009\n", "\n"));
    options.on_print = {};
    ::testing::internal::CaptureStdout();
    print(load());
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), all());
}

TEST_P(Print, NumbersThatAreNone) {
    const auto number = load_with_sink().kernel("number").value();
    for (const double x :
         {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::nan(""), -0.0, 1e-9})
        number(pyk::grid(1), pyk::block(1))(x);
    device->synchronize().or_throw();
    EXPECT_THAT(got, ElementsAre("inf\n", "-inf\n", "nan\n", "-0.000000\n", "0.000000\n"));
}

// What `print` of CPython writes for these.
constexpr const char* kWritten =
    "100 % 1.5 0.10000000149011612 (1.5+1j) True -3 (1.5, -3) ((1.5+1j),) 1.5e+20 1.5000000000000002e-05 -1.5 0.0 "
    "1e+16 0.3333333333333333\n0.10000000149011612j (-0+1j) (1.5e+300-1e+293j)\n"
    "None -3 (None, 1.5)\n"
    "1.5 0.10 (1.5+1j)   -3|True None (-3, 1.5) 1.5 -6\n";

TEST(PrintOfFunctions, WritesNumbersAsPythonDoes) {
    std::string got;
    pyk::jit::Options options;
    options.disk_cache = false;
    options.on_print = [&](std::string_view line) { got += line; };
    const auto values = [&] {
        const auto module = pyk::load_text("printing.pyk", kFunctions, options).value();
        pyk::function<void(double, float, std::complex<double>, signed char)>(module, "values")
            .value()(1.5, 0.1f, {1.5, 1}, -3);
    };
    values();
    EXPECT_EQ(got, kWritten);
    options.on_print = {};
    ::testing::internal::CaptureStdout();
    values();
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), kWritten);
}

TEST_P(Print, LinesOfManyThreadsAreWhole) {
    const auto lines = load_with_sink().kernel("lines").value();
    lines(pyk::grid(8), pyk::block(64))(3, 9);
    device->synchronize().or_throw();
    std::vector<std::string> expected;
    for (int thread = 0; thread < 512; ++thread)
        for (const char* end : {"0 0.000000\n", "1 0.500000\n", "2 1.000000\n"})
            expected.push_back("label 9 thread " + std::to_string(thread) + " line " + end);
    EXPECT_THAT(got, ::testing::UnorderedElementsAreArray(expected));
    // Each thread's own are in order.
    std::vector<std::string> of_first;
    for (const std::string& line : got)
        if (line.find("thread 77 ") != std::string::npos) of_first.push_back(line);
    EXPECT_TRUE(std::is_sorted(of_first.begin(), of_first.end()));
}

TEST_P(Print, EverythingThatWaitsDelivers) {
    const auto module = load_with_sink();
    const auto lines = module.kernel("lines").value();
    const auto stream = pyk::Stream::create(*device).value();
    const auto count = [&] { return std::exchange(got, {}).size(); };

    lines(pyk::grid(1), pyk::block(4), stream)(1, 0);
    stream.synchronize().or_throw();
    EXPECT_EQ(count(), 4u);

    const auto event = pyk::Event::create(*device).value();
    lines(pyk::grid(1), pyk::block(5), stream)(1, 0);
    event.record(stream).or_throw();
    event.wait().or_throw();
    EXPECT_EQ(count(), 5u);

    (void)lines(pyk::grid(1), pyk::block(6), stream).timed(1, 0).value();
    EXPECT_EQ(count(), 6u);

    lines.preload("int64, int64", *device).wait().or_throw();
    stream.begin_capture().or_throw();
    lines(pyk::grid(1), pyk::block(7), stream)(std::int64_t{1}, std::int64_t{0});
    const auto graph = stream.end_capture().value();
    EXPECT_EQ(count(), 0u);
    graph.launch(stream).or_throw();
    graph.launch(stream).or_throw();
    stream.synchronize().or_throw();
    EXPECT_EQ(count(), 14u);
}

TEST_P(Print, WhatIsLeftArrivesWhenTheCodeIsUnloaded) {
    {
        const auto lines = load_with_sink().kernel("lines").value();
        lines(pyk::grid(1), pyk::block(3))(1, 0);
    }
    EXPECT_THAT(got, SizeIs(3));
}

// As device/pyk/print_ring.h lays it out: a word, the format filled up to words, a word for each value.
std::size_t words_of_line(const pyk::jit::Kernel& lines, std::size_t values) {
    const std::string emitted = lines.specializations().at(0).emitted();
    const std::size_t begin = emitted.find("\"label ") + 1, end = emitted.find("\\n\"", begin);
    EXPECT_NE(end, std::string::npos) << emitted;
    const std::size_t format = end - begin + 1;  // \n is one character
    return 1 + (format + 7) / 8 + values;
}

TEST_P(Print, ABufferThatIsFullSaysWhatIsMissing) {
    options.print_buffer_bytes = 4096;
    const auto lines = load_with_sink().kernel("lines").value();
    lines(pyk::grid(1), pyk::block(64))(64, 0);
    device->synchronize().or_throw();
    if (device->is_cpu()) {
        EXPECT_THAT(got, SizeIs(64 * 64)) << "nothing is lost on the CPU";
        return;
    }
    const std::size_t fitting = 4096 / 8 / words_of_line(lines, 4);
    EXPECT_THAT(got, SizeIs(fitting + 1));
    EXPECT_EQ(got.back(), "pyk: " + std::to_string(64 * 64 - fitting) +
                              " lines are missing here: the buffer for what kernels print was full\n");
    // It is used again and again, from wherever the last lines ended.
    for (int round = 0; round < 50; ++round) {
        got.clear();
        lines(pyk::grid(1), pyk::block(8))(4, round);
        device->synchronize().or_throw();
        EXPECT_THAT(got, SizeIs(32));
        EXPECT_THAT(got, Each(HasSubstr("label " + std::to_string(round) + " ")));
    }
}

TEST_P(Print, ModulesHaveTheirOwnSinks) {
    std::string first, second;
    options.on_print = [&](std::string_view line) { first += line; };
    const auto a = load().kernel("number").value();
    options.on_print = [&](std::string_view line) { second += line; };
    const auto b = load().kernel("number").value();
    a(pyk::grid(1), pyk::block(1))(1);
    b(pyk::grid(1), pyk::block(1))(2);
    a(pyk::grid(1), pyk::block(1))(3.5);
    device->synchronize().or_throw();
    EXPECT_EQ(first, "1\n3.500000\n") << "two instances, in their order";
    EXPECT_EQ(second, "2\n");
}

TEST_P(Print, ASinkMayThrow) {
    int calls = 0;
    options.on_print = [&](std::string_view line) {
        if (++calls == 2) throw std::runtime_error("the sink is full");
        got.emplace_back(line);
    };
    const auto lines = load().kernel("lines").value();
    EXPECT_THROW(
        {
            lines(pyk::grid(1), pyk::block(4))(1, 0);
            device->synchronize().or_throw();
        },
        std::runtime_error);
    EXPECT_THAT(got, SizeIs(1));
    lines(pyk::grid(1), pyk::block(4))(1, 0);
    device->synchronize().or_throw();
    EXPECT_THAT(got, SizeIs(1 + 2 + 4)) << "those behind the one that was refused come later";
}

TEST_P(Print, ASinkMayLaunch) {
    std::optional<pyk::jit::Kernel> lines;
    options.on_print = [&](std::string_view line) {
        got.emplace_back(line);
        if (got.size() > 1) return;
        (*lines)(pyk::grid(1), pyk::block(2))(1, 1);
        device->synchronize().or_throw();
    };
    lines = load().kernel("lines").value();
    (*lines)(pyk::grid(1), pyk::block(1))(1, 0);
    device->synchronize().or_throw();
    EXPECT_THAT(got, SizeIs(3));
}

TEST_P(Print, ASinkMayLaunchAnother) {
    std::optional<pyk::jit::Module> module;
    options.on_print = [&](std::string_view line) {
        got.emplace_back(line);
        if (got.size() > 1) return;
        module->kernel("number").value()(pyk::grid(1), pyk::block(1))(2.5);
        device->synchronize().or_throw();
    };
    module = load();
    module->kernel("lines").value()(pyk::grid(1), pyk::block(1))(2, 0);
    device->synchronize().or_throw();
    EXPECT_THAT(got,
                ElementsAre("label 0 thread 0 line 0 0.000000\n", "label 0 thread 0 line 1 0.500000\n", "2.500000\n"));
}

TEST_P(Print, ManyThreadsWaitAtOnce) {
    std::size_t inside = 0, most = 0, lines_seen = 0;
    options.on_print = [&](std::string_view) {
        most = std::max(most, ++inside);
        ++lines_seen;
        std::this_thread::yield();
        --inside;
    };
    const auto lines = load().kernel("lines").value();
    lines.preload("int64, int64", *device).wait().or_throw();
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&] {
            const auto stream = pyk::Stream::create(*device).value();
            for (int k = 0; k < 20; ++k) {
                lines(pyk::grid(2), pyk::block(4), stream)(std::int64_t{2}, std::int64_t{k});
                stream.synchronize().or_throw();
            }
        });
    for (std::thread& thread : threads) thread.join();
    device->synchronize().or_throw();
    EXPECT_EQ(lines_seen, 8u * 20 * 16);
    EXPECT_EQ(most, 1u) << "one call at a time";
}

TEST_P(Print, BesideWhatKernelsRaise) {
    options.debug = true;
    const auto raises = load_with_sink().kernel("raises").value();
    std::vector<int> x(2);
    const auto failed = raises(pyk::grid(1), pyk::block(2)).launch(x);
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.message(), HasSubstr("one thread only"));
    EXPECT_THAT(got, ::testing::UnorderedElementsAre("before 0\n", "before 1\n"));
}

INSTANTIATE_TEST_SUITE_P(Devices, Print, ::testing::Values(false, true),
                         [](const auto& info) { return info.param ? "gpu" : "cpu"; });

}  // namespace
