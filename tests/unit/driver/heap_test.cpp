// pykc's own `new` and `delete`, which this program has too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace pyk {
namespace {

/// So that the compiler leaves out neither: it may, of a `new` expression.
char* allocate(size_t size) { return static_cast<char*>(operator new(size)); }
void free_block(char* block) { operator delete(block); }

/// A block that is full of its mark.
struct Marked {
    char* begin;
    size_t size;
    char mark;

    /// All bytes are as their neighbour, and the first is the mark.
    bool is_whole() const { return *begin == mark && std::memcmp(begin, begin + 1, size - 1) == 0; }
};

/// Of all sizes, small ones most often, beyond the largest that the heap has too.
size_t random_size(std::mt19937& rng) { return (size_t{1} << rng() % 23) + rng() % 1000; }

/// Allocates and frees at random, and says how many blocks were no longer what had been written. What is left over is
/// for another thread to free.
size_t churn(unsigned seed, std::vector<Marked>& blocks) {
    std::mt19937 rng(seed);
    size_t broken = 0;
    for (int round = 0; round < 1000; ++round) {
        if (blocks.size() < 60 || rng() % 2) {
            const size_t size = random_size(rng);
            blocks.push_back({allocate(size), size, static_cast<char>(rng())});
            std::memset(blocks.back().begin, blocks.back().mark, size);
            broken += reinterpret_cast<std::uintptr_t>(blocks.back().begin) % 16 != 0;
        } else {
            std::swap(blocks[rng() % blocks.size()], blocks.back());
            broken += !blocks.back().is_whole();
            free_block(blocks.back().begin);
            blocks.pop_back();
        }
        if (blocks.size() > 100) {
            broken += !blocks.front().is_whole();
            free_block(blocks.front().begin);
            blocks.erase(blocks.begin());
        }
    }
    return broken;
}

TEST(Heap, NeighboursThatWereFreedAreOneBlock) {  // the first test: of others larger parts may be free
    constexpr size_t kSize = size_t{20} << 20;
    for (const bool in_order : {true, false}) {
        char* const first = allocate(kSize);
        char* const second = allocate(kSize);
        char* const third = allocate(kSize);
        ASSERT_EQ(second - first, static_cast<std::ptrdiff_t>(kSize));
        free_block(in_order ? first : second);
        free_block(in_order ? second : first);
        char* const both = allocate(2 * kSize);
        EXPECT_EQ(both, first);
        free_block(third);
        free_block(both);
    }
}

TEST(Heap, BlocksAreApartAndAlignedWhoeverFreesThem) {
    std::vector<Marked> blocks[3];
    for (unsigned turn = 0; turn < 4; ++turn) {
        std::vector<std::thread> threads;
        size_t broken[3] = {};
        // Each turn a thread goes on with the blocks of another.
        for (unsigned i = 0; i < 3; ++i)
            threads.emplace_back([&, i] { broken[i] = churn(10 * turn + i, blocks[(turn + i) % 3]); });
        for (std::thread& thread : threads) thread.join();
        for (const size_t count : broken) EXPECT_EQ(count, 0u);
    }
    for (const std::vector<Marked>& rest : blocks)
        for (const Marked& block : rest) {
            EXPECT_TRUE(block.is_whole());
            free_block(block.begin);
        }
}

TEST(Heap, ALargeBlockThatWasFreedBecomesSmallOnes) {
    constexpr size_t kLarge = size_t{4} << 20, kSmall = 496, kMost = kLarge / kSmall / 10 * 9;
    char* const block = allocate(kLarge);
    const auto large = reinterpret_cast<std::uintptr_t>(block);
    free_block(block);
    std::vector<char*> small;
    size_t inside = 0;
    while (inside < kMost && small.size() < 50 * kMost) {  // what other tests freed may come first
        small.push_back(allocate(kSmall));
        inside += reinterpret_cast<std::uintptr_t>(small.back()) - large < kLarge;
    }
    EXPECT_EQ(inside, kMost);
    std::sort(small.begin(), small.end());
    for (size_t i = 1; i < small.size(); ++i) ASSERT_GE(small[i] - small[i - 1], static_cast<std::ptrdiff_t>(kSmall));
    for (char* each : small) free_block(each);
}

}  // namespace
}  // namespace pyk
