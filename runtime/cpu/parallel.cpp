// Parallel loops of functions that the host calls.
#include <algorithm>
#include <array>
#include <atomic>

#include "block_runner.h"
#include "executor.h"
#include "pyk/cpu_module.h"
#include "stack_end.h"

namespace pyk::cpu {
namespace {

constexpr long long kMostLanes = 64;  // more threads share them

thread_local bool in_parallel = false;

bool is_one(const index3& extent) { return extent.x == 1 && extent.y == 1 && extent.z == 1; }

/// A loop's parts, in lanes, one for each thread: in loops of the same size a thread has the same parts, as far as it
/// is there in time, which its core may have in its cache; and in memory that is new no two threads wait for the same
/// page.
class Parts {
  public:
    Parts(long long count, long long parts, long long workers, parallel_work work, void* context)
        : count_(count),
          parts_(parts),
          lanes_(std::min({parts, workers, kMostLanes})),
          work_(work),
          context_(context) {}

    /// The thread's own lane first, then what is left of others.
    void work() {
        const void* const stack_end = end_of_stack();
        for (long long past = 0; past < lanes_; ++past) {
            const long long lane = (Crew::number() + past) % lanes_;
            const long long begin = parts_ * lane / lanes_, count = parts_ * (lane + 1) / lanes_ - begin;
            std::atomic<long long>& taken = taken_[static_cast<std::size_t>(lane)].parts;
            while (taken.load(std::memory_order_relaxed) < count) {
                const long long mine = taken.fetch_add(1, std::memory_order_relaxed);
                if (mine < count) run(begin + mine, stack_end);
            }
        }
    }
    bool ok() const { return ok_; }

  private:
    struct alignas(64) Taken {  // a line of a cache: a thread's lane is its own as long as nobody helps
        std::atomic<long long> parts{0};
    };

    long long begin(long long part) const { return count_ / parts_ * part + std::min(part, count_ % parts_); }
    void run(long long part, const void* stack_end) {
        const long long first = begin(part);
        if (!work_(context_, part, first, begin(part + 1) - first, stack_end)) ok_ = false;
    }

    const long long count_, parts_, lanes_;
    const parallel_work work_;
    void* const context_;
    std::atomic<bool> ok_{true};
    std::array<Taken, kMostLanes> taken_;
};

}  // namespace

bool run_parallel(const cpu_block* block, long long count, long long parts, parallel_work work, void* context) {
    const bool is_alone = is_one(block->gridDim) && is_one(block->blockDim) && !in_parallel;
    const auto workers = is_alone ? static_cast<unsigned>(std::min<long long>(worker_count(), parts)) : 1;
    Parts all(count, parts, workers, work, context);
    if (is_alone) {
        crew().run(workers, [&](unsigned) {
            in_parallel = true;
            all.work();
            in_parallel = false;
        });
    } else {
        all.work();
    }
    return all.ok();
}

long long thread_number() { return Crew::number(); }

}  // namespace pyk::cpu
