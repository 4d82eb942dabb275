// The CPU's executor: threads and blocks that wait for what others store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "pyk/cpu.h"
#include "pyk/cpu_module.h"

namespace {

using pyk::Dim3;

using Body = void (*)(pyk::thread&, int*);

template <Body Thread>
void run(const pyk::cpu_block* block, const void* args) {
    block->run_threads(
        block, [](pyk::thread& t, const void* a) { Thread(t, *static_cast<int* const*>(a)); }, args);
}

/// What the launch leaves in `size` numbers, zeros before.
template <Body Thread>
std::vector<int> results(Dim3 grid, Dim3 block, std::size_t size, bool cooperative = false, unsigned workers = 0) {
    std::vector<int> memory(size);
    int* data = memory.data();
    pyk::cpu::LaunchConfig config;
    config.grid = grid;
    config.block = block;
    config.cooperative = cooperative;
    config.max_workers = workers;
    const auto result = pyk::cpu::launch(run<Thread>, config, &data);
    EXPECT_TRUE(result.ok()) << result.message();
    return memory;
}

int load(int& flag) { return __atomic_load_n(&flag, __ATOMIC_SEQ_CST); }
void wait_for(pyk::thread& t, int& flag, int value) {
    while (load(flag) < value) t.give_way();
}
void add(int& counter) { __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST); }

void one_after_the_other(pyk::thread& t, int* flags) {
    const int i = t.threadIdx.x;
    if (i + 1 < t.blockDim.x) wait_for(t, flags[i + 1], 1);
    add(flags[i]);
}

TEST(CpuWaiting, ThreadsForLaterThreads) {
    EXPECT_THAT(results<one_after_the_other>({1}, {1024}, 1024), testing::Each(1));
}

// Some wait in loops, others at barriers and for their warp.
void beside_barriers(pyk::thread& t, int* flags) {
    if (t.threadIdx.x == 0) wait_for(t, flags[0], 31);
    if (t.threadIdx.x != 0) add(flags[0]);
    t.sync();
    if (t.threadIdx.x == 31) wait_for(t, flags[1], 1);
    if (t.threadIdx.x == 3) add(flags[1]);
    t.sync();
    add(flags[2]);
}

TEST(CpuWaiting, BesideBarriers) { EXPECT_EQ(results<beside_barriers>({1}, {32}, 3)[2], 32); }

void back_to_front(pyk::thread& t, int* flags) {
    const int b = t.blockIdx.x;
    if (b + 1 < t.gridDim.x) wait_for(t, flags[b + 1], t.blockDim.x);
    add(flags[b]);
}

TEST(CpuWaiting, BlocksForLaterBlocks) {
    for (unsigned workers : {1u, 2u, 0u})
        EXPECT_THAT(results<back_to_front>({150}, {2}, 150, false, workers), testing::Each(2)) << workers;
}

void meet_often(pyk::thread& t, int* counter) {
    for (int round = 1; round <= 10; ++round) {
        add(counter[0]);
        wait_for(t, counter[0], round * t.gridDim.x);
    }
}

TEST(CpuWaiting, AllBlocksForAll) { EXPECT_EQ(results<meet_often>({60}, {1}, 1)[0], 600); }

// In a cooperative launch some blocks wait for the grid, while another waits for them in a loop.
void beside_the_grid(pyk::thread& t, int* flags) {
    if (t.blockIdx.x == 0)
        wait_for(t, flags[0], t.gridDim.x - 1);
    else
        add(flags[0]);
    t.sync_grid();
    if (t.blockIdx.x == 1 && load(flags[0]) == t.gridDim.x - 1) add(flags[1]);
    t.sync_grid();
    if (load(flags[1]) == 1) add(flags[2]);
}

TEST(CpuWaiting, BesideTheBarrierOfTheGrid) { EXPECT_EQ(results<beside_the_grid>({20}, {1}, 3, true)[2], 20); }

}  // namespace
