// Launches: arguments of every kind, streams, graphs, bound launchers, errors, threads. On the CPU, and on a GPU where
// there is one.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pyk/half.h>
#include <pyk/runtime.h>
#include <atomic>
#include <complex>
#include <limits>
#include <optional>
#include <pyk/pyk.hpp>
#include <thread>

#include "on_backend.h"

namespace {

using pyk::Device;
using pyk::jit::Backend;
using pyk::jit::Error;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// With a warning: `y` may have no value.
constexpr const char* kMaybe =
    "from numba import cuda\n\n\n@cuda.jit\ndef maybe(x):\n    if x[0] > 1:\n        y = 2\n"
    "    x[0] = y\n";

constexpr const char* kText = R"py(from numba import cuda


@cuda.jit
def add(a, x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += a


@cuda.jit
def scatter(x, y):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        y[i, j] = x[i, j] * 10 + i


@cuda.jit
def many(a, b, c, d, e, f, g, h, out):
    if cuda.grid(1) == 0:
        out[0] = a + b + c + d + e + f + g + h


@cuda.jit
def check(x, n):
    i = cuda.grid(1)
    if i < x.size:
        assert x[i] < n, "too large"
        x[i] = 0


@cuda.jit
def shared(x):
    s = cuda.shared.array(0, 'float32')
    i = cuda.threadIdx.x
    s[i] = i
    cuda.syncthreads()
    x[i] = s[cuda.blockDim.x - 1 - i]


@cuda.jit
def tile(x, n):
    t = cuda.shared.array(n, 'float32')
    i = cuda.threadIdx.x
    t[i] = x[i]
    cuda.syncthreads()
    total = 0.0
    for k in range(n):
        total += t[k] * (k + 1)
    x[i] = total


@cuda.jit
def shift(source, target):
    i = cuda.grid(1)
    if i < target.size:
        target[i] = source[i] + 1


@cuda.jit
def turn(z):
    i = cuda.grid(1)
    if i < z.size:
        z[i] = z[i] * 1j
)py";

class Launch : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        if (GetParam() == std::string("gpu")) {
            if (const auto reason = pyk::jit::why_unavailable(Backend::cuda)) GTEST_SKIP() << *reason;
            device = Device::get().value();
            options.backend = Backend::cuda;
        } else {
            ASSERT_NO_FATAL_FAILURE(need_cpu());
            options.backend = Backend::cpu;
        }
        options.disk_cache = false;
    }
    pyk::jit::Kernel kernel(const char* name) const {
        return pyk::load_text("kernels.pyk", kText, options).value().kernel(name).value();
    }
    pyk::Array<float> ones(long long n) const {
        auto array = pyk::Array<float>::allocate(device, {n}).value();
        array.fill(1.0f).or_throw();
        return array;
    }
    Device device = Device::cpu();
    pyk::jit::Options options;
};
INSTANTIATE_TEST_SUITE_P(On, Launch, testing::Values("cpu", "gpu"), [](const auto& info) { return info.param; });

TEST_P(Launch, DeviceArraysAndViewsStayWhereTheyAre) {
    const auto add = kernel("add");
    auto x = ones(10);
    add(pyk::grid(1), pyk::block(32))(2.0f, x);
    add(pyk::grid(1), pyk::block(32))(10.0f, x.view().slice(0, 0, 10, 3));
    EXPECT_THAT(x.to_host().value(), ElementsAre(13, 3, 3, 13, 3, 3, 13, 3, 3, 13));
    EXPECT_EQ(add.specializations().size(), 2u) << "C-contiguous and strided";
}

TEST_P(Launch, HostArraysAtAnyStrides) {
    const auto scatter = kernel("scatter");
    std::vector<double> from = {1, 2, 3, 4, 5, 6}, to(12, -1);
    const auto target = pyk::host(to.data(), {4, 3});
    scatter(pyk::grid(1), pyk::block(8, 8))(pyk::host(from.data(), {3, 2}).transposed(), target.slice(0, 3, -5, -2));
    EXPECT_THAT(to, ElementsAre(-1, -1, -1, 21, 41, 61, -1, -1, -1, 10, 30, 50));
}

TEST_P(Launch, StridedViewsThatBeginTogether) {
    std::vector<float> v = {0, 10, 20, 30, 40, 50, 60, 70};
    const auto all = pyk::host(v.data(), {8});
    kernel("shift")(pyk::grid(1), pyk::block(32))(all.slice(0, 0, 8, 4), all.slice(0, 0, 4, 2));
    EXPECT_THAT(v, ElementsAre(1, 10, 41, 30, 40, 50, 60, 70));
}

TEST_P(Launch, CopiesAreSaidAndSpared) {
    std::string told;
    options.on_warning = [&](std::string_view category, std::string_view text) {
        told += std::string(category) + ": " + std::string(text) + "\n";
    };
    const auto add = kernel("add");
    std::vector<float> x = {1, 2};
    add(pyk::grid(1), pyk::block(32))(1.0f, x);
    add(pyk::grid(1), pyk::block(32))(1.0f, x);
    EXPECT_THAT(x, ElementsAre(3, 4));
    EXPECT_EQ(told, device.is_cpu() ? ""
                                    : "implicit-copy: kernel `add` was launched with host arrays: they are copied for "
                                      "each launch\n");
    add(pyk::grid(1), pyk::block(32))(1.0f, pyk::in(x));
    EXPECT_THAT(x, ElementsAre(3, 4)) << "not copied back";
}

TEST_P(Launch, HalvesAreElementsAndNumbers) {
    const auto add = kernel("add");
    std::vector<pyk::float16> x = {pyk::float16(1.0f), pyk::float16(2.5f)};
    add(pyk::grid(1), pyk::block(32))(pyk::float16(0.5f), x);
    EXPECT_EQ(wide(x[0]), 1.5f);
    EXPECT_EQ(wide(x[1]), 3.0f);
    auto y = pyk::Array<pyk::bfloat16>::from_host(device, {pyk::bfloat16(-3.0f)}).value();
    add(pyk::grid(1), pyk::block(32))(pyk::bfloat16(1.0f), y);
    EXPECT_EQ(wide(y.to_host().value()[0]), -2.0f);
    EXPECT_THAT(add.specializations(), testing::SizeIs(2));
}

TEST_P(Launch, AWarningHandlerMayLaunchTheKernelThatItIsToldOf) {
    std::optional<pyk::jit::Kernel> maybe;
    std::vector<float> x = {5};
    pyk::Status inner = pyk::Status::failure("not told");
    bool is_told = false;
    options.on_warning = [&](std::string_view, std::string_view) {
        if (maybe && !std::exchange(is_told, true)) inner = (*maybe)(pyk::grid(1), pyk::block(1)).launch(x);
    };
    maybe = pyk::load_text("maybe.pyk", kMaybe, options).value().kernel("maybe").value();
    std::vector<float> y = {5};
    EXPECT_TRUE((*maybe)(pyk::grid(1), pyk::block(1)).launch(y).ok());
    EXPECT_TRUE(inner.ok()) << inner.message();
    EXPECT_THAT(x, ElementsAre(2));
    EXPECT_THAT(y, ElementsAre(2));
}

TEST_P(Launch, WhatAWarningHandlerThrowsLeavesTheCall) {
    bool is_told = false;
    options.on_warning = [&](std::string_view, std::string_view) {
        is_told = true;
        throw std::runtime_error("as errors, please");
    };
    const auto maybe = pyk::load_text("maybe.pyk", kMaybe, options).value().kernel("maybe").value();
    const auto preload = maybe.preload("float32[::1]", device);
    EXPECT_THROW((void)preload.wait(), std::runtime_error);
    EXPECT_THROW((void)preload.wait(), std::runtime_error) << "each time";
    EXPECT_TRUE(std::exchange(is_told, false));
    EXPECT_THROW((void)maybe.bind<pyk::View<double>>(device), std::runtime_error);
    EXPECT_TRUE(is_told);

    // What was compiled is there.
    auto x = ones(1);
    x.fill(3.0f).or_throw();
    maybe(pyk::grid(1), pyk::block(1))(x);
    EXPECT_THAT(x.to_host().value(), ElementsAre(2));
}

TEST_P(Launch, ScalarsOfEveryType) {
    std::vector<double> out(1);
    kernel("many")(pyk::grid(1), pyk::block(1))(true, std::int8_t{-3}, std::uint8_t{200}, std::int16_t{-300}, 70000u,
                                                std::int64_t{1} << 40, 0.5f, 0.25, out);
    EXPECT_EQ(out[0], 1 - 3 + 200 - 300 + 70000 + 1099511627776.0 + 0.5 + 0.25);
    std::vector<std::complex<float>> z = {{1, 2}, {-3, 0}};
    kernel("turn")(pyk::grid(1), pyk::block(2))(z);
    EXPECT_THAT(z, ElementsAre(std::complex<float>(-2, 1), std::complex<float>(0, -3)));
}

TEST_P(Launch, NumbersThatTheKernelIsCompiledFor) {
    const auto tile = kernel("tile");
    std::vector<float> x = {1, 1, 1, 1};
    tile(pyk::grid(1), pyk::block(4))(x, pyk::constant(4));
    EXPECT_THAT(x, Each(10.0f));
    std::vector<float> y = {1, 1, 1};
    tile(pyk::grid(1), pyk::block(3))(y, pyk::constant(3));
    tile(pyk::grid(1), pyk::block(3))(y, pyk::constant(3));
    EXPECT_THAT(y, Each(36.0f));
    std::vector<std::string> signatures;
    for (const auto& made : tile.specializations()) signatures.push_back(made.signature());
    EXPECT_THAT(signatures, UnorderedElementsAre("tile(float32[::1], n=4)", "tile(float32[::1], n=3)"));
}

// The variant whose pointers are __restrict__ must not be used where they overlap.
TEST_P(Launch, OverlappingArraysGetTheGeneralVariant) {
    const auto shift = kernel("shift");
    auto a = ones(1000), b = ones(1000);
    shift(pyk::grid(4), pyk::block(256))(a, b);
    EXPECT_THAT(b.to_host().value(), Each(2.0f));
    shift(pyk::grid(4), pyk::block(256))(a, a);
    EXPECT_THAT(a.to_host().value(), Each(2.0f));
    const auto all = shift.specializations();
    if (device.is_cpu()) {
        EXPECT_EQ(all.size(), 1u);
        return;
    }
    ASSERT_EQ(all.size(), 2u);
    EXPECT_THAT(all[0].emitted(), HasSubstr("__restrict__"));
    EXPECT_THAT(all[1].emitted(), Not(HasSubstr("__restrict__")));
    shift(pyk::grid(4), pyk::block(256))(a.view().slice(0, 0, 500), a.view().slice(0, 500, 1000));
    EXPECT_THAT(a.to_host().value(), testing::Contains(3.0f).Times(500));
    EXPECT_EQ(shift.specializations().size(), 2u) << "halves of one array do not overlap";
}

// A bound launcher has both of them, and looks at each launch.
TEST_P(Launch, BoundLaunchersChooseTheVariantToo) {
    const auto shift = kernel("shift");
    using Floats = pyk::View<float>;
    const auto bound = shift.bind<Floats, Floats>(device).value();
    EXPECT_EQ(shift.specializations().size(), device.is_cpu() ? 1u : 2u);
    EXPECT_EQ(bound.specialization().emitted().find("__restrict__") == std::string::npos, device.is_cpu());
    auto a = ones(1000), b = ones(1000);
    pyk::LaunchConfig config;
    config.grid.x = 4;
    config.block.x = 256;
    bound(config, a.view(), b.view());
    EXPECT_THAT(b.to_host().value(), Each(2.0f));
    bound(config, a.view(), a.view());
    EXPECT_THAT(a.to_host().value(), Each(2.0f));
    EXPECT_EQ(shift.specializations().size(), device.is_cpu() ? 1u : 2u);
}

// The variant that indexes in 32 bits is for arrays and grids that these reach.
TEST_P(Launch, PlacesAndThreadsBeyond32Bits) {
    if (device.is_cpu()) GTEST_SKIP() << "one variant, in 64 bits";
    const auto module = pyk::load_text("far.pyk", R"(from numba import cuda


@cuda.jit
def last(a):
    i = cuda.grid(1)
    if i == 0:
        a[a.shape[0] - 1, a.shape[1] - 1] += 1
    if i >= 2**31:
        a[0, 0] = 77
)")
                            .value();
    const auto last = module.kernel("last").value();
    auto small = pyk::Array<std::int8_t, 2>::allocate(device, {2, 16}).value();
    auto large = pyk::Array<std::int8_t, 2>::allocate(device, {2, (1LL << 30) + 16});
    if (!large) GTEST_SKIP() << large.message();
    small.fill(1).or_throw();
    large->fill(1).or_throw();
    last(pyk::grid(1), pyk::block(32))(small);
    EXPECT_THAT(last.specializations().at(0).emitted(), HasSubstr("pyk::array32<signed char, 2>"));
    EXPECT_EQ(small.to_host().value().back(), 2);
    last(pyk::grid(1), pyk::block(32))(*large);
    EXPECT_EQ(large->to_host().value().back(), 2);
    EXPECT_EQ(last.specializations().size(), 2u);
    last(pyk::grid((1u << 21) + 1), pyk::block(1024))(small);
    EXPECT_EQ(small.to_host().value().front(), 77);
    const auto bound = last.bind<pyk::Array<std::int8_t, 2>>(device).value();
    pyk::LaunchConfig config;
    config.block.x = 32;
    bound(config, small);
    EXPECT_EQ(small.to_host().value().back(), 4) << "of three launches";
    bound(config, *large);
    EXPECT_EQ(large->to_host().value().back(), 3);
    EXPECT_EQ(last.specializations().size(), 2u);
}

// A barrier lets other threads' stores be seen, also where arrays do not overlap.
TEST_P(Launch, WhatOtherThreadsStoreIsSeenBehindABarrier) {
    const auto module = pyk::load_text("swap.pyk", R"(from numba import cuda


@cuda.jit
def swap(a, out):
    i = cuda.threadIdx.x
    a[i] = 3
    cuda.syncthreads()
    if i < 10:
        a[i + 5] = 7
    cuda.syncthreads()
    out[i] = a[i]
)")
                            .value();
    auto a = ones(32), out = ones(32);
    module.kernel("swap").value()(pyk::grid(1), pyk::block(32))(a, out);
    const auto result = out.to_host().value();
    for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(result[i], i >= 5 && i < 15 ? 7 : 3) << i;
}

TEST_P(Launch, StreamsGraphsAndCaptures) {
    const auto add = kernel("add");
    auto x = ones(100);
    const auto stream = pyk::Stream::create(device).value();
    ASSERT_TRUE(stream.begin_capture().ok());
    const auto refused = add(pyk::grid(1), pyk::block(128), stream).launch(1.0f, x);
    EXPECT_THAT(refused.message(), HasSubstr("call preload"));
    (void)stream.end_capture();

    ASSERT_TRUE(add.preload("float32, float32[::1]", device).wait().ok());
    ASSERT_TRUE(stream.begin_capture().ok());
    for (int i = 0; i < 3; ++i) add(pyk::grid(1), pyk::block(128), stream)(1.0f, x);
    const auto graph = stream.end_capture().value();
    EXPECT_THAT(x.to_host(stream).value(), Each(1.0f));
    graph.launch(stream).or_throw();
    graph.launch(stream).or_throw();
    EXPECT_THAT(x.to_host(stream).value(), Each(7.0f));
}

TEST_P(Launch, ArraysInTuples) {
    const auto module = pyk::load_text("parts.pyk", R"(from numba import cuda, literal_unroll


@cuda.jit
def totals(parts, scaled, out):
    i = cuda.grid(1)
    if i < out.size:
        for part in literal_unroll(parts):
            out[i] += part[i]
        out[i] += scaled[0] * scaled[1][i, 1] * scaled[2][0][i]


@cuda.jit
def clear(parts):
    i = cuda.grid(1)
    parts[0][i] = 0
    parts[1][i] = i
)",
                                       options)
                            .value();
    auto a = ones(3), b = ones(6), out = ones(3);
    auto m = pyk::Array<double, 2>::from_host(device, std::vector<double>{1, 2, 3, 4, 5, 6}.data(), {3, 2}).value();
    auto integers = pyk::Array<short>::from_host(device, {10, 20, 30}).value();
    pyk::View<float> odd = b.view().slice(0, 1, 6, 2);
    const auto totals = module.kernel("totals").value();
    totals(pyk::grid(1), pyk::block(32))(
        std::tie(a, odd, integers),
        std::tuple<int, pyk::Array<double, 2>&, std::tuple<pyk::Array<short>&>>(2, m, integers), out);
    EXPECT_THAT(out.to_host().value(), ElementsAre(13 + 40, 23 + 160, 33 + 360));
    EXPECT_EQ(totals.specializations().at(0).signature(),
              "totals((float32[::1], float32[:], int16[::1]), (int32, float64[:, ::1], (int16[::1],)), float32[::1])");
    module.kernel("clear").value()(pyk::grid(1), pyk::block(3))(std::tie(a, odd));
    EXPECT_THAT(a.to_host().value(), Each(0.0f));
    EXPECT_THAT(b.to_host().value(), ElementsAre(1, 0, 1, 1, 1, 2));
    if (device.is_cpu()) return;
    auto of_host = pyk::Array<float>::from_host(Device::cpu(), {1, 2, 3}).value();
    EXPECT_THAT(module.kernel("clear").value()(pyk::grid(1), pyk::block(3)).launch(std::tie(a, of_host)).message(),
                HasSubstr("argument 1 (`parts`) of kernel `clear` has an array that is not in the memory of"));
}

TEST_P(Launch, AGraphKeepsTheCodeThatItLaunches) {
    auto x = ones(1);
    const auto stream = pyk::Stream::create(device).value();
    pyk::Graph graph;
    {
        const auto k =
            pyk::load_text("k.pyk", "from numba import cuda\n\n\n@cuda.jit\ndef k(x):\n    x[0] += 1\n", options)
                .value()
                .kernel("k")
                .value();
        k.preload("float32[::1]", device).wait().or_throw();
        stream.begin_capture().or_throw();
        k(pyk::grid(1), pyk::block(1), stream)(x);
        graph = stream.end_capture().value();
    }
    graph.launch(stream).or_throw();
    EXPECT_EQ(x.to_host(stream).value()[0], 2);
}

TEST_P(Launch, HandlesThatWereMovedFromAreStillOnes) {
    auto module = pyk::load_text("k.pyk", "from numba import cuda\n\n\n@cuda.jit\ndef k(x):\n    x[0] += 1\n").value();
    const auto other_module = std::move(module);
    auto k = module.kernel("k").value();  // NOLINT
    const auto other = std::move(k);
    auto stream = pyk::Stream::create(device).value();
    const auto other_stream = std::move(stream);
    auto x = ones(1);
    k(pyk::grid(1), pyk::block(1), stream)(x);  // NOLINT
    EXPECT_TRUE(stream.synchronize().ok());     // NOLINT
    EXPECT_EQ(x.to_host().value()[0], 2);
}

TEST_P(Launch, BoundAndForAll) {
    const auto add = kernel("add");
    auto x = ones(1000);
    add.forall(1000)(1.0f, x);
    EXPECT_THAT(add.forall(std::numeric_limits<long long>::max()).launch(1.0f, x).message(),
                HasSubstr("more elements than a grid has threads"));
    std::vector<float> few(3);
    EXPECT_THAT(add(pyk::grid(1), pyk::block(1)).launch(1.0f, pyk::host(few.data(), {-3})).message(),
                HasSubstr("negative extent"));
    const auto bound = add.bind<float, pyk::Array<float>>(device).value();
    pyk::LaunchConfig config;
    config.grid.x = 4;
    config.block.x = 256;
    bound(config, 2.0f, x);
    const auto on_views = add.bind<float, pyk::View<float>>(device).value();
    on_views(config, 4.0f, x.view().slice(0, 0, 500));
    auto values = x.to_host().value();
    EXPECT_EQ(values[499], 8);
    EXPECT_EQ(values[500], 4);
    EXPECT_EQ(add.specializations().size(), 1u) << "one instance serves all";
    EXPECT_THAT(on_views.launch(config, 1.0f, x.view().slice(0, 0, 500, 2)).message(),
                HasSubstr("argument 2 (`x`) of kernel `add` is not C-contiguous"));
    std::vector<float> host(3);
    EXPECT_THAT(on_views.launch(config, 1.0f, pyk::View<float>(host)).message(),
                HasSubstr("not in the device's memory"));
    EXPECT_THAT((add.bind<float, pyk::View<const float>>(device).message()), HasSubstr("written by the kernel"));
}

TEST_P(Launch, AClusterOfOneBlockIsNone) {
    auto x = ones(4);
    pyk::LaunchConfig config;
    config.block.x = 4;
    config.cluster = {1, 1, 1};
    kernel("add")(config)(2.0f, x);
    EXPECT_THAT(x.to_host().value(), Each(3.0f));
}

TEST_P(Launch, SharedMemoryOfTheLaunch) {
    auto x = ones(64);
    kernel("shared")(pyk::grid(1), pyk::block(64), 64 * sizeof(float))(x);
    EXPECT_EQ(x.to_host().value()[0], 63);
    EXPECT_EQ(x.to_host().value()[63], 0);
}

TEST_P(Launch, WrongLaunchesAreClearAndTheNextWorks) {
    const auto add = kernel("add");
    auto x = ones(4);
    const auto fails = [&](const pyk::Status& status, Error::Kind kind, const char* text) {
        ASSERT_FALSE(status.ok());
        EXPECT_EQ(status.error().kind, kind) << status.message();
        EXPECT_THAT(status.message(), HasSubstr(text));
    };
    fails(add(pyk::grid(1), pyk::block(4)).launch(x), Error::Kind::arguments, "takes 2 arguments, not 1");
    fails(add(pyk::grid(0), pyk::block(4)).launch(1.0f, x), Error::Kind::arguments, "");
    fails(add(pyk::grid(1), pyk::block(5000)).launch(1.0f, x), Error::Kind::arguments, "");
    fails(add(pyk::grid(1), pyk::block(4), std::size_t{1} << 30).launch(1.0f, x), Error::Kind::arguments, "");
    fails(add(pyk::grid(1), pyk::block(4), (std::size_t{1} << 32) + 16).launch(1.0f, x), Error::Kind::arguments,
          "bytes of shared memory, of at most");
    const pyk::Array<float> fixed = ones(4);
    fails(add(pyk::grid(1), pyk::block(4)).launch(1.0f, fixed), Error::Kind::arguments, "which is const");
    auto moved = ones(4);
    const auto taken = std::move(moved);
    fails(add(pyk::grid(1), pyk::block(4)).launch(1.0f, moved.view()), Error::Kind::arguments, "its address is null");
    fails(add.preload("float32, floaty[::1]", device).wait(), Error::Kind::arguments, "floaty");
    fails(add.preload("scatter(float32, float32[::1])", device).wait(), Error::Kind::arguments,
          "is a signature of kernel `scatter`, not of `add`");
    fails(add.preload("other(float32, float32[::1])", device).wait(), Error::Kind::arguments,
          "there is no kernel `other`");
    add(pyk::grid(1), pyk::block(4))(1.0f, x);
    EXPECT_THAT(x.to_host().value(), Each(2.0f));
}

TEST_P(Launch, WhatKernelsRaiseArrivesWithItsPlace) {
    options.debug = true;
    const auto check = kernel("check");
    std::vector<double> x = {1, 2, 30};
    const auto raised = check(pyk::grid(1), pyk::block(4)).launch(x, 10);
    ASSERT_FALSE(raised.ok());
    EXPECT_THAT(raised.message(), HasSubstr("kernels.pyk: line 28: AssertionError: too large"));
    ASSERT_TRUE(raised.error().details && raised.error().details->raised);
    EXPECT_EQ(raised.error().details->raised->line, 28);
    EXPECT_EQ(raised.error().details->raised->thread[0], 2);
    std::vector<double> fine = {1, 2};
    EXPECT_TRUE(check(pyk::grid(1), pyk::block(4)).launch(fine, 10).ok()) << "the next launch works";
}

TEST_P(Launch, SpecializationsTellAboutThemselves) {
    const auto add = kernel("add");
    auto x = ones(4);
    add(pyk::grid(1), pyk::block(4))(1.0f, x);
    const auto all = add.specializations();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].signature(), "add(float32, float32[::1])");
    EXPECT_EQ(all[0].symbol(), "pyk_add_f4_a1f4c");
    EXPECT_THAT(all[0].emitted(), HasSubstr("pyk_add_f4_a1f4c"));
    EXPECT_THAT(all[0].typed_ir().value(), HasSubstr("float32"));
    EXPECT_GT(all[0].compile_ms(), 0);
    EXPECT_FALSE(all[0].is_from_cache());
    EXPECT_GT(all[0].occupancy(256).value(), 0);
    for (const int threads : {0, -1, 5000})
        EXPECT_THAT(all[0].occupancy(threads).message(), HasSubstr("a block of " + std::to_string(threads)));
    if (device.is_cpu()) return;
    EXPECT_THAT(all[0].ptx().value(), HasSubstr(".entry pyk_add_f4_a1f4c"));
    EXPECT_GT(all[0].resources().registers, 0);
}

// Run under ThreadSanitizer too (preset tsan).
TEST_P(Launch, ManyThreadsCompileLaunchAndFree) {
    const auto module = pyk::load_text("kernels.pyk", kText, options).value();
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 16; ++t)
        threads.emplace_back([&, t] {
            const auto stream = pyk::Stream::create(device).value();
            for (int i = 0; i < 5; ++i) {
                const auto add = module.kernel("add").value();
                auto x = pyk::Array<float>::allocate(device, {100}, pyk::MemoryKind::pooled, stream).value();
                x.fill(0.0f, stream).or_throw();
                if (t % 2)
                    add(pyk::grid(1), pyk::block(128), stream)(2.0f, x);
                else
                    add(pyk::grid(1), pyk::block(128), stream)(2, x.view());
                right += x.to_host(stream).value()[99] == 2;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, 80);
    EXPECT_EQ(module.kernel("add").value().specializations().size(), 2u);
}

// In a process of its own: the error ends the context.
TEST_P(Launch, AStickyErrorNamesTheLaunch) {
    if (device.is_cpu()) GTEST_SKIP() << "of CUDA only";
    std::FILE* pipe = popen("PYK_CACHE=0 '" PYK_BINARY_DIR "/bin/jit_child' --crash", "r");
    char text[2000] = "";
    const size_t size = std::fread(text, 1, sizeof text - 1, pipe);
    text[size] = 0;
    pclose(pipe);
    EXPECT_THAT(text, HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
    EXPECT_THAT(text, HasSubstr("; the last launches were pyk_far_i8_a1f4c(4611686018427387904, float32[8] at 0x"));
    EXPECT_THAT(text, HasSubstr("<<<2x1x1, 4x1x1>>>"));
}

TEST_P(Launch, AForkedProcessIsToldSo) {
    auto x = ones(4);
    const auto add = kernel("add");
    add(pyk::grid(8), pyk::block(32))(0.0f, x);  // on several threads
    const pid_t child = fork();
    if (child == 0) {
        const auto is_told = [](const pyk::Status& status) {
            return status.message().find("forked") != std::string::npos;
        };
        const bool launches = is_told(add(pyk::grid(8), pyk::block(32)).launch(0.0f, x));
        const bool compiles = is_told(add.preload("int8, int8[::1]").wait());
        const bool loads = is_told(pyk::load_text("x.pyk", "x = 1\n", options).status());
        _exit(launches && compiles && loads ? 0 : 1);
    }
    int code = -1;
    waitpid(child, &code, 0);
    EXPECT_EQ(code, 0);
    EXPECT_THAT(x.to_host().value(), Each(1.0f)) << "the parent goes on";
}

TEST(TwoGpus, OneReachesThePooledMemoryOfTheOther) {
    if (pyk::jit::why_unavailable(Backend::cuda) || Device::count().value() < 2) GTEST_SKIP() << "needs two GPUs";
    const Device first = Device::get(0).value(), second = Device::get(1).value();
    if (!first.enable_access_to(second).ok()) GTEST_SKIP() << "they do not reach each other";
    auto x = pyk::Array<float>::allocate(second, {100}, pyk::MemoryKind::pooled).value();
    x.fill(1.0f).or_throw();
    second.synchronize().or_throw();
    pyk::jit::Options options;
    options.disk_cache = false;
    const auto add = pyk::load_text("kernels.pyk", kText, options).value().kernel("add").value();
    const auto stream = pyk::Stream::create(first).value();
    ASSERT_TRUE(add(pyk::grid(1), pyk::block(128), stream).launch(1.0f, x).ok());
    ASSERT_TRUE(stream.synchronize().ok());
    EXPECT_THAT(x.to_host().value(), Each(2.0f));
}

}  // namespace
