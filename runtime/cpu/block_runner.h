// Runs blocks, one after the other, on one OS thread: their shared memory, their threads as fibers, their barriers.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiber.h"
#include "pyk/check.h"
#include "pyk/cpu.h"
#include "pyk/cpu_module.h"
#include "stack_slab.h"

namespace pyk::cpu {

/// Kept from launch to launch, with its memory and its fibers. Used by one OS thread only.
class BlockRunner {
  public:
    BlockRunner();

    /// Before the blocks of a launch.
    void prepare(const LaunchConfig& config);
    /// Runs one block to its end. A failure is kept for `failure()`.
    void run(Entry entry, index3 block_index, const void* args);

    /// Of the launch so far: why a block did not run to its end, or empty.
    const std::string& failure() const { return failure_; }
    /// The first report of the launch's first reporting block, as linear index.
    struct Found {
        unsigned long long block;
        check_report report;
    };
    const std::optional<Found>& found() const { return found_; }

  private:
    struct ThreadJob {
        BlockRunner* runner;
        const cpu_block* block;
        thread_function function;
        const void* args;
        int index;  ///< in the block, x fastest
    };

    static void run_threads(const cpu_block* block, thread_function function, const void* args);
    static votes sync(const cpu_block* block, bool predicate);
    static void report(const cpu_block* block, const check_report* report);
    static void run_thread(void* job);

    void start_threads(ThreadJob job);
    void run_rounds();
    void prepare_fibers(std::size_t count);
    void fail(std::string message);

    std::unique_ptr<unsigned char, void (*)(void*)> static_shared_, dynamic_shared_;
    std::size_t dynamic_capacity_ = 0;
    cpu_block block_{};
    std::unique_ptr<StackSlab> stacks_;
    std::deque<Fiber> fibers_;
    std::vector<Fiber*> waiting_;  ///< threads at the barrier, in order
    Fiber* current_ = nullptr;
    votes arriving_{}, arrived_{};  ///< at the next barrier, and at the last one
    std::string failure_;
    std::optional<Found> found_;
};

}  // namespace pyk::cpu
