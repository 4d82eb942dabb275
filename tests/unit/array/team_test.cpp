// Calls of array functions for parts of arrays that several threads make: which teams the host chooses, and the GPU's
// team run on threads of the CPU, where shuffles and barriers are meetings of real threads.
#include <gtest/gtest.h>

#include <barrier>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <thread>

#include "array/core.h"

// --- CUDA, as far as a team uses it ---------------------------------------------------------------------------------
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct Index {
    unsigned x = 0, y = 0, z = 0;
};
static thread_local Index threadIdx, blockIdx, blockDim;
struct Warp {
    std::barrier<> barrier{32};
    unsigned words[32] = {};
};
static std::barrier<>* block_barrier = nullptr;
static std::vector<std::unique_ptr<Warp>> warps;
static void __syncthreads() { block_barrier->arrive_and_wait(); }
static void __syncwarp() { warps[threadIdx.x / 32]->barrier.arrive_and_wait(); }
static unsigned __shfl_xor_sync(unsigned, unsigned word, int step) {
    Warp& warp = *warps[threadIdx.x / 32];
    const unsigned lane = threadIdx.x % 32;
    warp.words[lane] = word;
    warp.barrier.arrive_and_wait();
    const unsigned result = warp.words[lane ^ static_cast<unsigned>(step)];
    warp.barrier.arrive_and_wait();
    return result;
}

#define __CUDACC__
#define __device__
#define __host__
#define __shared__
#define __forceinline__ inline
#include "pyk/core.h"
#include "pyk/strided.h"
// Of the block that runs.
#undef __shared__
#define __shared__ static
#include "pyk/team.h"
#undef __CUDACC__
#undef __forceinline__
#undef __shared__
#undef __host__
#undef __device__

namespace pyk::arrays {
namespace {

template <class Kernel>
void run(unsigned blocks, unsigned threads_of_block, Kernel kernel) {
    std::barrier<> barrier(threads_of_block);
    block_barrier = &barrier;
    warps.clear();
    for (unsigned warp = 0; warp < threads_of_block / 32; ++warp) warps.push_back(std::make_unique<Warp>());
    std::vector<std::thread> threads;
    for (unsigned x = 0; x < threads_of_block; ++x)
        threads.emplace_back([&, x] {
            blockDim = {threads_of_block, 1, 1};
            threadIdx = {x, 0, 0};
            for (blockIdx = {}; blockIdx.x < blocks; ++blockIdx.x) {
                kernel();
                barrier.arrive_and_wait();
            }
        });
    for (std::thread& thread : threads) thread.join();
}

/// Of neighbours two at a time, the lower first.
template <class T>
T in_tree(std::vector<T> values) {
    for (; values.size() > 1; values.resize(values.size() / 2))
        for (std::size_t i = 0; i < values.size() / 2; ++i)
            values[i] = static_cast<T>(values[2 * i] + values[2 * i + 1]);
    return values[0];
}

template <int Size, class T>
void check_sums(const char* type) {
    std::vector<T> parts(Size), once(Size), again(Size), least(Size), greatest(Size);
    for (std::size_t i = 0; i < Size; ++i) parts[i] = static_cast<T>((i * 37 + 11) % 101) / static_cast<T>(7);
    run(1, Size, [&] {
        team<Size> all{static_cast<int>(threadIdx.x)};
        once[threadIdx.x] = all.sum(parts[threadIdx.x]);
        // The next three go through the memory of the first.
        least[threadIdx.x] = all.least(parts[threadIdx.x]);
        greatest[threadIdx.x] = all.greatest(parts[threadIdx.x]);
        again[threadIdx.x] = all.sum(once[threadIdx.x]);
    });
    EXPECT_EQ(once, std::vector<T>(Size, in_tree(parts))) << type;
    EXPECT_EQ(again, std::vector<T>(Size, in_tree(once))) << type;
    EXPECT_EQ(least, std::vector<T>(Size, *std::min_element(parts.begin(), parts.end()))) << type;
    EXPECT_EQ(greatest, std::vector<T>(Size, *std::max_element(parts.begin(), parts.end()))) << type;
}

TEST(Team, AllLanesHaveTheSameBitsOfWhatTheyJoin) {
    check_sums<32, float>("float");
    check_sums<32, double>("double");
    check_sums<32, signed char>("int8");
    check_sums<32, long long>("int64");
    check_sums<128, float>("float");
    check_sums<128, double>("double");
    check_sums<128, unsigned short>("uint16");
}

TEST(Team, LeastAndGreatestPassOverNanAsPythonsDo) {
    const float nan = std::nanf("");
    std::vector<float> least(32), greatest(32), all(32);
    run(1, 32, [&] {
        team<32> warp{static_cast<int>(threadIdx.x)};
        const float part = threadIdx.x % 3 == 0 ? nan : static_cast<float>(threadIdx.x);
        least[threadIdx.x] = warp.least(part);
        greatest[threadIdx.x] = warp.greatest(part);
        all[threadIdx.x] = warp.greatest(nan);
    });
    EXPECT_EQ(least, std::vector<float>(32, 1.0f));
    EXPECT_EQ(greatest, std::vector<float>(32, 31.0f));
    for (const float each : all) EXPECT_TRUE(std::isnan(each));
}

template <int Size>
void check_pairs(long long rows, long long columns) {
    std::vector<int> seen(static_cast<std::size_t>(rows * columns));
    for (int lane = 0; lane < Size; ++lane) {
        long long last = lane - Size;
        for (const auto [row, column] : team<Size>{lane}.pairs(rows, columns)) {
            ASSERT_LT(row, rows);
            ASSERT_TRUE(column >= 0 && column < columns) << column << " of " << columns;
            ++seen[static_cast<std::size_t>(row * columns + column)];
            // Neighbouring lanes have neighbouring elements.
            ASSERT_EQ(row * columns + column, last + Size);
            last += Size;
        }
    }
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1)) << rows << " x " << columns;
}

TEST(Team, PairsAreEachOfOneLane) {
    for (const long long rows : {0, 1, 2, 5, 32, 100})
        for (const long long columns : {0, 1, 3, 31, 32, 33, 64, 100, 255, 256, 257, 1000}) {
            check_pairs<32>(rows, columns);
            check_pairs<256>(rows, columns);
        }
}

/// As it is emitted.
template <class Team>
void softmax(Team pyk_team, array<const float, 1> x, array<float, 1> out) {
    float largest = x(0);
    for (long long i = 1 + pyk_team.lane; i < x.shape[0]; i += pyk_team.size)
        if (x(i) > largest) largest = x(i);
    largest = pyk_team.greatest(largest);
    float total = 0.0f;
    if (pyk_team.lane != 0) total = 0.0f;
    for (long long i = pyk_team.lane; i < x.shape[0]; i += pyk_team.size) {
        out(i) = expf(x(i) - largest);
        total += out(i);
    }
    total = pyk_team.sum(total);
    for (long long i = pyk_team.lane; i < x.shape[0]; i += pyk_team.size) out(i) /= total;
}

template <int Size>
void check_softmax(long long rows, long long columns) {
    std::vector<float> x(static_cast<std::size_t>(rows * columns)), out(x.size(), -1.0f);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 31 % 17) * 0.25f;
    std::vector<Layout> layouts;
    for (std::vector<float>* data : {&x, &out})
        layouts.push_back({reinterpret_cast<char*>(data->data()), 4, {rows, columns}, {4 * columns, 4}});
    std::vector<Part> parts{split(layouts[0], 1), split(layouts[1], 1)};
    const Iteration it = iterate(layouts);
    PackedLoop packed;
    pack_core_for_team(it, std::vector<Number>(2), parts, Size, packed);
    run(packed.blocks, packed.block_x, [&] {
        for_each_core_by<team<Size>>(*reinterpret_cast<const core_loop<2>*>(packed.bytes),
                                     [](const core_place<2>& at, team<Size> pyk_team) {
                                         softmax(pyk_team, at.part<const float, 1>(0), at.part<float, 1>(1));
                                     });
    });
    for (long long row = 0; row < rows; ++row) {
        const auto first = static_cast<std::size_t>(row * columns);
        double sum = 0;
        for (long long k = 0; k < columns; ++k) sum += std::exp(x[first + static_cast<std::size_t>(k)]);
        for (long long k = 0; k < columns; ++k) {
            const std::size_t at = first + static_cast<std::size_t>(k);
            ASSERT_NEAR(out[at], std::exp(x[at]) / sum, 1e-6) << row << " " << k << " of " << columns;
        }
    }
}

TEST(Team, MakesEachCallOnce) {
    check_softmax<32>(1, 1);
    check_softmax<32>(5, 33);
    check_softmax<32>(3, 300);
    check_softmax<128>(3, 100);
    check_softmax<128>(9, 700);
}

template <class Row>
void check_items(Row row, long long extent, int shift, int stride) {
    constexpr int size = 32, items = 8, width = 4;
    alignas(16) float memory[1024], again[1024];
    for (int i = 0; i < 1024; ++i) memory[i] = static_cast<float>(i), again[i] = -1.0f;
    const auto from = row(memory + shift, extent, stride), to = row(again + shift, extent, stride);
    std::vector<int> seen(static_cast<std::size_t>(extent));
    for (int lane = 0; lane < size; ++lane) {
        team<size, items, width> pyk_team{lane};
        pyk_team.align(from);
        float held[items];
        pyk_team.load(from, held);
        for (int item = 0; item < items; ++item) {
            const long long i = pyk_team.nth(item);
            if (i < 0 || i >= extent) continue;
            ++seen[static_cast<std::size_t>(i)];
            ASSERT_EQ(held[item], static_cast<float>(shift + i * stride));
            held[item] += 0.5f;
        }
        pyk_team.store(held, to);
    }
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1)) << extent << " from " << shift;
    for (long long at = 0; at < 1024; ++at) {
        const long long i = (at - shift) / stride;
        const bool is_of_row = at >= shift && (at - shift) % stride == 0 && i < extent;
        ASSERT_EQ(again[at], is_of_row ? static_cast<float>(at) + 0.5f : -1.0f) << at << " of " << extent;
    }
}

TEST(Team, LanesHoldEachElementOnce) {
    for (const long long extent : {0, 1, 3, 4, 31, 32, 127, 128, 200, 253})
        for (const int shift : {0, 1, 2, 3}) {
            check_items([](float* data, long long n, int) { return array<float, 1>{data, {n}}; }, extent, shift, 1);
            for (const int stride : {1, 3})
                check_items(
                    [](float* data, long long n, int by) {
                        return array<float, 1, A>{data, {n}, {by * static_cast<int>(sizeof(float))}};
                    },
                    extent, shift, stride);
        }
}

Team holding(long long calls, long long elements, std::uintptr_t address = 16, int operands = 1) {
    std::vector<Layout> layouts(static_cast<std::size_t>(operands),
                                {reinterpret_cast<char*>(address), 4, {calls, elements}, {4 * elements, 4}});
    std::vector<Part> parts;
    for (Layout& layout : layouts) parts.push_back(split(layout, 1));
    const std::vector<Team> teams = choose_teams(iterate(layouts), parts, 132);
    return teams.empty() ? Team{} : teams.front();
}

TEST(Team, HoldsPartsThatFitRegisters) {
    const auto expect = [](Team team, int threads, int items) {
        EXPECT_EQ(team.threads, threads);
        EXPECT_EQ(team.items, items);
    };
    const long long many = 1 << 20;
    expect(holding(many, 128), 32, 4);
    expect(holding(many, 128, 20), 32, 8);  // three elements may lie before the first
    expect(holding(many, 130), 32, 8);
    expect(holding(many, 512), 32, 16);
    expect(holding(many, 1000), 32, 32);
    expect(holding(many, 1000, 16, 2), 128, 8);  // less of each
    expect(holding(many, 8192, 16, 2), 512, 16);
    expect(holding(many, 10000), 512, 32);
    expect(holding(many, 16384, 16, 2), 1024, 16);
    expect(holding(many, 32768, 16, 2), 1024, 32);
    expect(holding(many, 32768), 1024, 32);
    expect(holding(many, 32768, 16, 3), 1024, 0);
    expect(holding(many, 32772), 1024, 0);
    expect(holding(1, 1000), 512, 4);
    expect(holding(1, 8192), 1024, 8);
}

int team_for(long long calls, long long elements, bool is_staged = false) {
    Layout layout{reinterpret_cast<char*>(16), 4, {calls, elements}, {4 * elements, 4}};
    std::vector<Layout> layouts{layout};
    std::vector<Part> parts{split(layouts[0], 1)};
    parts[0].is_staged = is_staged;
    const std::vector<Team> teams = choose_teams(iterate(layouts), parts, 132);
    return teams.empty() ? 1 : teams.back().threads;
}

TEST(Team, IsAsLargeAsThePartsAndTheCallsAsk) {
    const long long many = 1 << 20;
    EXPECT_EQ(team_for(many, 16), 1);
    EXPECT_EQ(team_for(many, 32), 32);
    EXPECT_EQ(team_for(many, 32, true), 1);
    EXPECT_EQ(team_for(many, 64, true), 1);
    EXPECT_EQ(team_for(many, 128, true), 32);
    EXPECT_EQ(team_for(many, 1024), 32);
    EXPECT_EQ(team_for(many, 1100), 256);
    EXPECT_EQ(team_for(many, 8192), 256);
    EXPECT_EQ(team_for(many, 8400), 1024);
    EXPECT_EQ(team_for(many, 1 << 24), 1024);
    // A call that has the device for itself.
    EXPECT_EQ(team_for(1, 64), 32);
    EXPECT_EQ(team_for(1, 100), 256);
    EXPECT_EQ(team_for(1, 1000), 1024);
    EXPECT_EQ(team_for(many, 0), 1);
}

TEST(Team, BlocksAreFullWhereThereAreCallsForThem) {
    Layout layout{reinterpret_cast<char*>(16), 4, {0, 1000}, {4000, 4}};
    const auto grid = [&](long long calls, int team) {
        std::vector<Layout> layouts{layout};
        layouts[0].shape[0] = calls;
        std::vector<Part> parts{split(layouts[0], 1)};
        PackedLoop packed;
        pack_core_for_team(iterate(layouts), std::vector<Number>(1), parts, team, packed);
        return std::pair(packed.blocks, packed.block_x);
    };
    EXPECT_EQ(grid(100000, 32), std::pair(12500u, 256u));
    EXPECT_EQ(grid(100, 32), std::pair(50u, 64u));
    EXPECT_EQ(grid(100000, 128), std::pair(100000u, 128u));
    EXPECT_EQ(grid(100, 256), std::pair(100u, 256u));
    EXPECT_EQ(grid(3, 1024), std::pair(3u, 1024u));
}

}  // namespace
}  // namespace pyk::arrays
