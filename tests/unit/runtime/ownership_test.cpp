// pyk::Shared: what the public headers have in place of std::shared_ptr.
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "pyk/ownership.h"

namespace {

struct Counted {
    explicit Counted(int& l) : living(&l) { ++*living; }
    Counted(const Counted& other) : living(other.living) { ++*living; }
    ~Counted() { --*living; }
    int* living;
    int part = 7;
};

TEST(Shared, KeepsWhatItPointsTo) {
    int living = 0;
    pyk::Shared<const Counted> a = pyk::shared<const Counted>(Counted(living));
    EXPECT_EQ(living, 1);
    {
        const pyk::Shared<const Counted> b = a;
        EXPECT_EQ(a, b);
        a = nullptr;
        EXPECT_FALSE(a);
        EXPECT_EQ(b->part, 7);
        a = b;
    }
    EXPECT_EQ(living, 1);
    const pyk::Shared<const int> part(a, &a->part);
    a = {};
    EXPECT_EQ(living, 1) << "a part keeps the whole";
    EXPECT_EQ(*part, 7);
}

TEST(Shared, OfAStdSharedPtr) {
    int living = 0;
    auto held = std::make_shared<Counted>(living);
    pyk::Shared<void> shared = held;
    EXPECT_EQ(shared.get(), held.get());
    held.reset();
    EXPECT_EQ(living, 1);
    pyk::Shared<void> moved = std::move(shared);
    EXPECT_EQ(shared, moved) << "what was moved from is still one";  // NOLINT
    moved = *&moved;
    EXPECT_EQ(living, 1);
    moved = nullptr;
    EXPECT_EQ(living, 1);
    shared = nullptr;
    EXPECT_EQ(living, 0);
    EXPECT_FALSE(pyk::Shared<Counted>(std::shared_ptr<Counted>()));
}

TEST(Shared, CopiesOfManyThreads) {
    int living = 0;
    {
        const auto shared = pyk::shared<Counted>(Counted(living));
        std::vector<std::thread> threads;
        for (int t = 0; t < 8; ++t)
            threads.emplace_back([shared] {
                for (int i = 0; i < 1000; ++i) {
                    const auto copy = shared;
                    EXPECT_EQ(copy->part, 7);
                }
            });
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(living, 1);
    }
    EXPECT_EQ(living, 0);
}

}  // namespace
