// Parallel loops of functions that the host calls.
#include <algorithm>
#include <atomic>
#include <mutex>

#include "block_runner.h"
#include "executor.h"
#include "pyk/cpu_module.h"
#include "stack_end.h"
#include "waiters.h"

namespace pyk::cpu {
namespace {

// Whatever the number of cores, so that what the parts build up together is the same on all machines.
constexpr long long kMostParts = 256;

thread_local bool in_parallel = false;

bool is_one(const index3& extent) { return extent.x == 1 && extent.y == 1 && extent.z == 1; }

class Parts {
  public:
    explicit Parts(long long count) : count_(count), parts_(std::min(count, kMostParts)) {}

    /// Takes parts until there is none left.
    void work(parallel_work work, void* context, unsigned workers) {
        const void* const stack_end = end_of_stack();
        for (long long part = next_++; part < parts_; part = next_++) {
            const parallel_turn turn{wait, this, part, stack_end, Crew::number(), workers};
            const long long first = begin(part);
            finish(part, work(context, first, begin(part + 1) - first, &turn));
        }
    }
    bool ok() const { return ok_; }

  private:
    /// A part that is waited for was taken before, and waits for none behind it. It is about to be done, as parts are
    /// equal.
    static void wait(const parallel_turn* turn) {
        Parts& all = *static_cast<Parts*>(turn->executor);
        all.finished_.wait([&] { return all.before_ >= turn->number; });
    }

    void finish(long long part, bool ok) {
        {
            const std::lock_guard lock(mutex_);
            ok_ &= ok;
            done_[static_cast<std::size_t>(part)] = true;
            long long before = before_;
            while (before < parts_ && done_[static_cast<std::size_t>(before)]) ++before;
            before_ = before;
        }
        finished_.wake();
    }

    long long begin(long long part) const {
        return static_cast<long long>(static_cast<__int128>(count_) * part / parts_);
    }

    long long count_, parts_;
    std::atomic<long long> next_{0};
    std::mutex mutex_;
    bool done_[kMostParts] = {};
    std::atomic<long long> before_{0};  ///< all parts before this one are done
    Waiters finished_;
    bool ok_ = true;
};

}  // namespace

bool run_parallel(const cpu_block* block, long long count, parallel_work work, void* context) {
    Parts parts(count);
    const bool is_alone = is_one(block->gridDim) && is_one(block->blockDim) && !in_parallel;
    if (!is_alone) {
        parts.work(work, context, 1);
        return parts.ok();
    }
    const auto workers = static_cast<unsigned>(std::min<long long>(worker_count(), count));
    crew().run(workers, [&](unsigned) {
        in_parallel = true;
        parts.work(work, context, workers);
        in_parallel = false;
    });
    return parts.ok();
}

}  // namespace pyk::cpu
