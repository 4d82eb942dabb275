#include "jit/workers.h"

#include <algorithm>
#include <atomic>
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
            lock.lock();
        }
    }
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

// Compiles that are running, in all threads.
class Running {
  public:
    bool begin() {
        const std::lock_guard lock(mutex_);
        if (is_ending_) return false;
        ++count_;
        return true;
    }
    void end() {
        const std::lock_guard lock(mutex_);
        if (--count_ == 0) none_.notify_all();
    }
    void wait_for_the_end() {
        std::unique_lock lock(mutex_);
        is_ending_ = true;
        none_.wait(lock, [this] { return count_ == 0; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable none_;
    int count_ = 0;
    bool is_ending_ = false;
};

Running& running() {
    static Running& instance = *new Running;
    return instance;
}

void at_exit() {
    running().wait_for_the_end();
    workers().end();
}

// Handlers run in the reverse order: ours have to come after those of the libraries that a compile opens, which are the
// compiler, its tool for one target, and that for the other.
constexpr int kRegistrations = 4;

}  // namespace

void run_in_background(std::function<void()> work) {
    static const int registered = std::atexit(at_exit);
    (void)registered;
    workers().add(std::move(work));
}

RunningCompile::RunningCompile() : may_run_(running().begin()) {
    static std::atomic<int> registered{0};
    if (may_run_ && registered.fetch_add(1) < kRegistrations) std::atexit(at_exit);
}

RunningCompile::~RunningCompile() {
    if (may_run_) running().end();
}

}  // namespace pyk::jit
