#include "jit/workers.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace pyk::jit {
namespace {

// NVRTC takes hundreds of megabytes for a compile.
constexpr unsigned kMostWorkers = 8;

class Workers {
  public:
    void add(std::function<void()> work) {
        const std::lock_guard lock(mutex_);
        if (is_ending_) return;
        waiting_.push_back(std::move(work));
        if (idle_ == 0 && threads_.size() < most()) threads_.emplace_back([this] { serve(); });
        changed_.notify_one();
    }

    void end() {
        {
            const std::lock_guard lock(mutex_);
            is_ending_ = true;
            waiting_.clear();
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
    }

  private:
    static std::size_t most() { return std::clamp(std::thread::hardware_concurrency(), 1u, kMostWorkers); }

    void serve() {
        std::unique_lock lock(mutex_);
        while (true) {
            ++idle_;
            changed_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
            --idle_;
            if (is_ending_) return;
            const std::function<void()> work = std::move(waiting_.front());
            waiting_.pop_front();
            lock.unlock();
            work();
            // What the work opened has handlers for the end of the process: ours has to run before those.
            std::atexit(end_all);
            lock.lock();
        }
    }
    static void end_all();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> waiting_;
    std::vector<std::thread> threads_;
    std::size_t idle_ = 0;
    bool is_ending_ = false;
};

Workers& workers() {
    static Workers& instance = *new Workers;
    return instance;
}

void Workers::end_all() { workers().end(); }

}  // namespace

void run_in_background(std::function<void()> work) {
    static const int registered = std::atexit([] { workers().end(); });
    (void)registered;
    workers().add(std::move(work));
}

}  // namespace pyk::jit
