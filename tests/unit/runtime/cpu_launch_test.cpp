// The CPU's executor: grids, barriers, shared memory, threads that end early, checks, failures.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "driver.h"
#include "pyk/atomic.h"
#include "pyk/check.h"
#include "pyk/cpu.h"
#include "pyk/cpu_module.h"
#include "pyk/shared.h"
#include "pyk/thread.h"

namespace {

using pyk::Dim3;
using pyk::cpu::launch;
using pyk::cpu::LaunchConfig;

LaunchConfig config(Dim3 grid, Dim3 block, size_t shared_bytes = 0) {
    LaunchConfig c;
    c.grid = grid;
    c.block = block;
    c.shared_bytes = shared_bytes;
    return c;
}

void expect_clean(const pyk::Result<std::optional<pyk::CheckReport>>& result) {
    ASSERT_TRUE(result.ok()) << result.message();
    EXPECT_FALSE(result->has_value());
}

template <void Thread(pyk::thread&, const void*)>
void together(const pyk::cpu_block* block, const void* args) {
    block->run_threads(block, Thread, args);
}
template <void Thread(pyk::thread&, const void*)>
void one_by_one(const pyk::cpu_block* block, const void* args) {
    pyk::for_each_thread(*block, [&](pyk::thread& t) { Thread(t, args); });
}

void count_place(pyk::thread& t, const void* args) {
    int* places = *static_cast<int* const*>(args);
    const long long x = pyk::grid_x(t), y = pyk::grid_y(t), z = pyk::grid_z(t);
    pyk::atomic_add(places[(z * pyk::gridsize_y(t) + y) * pyk::gridsize_x(t) + x], 1);
}

TEST(CpuLaunch, RunsEveryThreadOfTheGridOnce) {
    for (auto entry : {one_by_one<count_place>, together<count_place>}) {
        std::vector<int> places(5 * 4 * 3 * 8 * 2 * 3);
        int* data = places.data();
        expect_clean(launch(entry, config({5, 4, 3}, {8, 2, 3}), &data));
        for (int n : places) EXPECT_EQ(n, 1);
    }
}

struct Reduction {
    const float* x;
    float* sums;
};
void tree_sum(pyk::thread& t, const void* args) {
    const Reduction& a = *static_cast<const Reduction*>(args);
    auto& s = t.shared<float[1024]>(0);
    const int i = t.threadIdx.x;
    s[i] = a.x[pyk::grid_x(t)];
    t.sync();
    for (int half = t.blockDim.x / 2; half > 0; half /= 2) {
        if (i < half) s[i] += s[i + half];
        t.sync();
    }
    if (i == 0) a.sums[t.blockIdx.x] = s[0];
}

TEST(CpuLaunch, BarriersOrderAReduction) {
    for (unsigned threads : {1u, 32u, 256u, 1024u}) {
        const unsigned blocks = 50;
        std::vector<float> x(blocks * threads), sums(blocks);
        for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7);
        const Reduction args{x.data(), sums.data()};
        expect_clean(launch(together<tree_sum>, config({blocks}, {threads}), &args));
        for (unsigned b = 0; b < blocks; ++b)
            EXPECT_EQ(sums[b], std::accumulate(x.begin() + b * threads, x.begin() + (b + 1) * threads, 0.0f));
    }
}

struct Votes {
    int *counts, *any, *all;
};
void leave_in_turn(pyk::thread& t, const void* args) {
    const Votes& v = *static_cast<const Votes*>(args);
    const int i = t.threadIdx.x;
    for (int round = 0; round < 8; ++round) {
        if (i < round) return;  // one thread less in each round
        const int count = t.sync_count(i % 2);
        const int any = t.sync_or(i == 7);
        const int all = t.sync_and(i >= round);
        if (i == 7) {
            v.counts[round] = count;
            v.any[round] = any;
            v.all[round] = all;
        }
    }
}

TEST(CpuLaunch, ThreadsThatLeftAreNotWaitedFor) {
    int counts[8], any[8], all[8];
    const Votes args{counts, any, all};
    expect_clean(launch(together<leave_in_turn>, config({1}, {8}), &args));
    for (int round = 0; round < 8; ++round) {
        EXPECT_EQ(counts[round], 4 - round / 2);
        EXPECT_EQ(any[round], 1);
        EXPECT_EQ(all[round], 1);
    }
}

void half_ends(pyk::thread& t, const void* args) {
    int* out = *static_cast<int* const*>(args);
    if (t.threadIdx.x % 2) pyk::exit_thread();
    t.sync();
    if (t.threadIdx.x % 4) pyk::exit_thread();
    out[pyk::grid_x(t)] = 1;
}

TEST(CpuLaunch, ExitEndsOneThread) {
    std::vector<int> out(64);
    int* data = out.data();
    expect_clean(launch(together<half_ends>, config({2}, {32}), &data));
    for (size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i % 4 == 0);
}

void ends_in_the_loop(pyk::thread& t, const void* args) {
    if (t.threadIdx.x == 1) pyk::exit_thread();
    (*static_cast<int* const*>(args))[t.threadIdx.x] = 1;
}

TEST(CpuLaunch, ExitEndsOneThreadOfALoop) {
    int out[3] = {};
    int* data = out;
    expect_clean(launch(one_by_one<ends_in_the_loop>, config({1}, {3}), &data));
    EXPECT_EQ(out[0] * 100 + out[1] * 10 + out[2], 101);
}

void use_dynamic(pyk::thread& t, const void* args) {
    const auto s = pyk::dynamic_shared<double>(t);
    const int i = t.threadIdx.x;
    const bool zero = s(i) == 0;
    s(i) = i + 1;
    t.sync();
    (*static_cast<double* const*>(args))[pyk::grid_x(t)] = zero ? s(s.shape[0] - 1 - i) : -1;
}

TEST(CpuLaunch, DynamicSharedMemoryIsSizedAndZero) {
    std::vector<double> out(20 * 16);
    double* data = out.data();
    expect_clean(launch(together<use_dynamic>, config({20}, {16}, 16 * sizeof(double)), &data));
    for (size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], 16.0 - static_cast<double>(i % 16));
}

void static_is_zero(const pyk::cpu_block* block, const void* args) {
    pyk::clear_shared(*block, sizeof(int[4]));
    pyk::for_each_thread(*block, [&](pyk::thread& t) {
        auto& s = t.shared<int[4]>(0);
        (*static_cast<int* const*>(args))[pyk::grid_x(t)] = s[t.threadIdx.x];
        s[t.threadIdx.x] = 5;
    });
}

TEST(CpuLaunch, StaticSharedMemoryIsCleared) {
    std::vector<int> out(400, -1);
    int* data = out.data();
    expect_clean(launch(static_is_zero, config({100}, {4}), &data));
    for (int n : out) EXPECT_EQ(n, 0);
}

// Frames of about a kilobyte; sanitizers make them several.
#ifdef PYK_SANITIZED
constexpr int kDepth = 50;
#else
constexpr int kDepth = 150;
#endif

int deep(const pyk::thread& t, int depth) {
    volatile char local[1000];
    std::memset(const_cast<char*>(local), depth, sizeof local);
    if (depth == 0) {
        t.sync();
        return 0;
    }
    return deep(t, depth - 1) + (local[999] == static_cast<char>(depth));
}
void go_deep(pyk::thread& t, const void* args) { (*static_cast<int* const*>(args))[t.threadIdx.x] = deep(t, kDepth); }

TEST(CpuLaunch, StacksAreDeepEnough) {
    int out[64] = {};
    int* data = out;
    expect_clean(launch(together<go_deep>, config({1}, {64}), &data));
    for (int n : out) EXPECT_EQ(n, kDepth);
}

TEST(CpuLaunch, StacksGrowWhereALaunchAsks) {
    int out[8] = {};
    int* data = out;
    LaunchConfig c = config({1}, {8});
    c.stack_bytes = 4 << 20;
    expect_clean(launch(together<go_deep>, c, &data));
    for (int n : out) EXPECT_EQ(n, kDepth);
}

void fill_local(pyk::thread& t, const void* args) {
    int values[100000];  // more than usual stacks have
    for (int& value : values) value = t.threadIdx.x;
    t.sync();
    long long sum = 0;
    for (const int value : values) sum += value;
    (*static_cast<long long* const*>(args))[t.blockIdx.x * t.blockDim.x + t.threadIdx.x] = sum;
}
void with_deep_stacks(const pyk::cpu_block* block, const void* args) {
    block->run_deep_threads(block, fill_local, args, 700000);
}

TEST(CpuLaunch, StacksGrowWhereAnEntryAsks) {
    for (const bool cooperative : {false, true}) {
        std::vector<long long> sums(64);
        long long* data = sums.data();
        LaunchConfig c = config({4}, {16});
        c.cooperative = cooperative;
        expect_clean(launch(with_deep_stacks, c, &data));
        for (int i = 0; i < 64; ++i) EXPECT_EQ(sums[static_cast<size_t>(i)], 100000 * (i % 16));
    }
}

// Which bytes of the dynamic shared memory each thread writes.
struct Outside {
    long long first;
};
void write_dynamic(pyk::thread& t, const void* args) {
    pyk::dynamic_shared<unsigned char>(t).data[static_cast<const Outside*>(args)->first + t.threadIdx.x] = 1;
}

TEST(CpuLaunch, WhatIsWrittenBesideDynamicSharedMemoryIsSaid) {
    const auto run = [](size_t bytes, long long first) {
        const Outside args{first};
        return launch(one_by_one<write_dynamic>, config({2}, {32}, bytes), &args);
    };
    expect_clean(run(32, 0));
    for (const auto& [bytes, first] : {std::pair{0, 0}, {0, -40}, {32, 1}, {100, 100}, {300000, 300000}}) {
        const auto result = run(static_cast<size_t>(bytes), first);
        EXPECT_EQ(result.message(), "CPU launch: the kernel failed: it wrote beyond the " + std::to_string(bytes) +
                                        " bytes of dynamic shared memory that the launch gave it");
        expect_clean(run(static_cast<size_t>(bytes) + 32, 0));
    }
}

struct Checked {
    int* data;
    long long extent;
};
void store_checked(pyk::thread& t, const void* args) {
    const Checked& a = *static_cast<const Checked*>(args);
    int& own = a.data[pyk::checked(t, pyk::grid_x(t), a.extent, {"out", 0, 12})];
    own = pyk::checked(t, -1, a.extent, {"out", 0, 13}) == a.extent - 1;
}

TEST(CpuLaunch, ReportsTheFirstIndexOutOfRange) {
    for (auto entry : {one_by_one<store_checked>, together<store_checked>}) {
        std::vector<int> out(70);
        const Checked args{out.data(), 70};
        const auto result = launch(entry, config({16}, {8}), &args);
        ASSERT_TRUE(result.ok() && result->has_value());
        EXPECT_EQ((*result)->message(),
                  "line 12: index 70 is out of range for axis 0 of 'out', which has 70 elements (block (8, 0, 0), "
                  "thread (6, 0, 0)), and 57 other threads");
        EXPECT_EQ((*result)->threads, 58);
        for (int n : out) EXPECT_EQ(n, 1);
    }
}

TEST(CpuLaunch, ReportsToTheThreadThatLaunched) {
    const auto module = pyk::driver::cpu_context().linked_code(nullptr, true).value();
    std::vector<int> out(8);
    const Checked args{out.data(), 7};
    pyk::LaunchConfig eight;
    eight.block.x = 8;
    const auto entry = reinterpret_cast<void*>(one_by_one<store_checked>);
    ASSERT_TRUE(module->launch(entry, eight, 0, &args, sizeof args).ok());
    std::thread([&] { expect_clean(module->take_check_report()); }).join();
    const auto report = module->take_check_report();
    ASSERT_TRUE(report.ok() && report->has_value());
    EXPECT_EQ((*report)->line, 12);
    expect_clean(module->take_check_report());
}

void throws(pyk::thread& t, const void*) {
    if (t.threadIdx.x == 3) throw std::runtime_error("of its own");
    t.sync();
}

TEST(CpuLaunch, AnExceptionFailsTheLaunchAndNoOther) {
    const auto failed = launch(together<throws>, config({4}, {8}), nullptr);
    ASSERT_FALSE(failed.ok());
    EXPECT_NE(failed.message().find("of its own"), std::string::npos);
    expect_clean(launch(together<throws>, config({1}, {3}), nullptr));
}

TEST(CpuLaunch, RefusesImpossibleShapes) {
    const auto entry = one_by_one<count_place>;
    EXPECT_FALSE(launch(entry, config({0}, {1}), nullptr).ok());
    EXPECT_FALSE(launch(entry, config({1}, {1025}), nullptr).ok());
    EXPECT_FALSE(launch(entry, config({1}, {32, 33}), nullptr).ok());
    EXPECT_FALSE(launch(entry, config({1}, {1, 1, 65}), nullptr).ok());
    EXPECT_FALSE(launch(entry, config({1, 65536}, {1}), nullptr).ok());
    EXPECT_FALSE(launch(nullptr, config({1}, {1}), nullptr).ok());
}

void add_one(pyk::thread&, const void* args) { pyk::atomic_add(**static_cast<int* const*>(args), 1); }

TEST(CpuLaunch, MayComeFromSeveralThreads) {
    int sum = 0;
    int* data = &sum;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 50; ++k) expect_clean(launch(one_by_one<add_one>, config({7}, {3}), &data));
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(sum, 4 * 50 * 21);
}

TEST(CpuModule, SaysWhatIsMissing) {
    const auto module = pyk::CpuModule::load("/no/such/file.so");
    ASSERT_FALSE(module.ok());
    EXPECT_NE(module.message().find("/no/such/file.so"), std::string::npos);
}

}  // namespace
