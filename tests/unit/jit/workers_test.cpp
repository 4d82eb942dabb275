// Work in the background.
#include "jit/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <thread>

namespace pyk::jit {
namespace {

// Two that were added one after the other, while a thread was waiting for work, run at the same time: each waits for
// the other one to begin.
TEST(Workers, AThreadThatWaitsIsNoReasonForWorkToWait) {
    if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one thread at most";
    std::promise<void> first;
    run_in_background([&] { first.set_value(); });
    first.get_future().wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until that thread waits

    std::promise<void> begun[2], seen[2];
    for (int i = 0; i < 2; ++i)
        run_in_background([&, i] {
            begun[i].set_value();
            if (begun[1 - i].get_future().wait_for(std::chrono::seconds(20)) == std::future_status::ready)
                seen[i].set_value();
            else
                seen[i].set_exception(std::make_exception_ptr(std::runtime_error("the other one has not begun")));
        });
    for (std::promise<void>& each : seen) EXPECT_NO_THROW(each.get_future().get());
}

// As the compiler does: what it first makes while it compiles is destroyed by a handler that is younger than ours.
TEST(Workers, AProgramThatEndsWaitsBeforeAnyHandlerRuns) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            static std::atomic<bool> is_destroyed{false};
            std::promise<void> begun;
            run_in_background([&] {
                const RunningCompile running;
                std::atexit([] { is_destroyed = true; });
                begun.set_value();
                std::this_thread::sleep_for(std::chrono::milliseconds(200));
                if (is_destroyed) std::_Exit(1);
            });
            begun.get_future().wait();
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace pyk::jit
