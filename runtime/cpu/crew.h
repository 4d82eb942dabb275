// The OS threads that run blocks.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pyk::cpu {

/// Started when first needed, asleep between launches, joined when dismissed or destroyed.
class Crew {
  public:
    Crew() = default;
    ~Crew() { dismiss(); }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    /// Calls `job(0)`, on the calling thread, and at once `job(1)` … `job(count - 1)`, of which those are left out that
    /// have not begun when the first is done: each takes what is left of one work. Returns when all are done. One call
    /// at a time. `job` must not throw.
    void run(unsigned count, const std::function<void(unsigned)>& job);
    /// For good.
    void dismiss();

  private:
    void hire(unsigned count);
    void work(unsigned worker);

    std::mutex mutex_;
    std::condition_variable start_, done_;
    std::vector<std::thread> workers_;  ///< worker i is workers_[i - 1]
    const std::function<void(unsigned)>* job_ = nullptr;
    unsigned long long round_ = 0;
    unsigned wanted_ = 0;  ///< workers with a smaller number take part in this round
    unsigned busy_ = 0;    ///< workers in it
    bool closing_ = false;
};

}  // namespace pyk::cpu
