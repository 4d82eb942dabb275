// Threads that wait for a change which is about to come: each looks for a while before it sleeps, as to be woken takes
// longer than most of what is waited for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace pyk::cpu {

class Waiters {
  public:
    /// `is_over` reads atomics. Whoever changes them calls `wake` behind that: it sees a sleeper, or that the change.
    template <class F>
    void wait(F is_over) {
        for (int looks = 0; looks < kLooks; ++looks) {
            if (is_over()) return;
            relax();
        }
        std::unique_lock lock(mutex_);
        ++sleepers_;
        changed_.wait(lock, is_over);
        --sleepers_;
    }

    /// `count` of them at least.
    void wake(unsigned count) {
        const unsigned sleepers = sleepers_;
        if (sleepers == 0) return;
        { const std::lock_guard lock(mutex_); }  // who looked before the change sleeps by now
        if (count >= sleepers) return changed_.notify_all();
        while (count-- > 0) changed_.notify_one();
    }
    void wake() { wake(~0u); }

  private:
    static constexpr int kLooks = 2000;  // some tens of microseconds

    static void relax() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<unsigned> sleepers_{0};
};

}  // namespace pyk::cpu
