#include "jit/workers.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "forks.h"

namespace pyk::jit {
namespace {

// NVRTC takes hundreds of megabytes for a compile.
constexpr unsigned kMostWorkers = 8;

class Workers {
  public:
    void add(std::function<void()> work) {
        std::unique_lock lock(mutex_);
        if (is_ending_) return;
        // Threads that were woken count as idle until they have the lock, and what they were woken for waits until
        // then.
        if (waiting_.size() >= idle_ && threads_.size() < most() && !start_thread() && threads_.empty()) {
            lock.unlock();
            return work();
        }
        waiting_.push_back(std::move(work));
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

    /// False where the system has none to give.
    bool start_thread() try {
        threads_.emplace_back([this] { serve(); });
        return true;
    } catch (const std::system_error&) {
        return false;
    }

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

// Parses and compiles that are running, in all threads.
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

/// Of one that had asked before.
bool is_forked() {
    static const unsigned first = driver::forks();
    return driver::forks() != first;
}

void at_exit() {
    if (is_forked()) return;
    running().wait_for_the_end();
    workers().end();
}

// Where another thread ends the program. Handlers run in the reverse order: ours have to come after those of the
// libraries that a compile opens, which are the compiler, its tool for one target, and that for the other, of which one
// may be opened early.
constexpr int kRegistrations = 5;

// `exit` runs the destructors of the thread that calls it before all handlers: what the compiler first makes while it
// compiles, it destroys in handlers that are younger than ours. A main thread that ends by itself runs none. Called
// when the library is opened too: another thread may be the one that loads files.
[[gnu::constructor]] void wait_at_the_end_of_main() {
    if (getpid() != gettid()) return;
    struct End {
        ~End() { at_exit(); }
    };
    static thread_local const End end;
    (void)end;
}

/// A `dlclose` of the shared object that this is in would wait for compiles, which wait for the loader.
void stay_loaded() {
    static const bool once = [] {
        Dl_info info{};
        if (dladdr(reinterpret_cast<const void*>(&at_exit), &info) == 0 || !info.dli_fname) return false;
        return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE) != nullptr;
    }();
    (void)once;
}

}  // namespace

Status check_not_forked() {
    if (!is_forked()) return {};
    return Status::failure(
        "this process was forked off one that loaded .pyk files: nothing can be compiled here (start a new program, or "
        "fork before)");
}

void run_in_background(std::function<void()> work) {
    if (is_forked()) return work();
    stay_loaded();
    wait_at_the_end_of_main();
    static const int registered = std::atexit(at_exit);
    (void)registered;
    workers().add(std::move(work));
}

void wait_at_exit() {
    stay_loaded();
    wait_at_the_end_of_main();
    static std::atomic<int> registered{0};
    if (registered.fetch_add(1) < kRegistrations) std::atexit(at_exit);
}

RunningCompile::RunningCompile() : may_run_(running().begin()) {}

RunningCompile::~RunningCompile() {
    if (may_run_) running().end();
}

}  // namespace pyk::jit
