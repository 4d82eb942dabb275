// Atomics on the CPU: their values, and that none gets lost between threads.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "pyk/atomic.h"

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T, class Operation>
T after(T start, T expected_old, Operation operation) {
    T place = start;
    EXPECT_EQ(operation(place), expected_old);
    return place;
}

TEST(Atomic, ValuesOfIntegers) {
    EXPECT_EQ(after(5, 5, [](int& p) { return pyk::atomic_add(p, -7); }), -2);
    EXPECT_EQ(after(5u, 5u, [](unsigned& p) { return pyk::atomic_sub(p, 7u); }), 0u - 2u);
    EXPECT_EQ(after(-5LL, -5LL, [](long long& p) { return pyk::atomic_max(p, 3LL); }), 3);
    EXPECT_EQ(after(5ull, 5ull, [](unsigned long long& p) { return pyk::atomic_min(p, 3ull); }), 3u);
    EXPECT_EQ(after(5, 5, [](int& p) { return pyk::atomic_nanmax(p, 3); }), 5);
    EXPECT_EQ(after(6, 6, [](int& p) { return pyk::atomic_and_(p, 3); }), 2);
    EXPECT_EQ(after(6, 6, [](int& p) { return pyk::atomic_or_(p, 3); }), 7);
    EXPECT_EQ(after(6, 6, [](int& p) { return pyk::atomic_xor(p, 3); }), 5);
    EXPECT_EQ(after(6, 6, [](int& p) { return pyk::atomic_exch(p, 3); }), 3);
    EXPECT_EQ(after(6, 6, [](int& p) { return pyk::atomic_cas(p, 6, 3); }), 3);
    EXPECT_EQ(after(6, 6, [](int& p) { return pyk::atomic_cas(p, 5, 3); }), 6);
}

TEST(Atomic, CountersWrapAtTheirBound) {
    EXPECT_EQ(after(2u, 2u, [](unsigned& p) { return pyk::atomic_inc(p, 3u); }), 3u);
    EXPECT_EQ(after(3u, 3u, [](unsigned& p) { return pyk::atomic_inc(p, 3u); }), 0u);
    EXPECT_EQ(after(9ull, 9ull, [](unsigned long long& p) { return pyk::atomic_inc(p, 3ull); }), 0u);
    EXPECT_EQ(after(0u, 0u, [](unsigned& p) { return pyk::atomic_dec(p, 3u); }), 3u);
    EXPECT_EQ(after(9ull, 9ull, [](unsigned long long& p) { return pyk::atomic_dec(p, 3ull); }), 3u);
    EXPECT_EQ(after(2u, 2u, [](unsigned& p) { return pyk::atomic_dec(p, 3u); }), 1u);
}

TEST(Atomic, NanInMinAndMax) {
    EXPECT_EQ(after(1.0, 1.0, [](double& p) { return pyk::atomic_add(p, 0.5); }), 1.5);
    EXPECT_EQ(after(1.0f, 1.0f, [](float& p) { return pyk::atomic_sub(p, 0.5f); }), 0.5f);
    EXPECT_EQ(after(1.0, 1.0, [](double& p) { return pyk::atomic_max(p, 2.0); }), 2.0);
    EXPECT_EQ(after(1.0, 1.0, [](double& p) { return pyk::atomic_max(p, kNan); }), 1.0);
    EXPECT_EQ(after(1.0, 1.0, [](double& p) { return pyk::atomic_nanmin(p, kNan); }), 1.0);
    double place = kNan;
    pyk::atomic_max(place, 1.0);
    EXPECT_TRUE(std::isnan(place));
    pyk::atomic_nanmax(place, 1.0);
    EXPECT_EQ(place, 1.0);
    place = kNan;
    pyk::atomic_nanmin(place, -1.0);
    EXPECT_EQ(place, -1.0);
}

TEST(Atomic, NothingIsLostBetweenThreads) {
    constexpr int kTimes = 20000;
    long long sum = 0;
    double real = 0;
    float most = -1;
    unsigned turns = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < kTimes; ++i) {
                pyk::atomic_add(sum, 1LL);
                pyk::atomic_add(real, 1.0);
                pyk::atomic_max(most, static_cast<float>(i * 4 + t));
                pyk::atomic_inc(turns, 999u);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(sum, 4 * kTimes);
    EXPECT_EQ(real, 4.0 * kTimes);
    EXPECT_EQ(most, 4.0f * kTimes - 1);
    EXPECT_EQ(turns, 4u * kTimes % 1000);
}

}  // namespace
