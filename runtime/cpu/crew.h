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
    /// What all agree on, as one word.
    struct State {
        std::uint32_t round = 0;
        std::uint16_t left = 0;  ///< jobs of this round that nobody has begun, each known by how many were left
        std::uint16_t busy = 0;  ///< workers in it
    };

    void hire(unsigned count);
    void work(unsigned number);
    unsigned begin(std::uint32_t& seen);
    template <class F>
    State change(F f);

    std::atomic<State> state_{};
    static_assert(std::atomic<State>::is_always_lock_free);
    std::atomic<bool> closing_{false};
    Waiters idle_, caller_;
    std::vector<std::thread> workers_;
    const std::function<void(unsigned)>* job_ = nullptr;
    static thread_local unsigned number_;
};

}  // namespace pyk::cpu
