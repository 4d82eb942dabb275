// Everything at once from 16 threads: loading, compiling, preloading, launching, printing, capturing, failing, freeing.
// Run under ThreadSanitizer too (src/README.md).
#include <gmock/gmock.h>

#include <atomic>
#include <pyk/pyk.hpp>
#include <string>
#include <thread>

namespace {

using pyk::Device;
using pyk::jit::Backend;

constexpr const char* kText = R"py(from numba import cuda

FACTOR = 1


@cuda.jit
def reversed_block(x):
    s = cuda.shared.array(64, 'float32')
    i = cuda.threadIdx.x
    s[i] = x[cuda.grid(1)]
    cuda.syncthreads()
    x[cuda.grid(1)] = s[63 - i] + FACTOR


@cuda.jit
def say(n):
    print(FACTOR, n, cuda.grid(1))


@cuda.jit
def broken(x):
    x[0] = nothing
)py";

class Stress : public ::testing::TestWithParam<bool> {
  protected:
    void SetUp() override {
        const auto missing = pyk::jit::why_unavailable(GetParam() ? Backend::cuda : Backend::cpu);
        if (missing) GTEST_SKIP() << *missing;
        options.backend = GetParam() ? Backend::cuda : Backend::cpu;
        options.disk_cache = false;
        options.on_print = [this](std::string_view) { ++lines; };
    }
    pyk::jit::Module load(std::int64_t factor) const {
        pyk::jit::Options own = options;
        own.defines["FACTOR"] = factor;
        return pyk::load_text("stress.pyk", kText, own).value();
    }

    pyk::jit::Options options;
    std::atomic<int> lines{0};
};

// Gives how many of its results are right.
int one_thread(int thread, const pyk::jit::Module& shared, const pyk::jit::Module& own, float factor,
               const Device& device) {
    int right = 0;
    const auto stream = pyk::Stream::create(device).value();
    const auto event = pyk::Event::create(device).value();
    for (int round = 0; round < 4; ++round) {
        const auto& module = round % 2 ? shared : own;
        const float added = round % 2 ? 1 : factor;
        const auto kernel = module.kernel("reversed_block").value();
        const auto preload = kernel.preload("float32[::1]", device);
        auto x = pyk::Array<float>::allocate(device, {128}, pyk::MemoryKind::pooled, stream).value();
        x.fill(static_cast<float>(thread), stream).or_throw();
        if (thread % 3 == 0) preload.wait().or_throw();
        kernel(pyk::grid(2), pyk::block(64), stream)(x);
        event.record(stream).or_throw();
        right += x.to_host(stream).value()[100] == static_cast<float>(thread) + added;

        stream.begin_capture().or_throw();
        kernel(pyk::grid(2), pyk::block(64), stream)(x);
        const auto graph = stream.end_capture().value();
        graph.launch(stream).or_throw();
        graph.launch(stream).or_throw();
        right += x.to_host(stream).value()[3] == static_cast<float>(thread) + 3 * added;

        module.kernel("say").value()(pyk::grid(1), pyk::block(2), stream)(round);
        right += event.is_done().value();
        right += !module.kernel("broken").value()(pyk::grid(1), pyk::block(1), stream).launch(x);
        right += !kernel(pyk::grid(1), pyk::block(2000), stream).launch(x);
        right += !kernel.specializations().empty();
    }
    return right;
}

TEST_P(Stress, SixteenThreads) {
    const Device device = GetParam() ? Device::get().value() : Device::cpu();
    constexpr int kThreads = 16;
    std::atomic<int> right{0};
    {
        const auto shared = load(1);
        std::vector<std::thread> threads;
        for (int t = 0; t < kThreads; ++t)
            threads.emplace_back([&, t] {
                // Every fourth has a module that ends with it.
                const auto own = t % 4 ? shared : load(2 + t);
                right += one_thread(t, shared, own, t % 4 ? 1.0f : static_cast<float>(2 + t), device);
            });
        for (std::thread& thread : threads) thread.join();
        device.synchronize().or_throw();
    }
    EXPECT_EQ(right, kThreads * 4 * 6);
    EXPECT_EQ(lines, kThreads * 4 * 2);
}

INSTANTIATE_TEST_SUITE_P(Devices, Stress, ::testing::Values(false, true),
                         [](const auto& info) { return info.param ? "gpu" : "cpu"; });

}  // namespace
