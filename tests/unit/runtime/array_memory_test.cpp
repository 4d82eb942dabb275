// Memory of arrays on the CPU, and the threads that fill them.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "array_memory.h"
#include "crew.h"

namespace pyk::cpu {
namespace {

constexpr std::size_t kMiB = 1 << 20;

#if !defined(__SANITIZE_ADDRESS__)
TEST(ArrayMemory, WhatIsReleasedIsThereForTheNextArrayOfAboutThatSize) {
    void* const first = allocate_memory(8 * kMiB);
    ASSERT_TRUE(first);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 256, 0u);
    release_memory(first);
    void* const half = allocate_memory(4 * kMiB);
    EXPECT_NE(half, first);
    void* const again = allocate_memory(7 * kMiB);
    EXPECT_EQ(again, first);
    release_memory(again);
    void* const larger = allocate_memory(9 * kMiB);
    EXPECT_NE(larger, first);
    release_memory(half);
    release_memory(larger);
}

TEST(ArrayMemory, OneOfTwoThatAreInUseIsNotGivenOutAgain) {
    void* const first = allocate_memory(kMiB);
    release_memory(first);
    void* const mine = allocate_memory(kMiB);
    void* const other = allocate_memory(kMiB);
    EXPECT_NE(mine, other);
    release_memory(mine);
    release_memory(other);
}
#endif

TEST(ArrayMemory, ZerosAreZerosInMemoryThatWasUsed) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{100}, 3 * kMiB}) {
        void* const used = allocate_memory(bytes);
        std::memset(used, 0xff, bytes);
        release_memory(used);
        auto* const zeros = static_cast<unsigned char*>(allocate_memory(bytes, true));
        EXPECT_TRUE(std::all_of(zeros, zeros + bytes, [](unsigned char byte) { return byte == 0; })) << bytes;
        release_memory(zeros);
    }
}

TEST(ArrayMemory, MoreThanThereIsIsNull) {
    EXPECT_EQ(allocate_memory(~std::size_t{0}), nullptr);
    EXPECT_EQ(allocate_memory(~std::size_t{0} / 2), nullptr);
    release_memory(nullptr);
}

TEST(ArrayMemory, ThreadsShareIt) {
    std::atomic<bool> is_own{true};
    std::vector<std::thread> threads;
    for (int mark = 1; mark <= 4; ++mark)
        threads.emplace_back([&, mark] {
            for (std::size_t i = 0; i < 500; ++i) {
                const std::size_t bytes = (64 << 10) + i % 7 * 4096;
                auto* const memory = static_cast<unsigned char*>(allocate_memory(bytes));
                std::memset(memory, mark, bytes);
                is_own = is_own && std::all_of(memory, memory + bytes, [&](int byte) { return byte == mark; });
                release_memory(memory);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(is_own);
}

TEST(Crew, EachJobThatBeginsRunsOnceAndIsOverWhenTheCallReturns) {
    Crew crew;
    for (int round = 0; round < 2000; ++round) {
        const unsigned count = 1 + static_cast<unsigned>(round) % 5;
        std::atomic<int> runs[5] = {}, inside{0};
        crew.run(count, [&](unsigned job) {
            ++inside;
            ++runs[job];
            --inside;
        });
        EXPECT_EQ(inside, 0);
        EXPECT_EQ(runs[0], 1);
        for (unsigned job = 1; job < 5; ++job) EXPECT_LE(runs[job], job < count ? 1 : 0) << job << " of " << count;
        if (round % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the crew sleeps
    }
}

TEST(Crew, OthersBeginWhileTheFirstJobRunsAlsoWhenTheySlept) {
    Crew crew;
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> there{0};
        crew.run(3, [&](unsigned) {
            ++there;
            while (there < 3) std::this_thread::yield();
        });
        EXPECT_EQ(there, 3);
        if (round % 2) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

}  // namespace
}  // namespace pyk::cpu
