// Runs blocks, one after the other, on one OS thread: their shared memory, their threads as fibers, their barriers and
// the meetings of their warps. A block of a cooperative launch has a runner of its own and can pause at the grid's
// barrier. Threads that wait for what others store take turns.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "aligned.h"
#include "dynamic_shared.h"
#include "fiber.h"
#include "pyk/check.h"
#include "pyk/cpu.h"
#include "pyk/cpu_module.h"
#include "race_watch.h"
#include "stack_slab.h"
#include "warp.h"

namespace pyk::cpu {

/// cpu_block::run_parallel.
bool run_parallel(const cpu_block* block, long long count, long long parts, parallel_work work, void* context);
/// cpu_block::thread_number.
long long thread_number();
/// cpu_block::generator.
twister* generator(int module);

/// A thread of a block, or a block of a grid, by its place in the row of all of them, x fastest.
template <class Count>
index3 index_at(const index3& extent, Count linear) {
    const auto x = static_cast<Count>(extent.x), y = static_cast<Count>(extent.y);
    return {static_cast<int>(linear % x), static_cast<int>(linear / x % y), static_cast<int>(linear / x / y)};
}

inline index3 to_index(Dim3 d) { return {static_cast<int>(d.x), static_cast<int>(d.y), static_cast<int>(d.z)}; }

/// Kept from launch to launch, with its memory and its fibers. Used by one OS thread at a time.
class BlockRunner {
  public:
    BlockRunner();

    /// Before the blocks of a launch. The watch must outlive them.
    void prepare(const LaunchConfig& config, LaunchWatch& watch);
    /// Runs one block to its end, on a stack that ends at an address. A failure is kept for `failure()`.
    void run(Entry entry, index3 block_index, const void* args, const void* stack_end);
    /// After the blocks of a launch.
    void end();

    /// What is called, once in a block, where all of its threads wait for what other blocks store.
    void when_waiting(std::function<void()> relief) { relief_ = std::move(relief); }

    /// One block of a cooperative launch: `begin`, then `proceed` until it gives false. True: the block's threads wait
    /// for the grid, or for what other blocks store.
    void begin(Entry entry, index3 block_index, const void* args);
    bool proceed();
    bool waits_for_grid() const { return waits_for_grid_; }

    /// Why the launch's first block that did not run to its end did not.
    struct Failure {
        unsigned long long block;  ///< as linear index
        std::string why;
    };
    const std::optional<Failure>& failure() const { return failure_; }
    /// The first report of the launch's first reporting block, as linear index; its threads are those of all reports.
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
    struct BlockJob {
        BlockRunner* runner;
        Entry entry;
        index3 index;
        const void* args;
    };

    static void run_threads(const cpu_block* block, thread_function function, const void* args);
    static void run_deep_threads(const cpu_block* block, thread_function function, const void* args,
                                 long long stack_bytes);
    static votes sync(const cpu_block* block, bool predicate);
    static void sync_grid(const cpu_block* block);
    static void meet(const cpu_block* block, int index, const meeting_place& place, unsigned long long value,
                     meeting* result);
    static void report(const cpu_block* block, const check_report* report);
    static void exited(const thread& t, const char* why);
    static void give_way(const cpu_block* block);
    static void access(const thread& t, access_kind kind, const void* at, std::size_t bytes, const void* first,
                       const site& where);
    static void run_thread(void* job);
    static void run_block(void* job);

    void start_threads(ThreadJob job);
    void run_rounds();
    void park(Fiber* fiber);
    void resume(std::vector<Fiber*>& waiting);
    void open_barrier();
    bool release_active();
    bool any_meeting() const;
    void wait_for_grid();
    void take_turns();
    void wait_for_blocks();
    void give_up();
    std::string deadlock() const;
    unsigned long long linear_block() const;
    std::string place_of(std::size_t thread) const;
    std::string place_in(index3 block, std::size_t thread) const;
    std::string thread_place(std::size_t thread) const;
    bool is_shared(const void* at) const;
    bool is_own(const thread& t, const void* at) const;
    void tell(const Race& race);
    void tell_guesses();
    std::string race_text(const Race& race) const;
    void wait_elsewhere();
    void prepare_fibers(std::size_t count);
    void fail(std::string message);
    void take_stacks_of(std::size_t bytes);

    std::unique_ptr<unsigned char, void (*)(void*)> static_shared_;
    DynamicShared dynamic_shared_;
    bool takes_dynamic_shared_ = false;
    cpu_block block_{};
    std::unique_ptr<StackSlab> stacks_, block_stacks_;  ///< of the fibers; of the block's, where that is another
    bool is_deep_ = false;                              ///< they are larger than launches say
    std::deque<Fiber> fibers_;
    std::vector<Fiber*> at_barrier_, at_grid_, ready_;  ///< in the order in which they came
    std::vector<Fiber*> giving_way_;                    ///< in loops that wait for what others store
    unsigned rounds_ = 0;                               ///< of such a loop, since a fiber went on
    unsigned vain_turns_ = 0;                           ///< in which nobody did anything else
    std::function<void()> relief_;
    bool is_relieved_ = false;     ///< in this block
    std::vector<Fiber*> resumed_;  ///< the list that is being gone through
    std::vector<Warp> warps_;
    Fiber* current_ = nullptr;
    votes arriving_{}, arrived_{};  ///< at the next barrier, and at the last one
    bool elsewhere_ = false;        ///< the thread that suspends next does not wait at the block's barrier
    bool giving_up_ = false;        ///< every thread that waits ends
    bool cooperative_ = false, waits_for_grid_ = false;
    std::optional<Fiber> block_fiber_;
    BlockJob block_job_{};
    BlockWatch watch_;
    const void* frame_ = nullptr;  ///< of the entry's caller: what it calls lies below
    std::optional<Failure> failure_;
    std::mutex found_mutex_;  ///< parts of a parallel loop report at once
    std::optional<Found> found_;
};

}  // namespace pyk::cpu
