// The OS threads that run blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "waiters.h"

namespace pyk::cpu {

/// Started when first needed, joined when dismissed or destroyed, asleep when there is nothing to do for a while.
class Crew {
  public:
    Crew() = default;
    ~Crew() { dismiss(); }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    /// Calls `job(0)`, on the calling thread, and at once `job(1)` … `job(count - 1)`, of which some are left out that
    /// have not begun when the first is done: each takes what is left of one work. Returns when all are done. One call
    /// at a time; a `job` that is alone may make others. `job` must not throw.
    void run(unsigned count, const std::function<void(unsigned)>& job);
    /// For good.
    void dismiss();
    /// Which of the crew the calling thread is, from 1; 0: none.
    static unsigned number() { return number_; }

  private:
    void hire(unsigned count);
    void work(unsigned number);
    unsigned begin(std::uint32_t& seen);

    /// The round, how many jobs of it may be begun (16 bits) and how many were (16 bits), in one word, so that a worker
    /// begins one by adding 1: whoever all look at it, none has to try again.
    alignas(64) std::atomic<std::uint64_t> round_{0};
    const std::function<void(unsigned)>* job_ = nullptr;
    std::atomic<bool> closing_{false};
    alignas(64) std::atomic<unsigned> done_{0};  ///< jobs of this round
    Waiters caller_;
    alignas(64) Waiters idle_;
    std::vector<std::thread> workers_;
    static thread_local unsigned number_;
};

}  // namespace pyk::cpu
