// The CPU's executor: meetings of warps and of the whole grid, and those that cannot happen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "pyk/cpu.h"
#include "pyk/cpu_module.h"
#include "pyk/grid_sync.h"
#include "pyk/group.h"
#include "pyk/thread.h"
#include "pyk/warp.h"

namespace {

using pyk::Dim3;
using pyk::cpu::launch;
using pyk::cpu::LaunchConfig;
using testing::HasSubstr;

LaunchConfig config(Dim3 grid, Dim3 block, bool cooperative = false) {
    LaunchConfig c;
    c.grid = grid;
    c.block = block;
    c.cooperative = cooperative;
    return c;
}

using Body = void (*)(pyk::thread&, long long*);

template <Body Thread>
void run(const pyk::cpu_block* block, const void* args) {
    block->run_threads(
        block, [](pyk::thread& t, const void* a) { Thread(t, *static_cast<long long* const*>(a)); }, args);
}

template <Body Thread>
std::vector<long long> results(Dim3 grid, Dim3 block, bool cooperative = false) {
    std::vector<long long> out(grid.count() * block.count());
    long long* data = out.data();
    const auto result = launch(run<Thread>, config(grid, block, cooperative), &data);
    EXPECT_TRUE(result.ok()) << result.message();
    return out;
}

template <Body Thread>
std::string failure(Dim3 grid, Dim3 block, bool cooperative = false) {
    std::vector<long long> out(grid.count() * block.count());
    long long* data = out.data();
    return launch(run<Thread>, config(grid, block, cooperative), &data).message();
}

void sums(pyk::thread& t, long long* out) {
    long long value = t.index();
    for (int offset = 16; offset > 0; offset /= 2) value += pyk::shfl_down_sync(t, 1, ~0u, value, offset);
    out[pyk::grid_x(t)] = value;
}

TEST(CpuWarps, ReduceInEveryWarpOfABlock) {
    for (unsigned threads : {32u, 64u, 1024u}) {
        const auto out = results<sums>({3}, {threads});
        for (size_t i = 0; i < out.size(); i += 32)
            EXPECT_EQ(out[i], static_cast<long long>(32 * (i % threads) + 496)) << i;
    }
}

void leave_one_by_one(pyk::thread& t, long long* out) {
    for (int round = 0; round < 32; ++round) {
        if (t.index() == round) return;
        out[t.index()] += __builtin_popcount(static_cast<unsigned>(pyk::ballot_sync(t, 1, ~0u, true)));
    }
}

TEST(CpuWarps, LanesThatLeftAreNotWaitedFor) {
    const auto out = results<leave_one_by_one>({1}, {32});
    long long sum = 0;
    for (int lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(out[static_cast<size_t>(lane)], sum);
        sum += 31 - lane;
    }
}

void halves_apart(pyk::thread& t, long long* out) {
    const bool low = t.index() < 16;
    const unsigned mask = low ? 0xffffu : 0xffff0000u;
    for (int round = 0; round < (low ? 5 : 11); ++round)
        out[t.index()] += pyk::shfl_xor_sync(t, 1, mask, t.index() + round, 1);
}

TEST(CpuWarps, DisjointMasksGoTheirOwnWays) {
    const auto out = results<halves_apart>({1}, {32});
    EXPECT_EQ(out[0], 5 * 1 + 10);
    EXPECT_EQ(out[17], 11 * 16 + 55);
}

void in_different_lines(pyk::thread& t, long long* out) {
    if (t.index() % 2)
        out[t.index()] = pyk::any_sync(t, 7, ~0u, false);
    else
        out[t.index()] = pyk::any_sync(t, 9, ~0u, t.index() == 4);
}

TEST(CpuWarps, LanesMeetFromDifferentLines) {
    for (long long voted : results<in_different_lines>({1}, {32})) EXPECT_EQ(voted, 1);
}

void active(pyk::thread& t, long long* out) {
    if (t.index() % 3 == 0)
        out[t.index()] = pyk::activemask(t, 2);
    else
        t.sync();
}

TEST(CpuWarps, ActiveLanesAreThoseOfTheLine) {
    const auto out = results<active>({1}, {8});
    EXPECT_EQ(out[0], 0b01001001);
    EXPECT_EQ(out[1], 0);
}

void some_at_the_barrier(pyk::thread& t, long long*) {
    if (t.index() == 5) t.sync();
    pyk::syncwarp(t, 12, ~0u);
}
void different_calls(pyk::thread& t, long long*) {
    if (t.index() == 5) pyk::any_sync(t, 14, ~0u, true);
    pyk::syncwarp(t, 12, ~0u);
}
void not_in_the_mask(pyk::thread& t, long long*) { pyk::syncwarp(t, 21, 1u << (t.index() / 2)); }

TEST(CpuWarps, MeetingsThatCannotHappen) {
    EXPECT_THAT(
        failure<some_at_the_barrier>({2}, {32}),
        HasSubstr("deadlock in line 12: block (0, 0, 0), thread (0, 0, 0) waits at `syncwarp` for lane 5 of its "
                  "warp, which waits at a barrier"));
    EXPECT_THAT(failure<different_calls>({1}, {32}),
                HasSubstr("waits at `syncwarp` for lane 5 of its warp, which waits at `any_sync` in line 14"));
    EXPECT_THAT(failure<not_in_the_mask>({1}, {32}), HasSubstr("line 21: the mask of `syncwarp` leaves out the lane"));
    results<sums>({1}, {32});  // the executor is whole
}

void from_the_third_block_on(pyk::thread& t, long long* out) {
    if (t.blockIdx.x >= 2) some_at_the_barrier(t, out);
}

// Whichever worker comes first.
TEST(CpuWarps, TheFirstBlockThatFailsIsTold) {
    for (int round = 0; round < 100; ++round)
        ASSERT_THAT(failure<from_the_third_block_on>({64}, {32}), HasSubstr("block (2, 0, 0), thread (0, 0, 0)"));
}

void shift_by_blocks(pyk::thread& t, long long* out) {
    const long long i = pyk::grid_x(t), n = pyk::gridsize_x(t);
    out[i] = i;
    for (int round = 0; round < 4; ++round) {
        pyk::sync_grid(t);
        const long long next = out[(i + t.blockDim.x) % n];
        pyk::sync_grid(t);
        out[i] = next;
        t.sync();
    }
}

TEST(CpuGrid, BlocksWaitForEachOther) {
    const auto out = results<shift_by_blocks>({50}, {8}, true);
    for (size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], static_cast<long long>((i + 32) % out.size()));
}

void blocks_end_early(pyk::thread& t, long long* out) {
    if (t.blockIdx.x % 2) return;
    pyk::sync_grid(t);
    out[pyk::grid_x(t)] = 1;
}
void grid_and_block(pyk::thread& t, long long*) {
    if (t.index())
        t.sync();
    else
        pyk::sync_grid(t);
}

TEST(CpuGrid, EndsAndFailures) {
    const auto out = results<blocks_end_early>({9}, {3}, true);
    EXPECT_EQ(out[0] + out[3] + out[24], 2);
    EXPECT_EQ(results<blocks_end_early>({1}, {3})[2], 1) << "a grid of one block needs no cooperative launch";
    EXPECT_THAT(failure<blocks_end_early>({9}, {3}), HasSubstr("was not launched cooperatively"));
    EXPECT_THAT(failure<grid_and_block>({2}, {3}, true), HasSubstr("deadlock"));
}

}  // namespace
