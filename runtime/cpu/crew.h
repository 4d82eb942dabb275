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

    /// Calls `job(0)` … `job(count - 1)` at once, the first on the calling thread, and returns when all are done. One
    /// call at a time. Where the system refuses a thread, fewer are called; `job` must not throw.
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
    unsigned busy_ = 0;
    bool closing_ = false;
};

}  // namespace pyk::cpu
