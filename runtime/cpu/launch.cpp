#include <algorithm>
#include <atomic>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "block_runner.h"
#include "executor.h"
#include "forks.h"
#include "pyk/cpu_module.h"
#include "report.h"
#include "stack_end.h"

namespace pyk::cpu {
namespace {

using Runners = std::vector<std::unique_ptr<BlockRunner>>;

/// What all launches share. In a process that was forked off there are no threads, and what they waited for cannot be
/// destroyed.
struct Executor {
    const unsigned forks = driver::forks();  ///< where its threads are
    std::mutex mutex;                        ///< one launch at a time
    std::atomic<std::thread::id> launching;  ///< who has it
    std::atomic<bool> is_ending{false};
    Runners runners;
    Crew crew;

    /// After the launch that is running, if it is not this thread's own.
    void end() {
        is_ending = true;
        if (forks != driver::forks() || launching == std::this_thread::get_id()) return;
        const std::lock_guard lock(mutex);
        crew.dismiss();
    }
};

/// It ends with the process, but is not destroyed: other threads may still launch.
Executor& executor() {
    static Executor& instance = *new Executor;
    struct End {
        ~End() { instance.end(); }
    };
    static const End at_exit;
    return instance;
}

/// One launch, of this thread.
class Turn {
  public:
    explicit Turn(Executor& shared) : shared_(shared), lock_(shared.mutex) {
        shared_.launching = std::this_thread::get_id();
    }
    ~Turn() { shared_.launching = std::thread::id(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

  private:
    Executor& shared_;
    std::lock_guard<std::mutex> lock_;
};

Status check(Entry entry, const LaunchConfig& config) {
    if (!entry) return Status::failure("CPU launch: no entry");
    const auto refused = [&](const char* rule) {
        const auto text = [](const Dim3& of) {
            return "(" + std::to_string(of.x) + ", " + std::to_string(of.y) + ", " + std::to_string(of.z) + ")";
        };
        return Status::failure(
            "a grid of " + text(config.grid) + " blocks of " + text(config.block) + " threads: " + rule,
            Error::Kind::arguments);
    };
    for (unsigned extent :
         {config.grid.x, config.grid.y, config.grid.z, config.block.x, config.block.y, config.block.z})
        if (extent == 0 || extent > static_cast<unsigned>(std::numeric_limits<int>::max()))
            return refused("every extent of grid and block must be in 1 … 2147483647");
    if (config.block.x > 1024 || config.block.y > 1024 || config.block.z > 64 || config.block.count() > 1024)
        return refused("a block has at most 1024 threads, 64 along z");
    if (config.grid.y > 65535 || config.grid.z > 65535) return refused("a grid has at most 65535 blocks along y and z");
    return {};
}

/// Blocks by their linear index.
struct Share {
    unsigned long long first, end;
};

/// Gives out the launch's blocks in order, some at a time.
class BlockQueue {
  public:
    BlockQueue(Dim3 grid, unsigned workers)
        : count_(grid.count()), step_(std::clamp(count_ / (workers * 16ull), 1ull, 64ull)) {}

    bool take(Share& share) {
        share.first = next_.fetch_add(step_, std::memory_order_relaxed);
        share.end = std::min(share.first + step_, count_);
        return share.first < count_;
    }
    bool is_empty() const { return next_.load(std::memory_order_relaxed) >= count_; }

  private:
    unsigned long long count_, step_;
    std::atomic<unsigned long long> next_{0};
};

/// Of the first `count` runners and of others.
Result<std::optional<CheckReport>> outcome(const Runners& runners, size_t count, const Runners& others = {}) {
    const BlockRunner::Failure* failure = nullptr;
    const BlockRunner::Found* first = nullptr;
    unsigned long long threads = 0;
    const auto keep_earlier = [](auto*& kept, const auto& other) {
        if (other && (!kept || other->block < kept->block)) kept = &*other;
    };
    const auto look_at = [&](BlockRunner& runner) {
        runner.end();
        keep_earlier(failure, runner.failure());
        keep_earlier(first, runner.found());
        threads += runner.found() ? runner.found()->report.threads : 0;
    };
    for (size_t i = 0; i < count; ++i) look_at(*runners[i]);
    for (const auto& runner : others) look_at(*runner);
    if (failure) return Status::failure("CPU launch: the kernel failed: " + failure->why);
    if (!first) return std::optional<CheckReport>();
    check_report report = first->report;
    report.threads = threads;
    return std::optional(to_report(report));
}

/// A launch whose blocks do not wait for each other but where they do: a block in which all threads wait for what other
/// blocks store has its OS thread to itself from then on, and another one takes the blocks that would have come after
/// it.
class Blocks {
  public:
    Blocks(Entry entry, const LaunchConfig& config, const void* args, unsigned workers, LaunchWatch& watch)
        : entry_(entry), config_(config), args_(args), watch_(watch), queue_(config.grid, workers) {}

    /// Runs blocks, on this OS thread, until there are none left: those of a share first.
    void work(BlockRunner& runner, Share share = {0, 0}) {
        const void* const stack_end = end_of_stack();
        runner.when_waiting([&] { relieve(share); });
        do
            for (; share.first < share.end; ++share.first)
                runner.run(entry_, index_at(to_index(config_.grid), share.first), args_, stack_end);
        while (queue_.take(share));
        runner.when_waiting({});
    }

    /// When all that `work` was called for is done: waits for what others took. Gives the runners that they had.
    Runners& finish() {
        for (size_t i = 0;; ++i) {
            std::unique_lock lock(mutex_);
            if (i == relievers_.size()) return relieving_;
            std::thread& reliever = relievers_[i];
            lock.unlock();
            reliever.join();
        }
    }

  private:
    static constexpr size_t kMostRelievers = 1024;

    void relieve(Share& share) {
        const Share rest{share.first + 1, share.end};
        const std::lock_guard lock(mutex_);
        if ((rest.first == rest.end && queue_.is_empty()) || relievers_.size() == kMostRelievers) return;
        try {
            BlockRunner& runner = *relieving_.emplace_back(std::make_unique<BlockRunner>());
            runner.prepare(config_, watch_);
            relievers_.emplace_back([this, &runner, rest] { work(runner, rest); });
            share.end = rest.first;
        } catch (const std::exception&) {  // there is no thread or no memory: the others go on with the queue
        }
    }

    const Entry entry_;
    const LaunchConfig& config_;
    const void* const args_;
    LaunchWatch& watch_;
    BlockQueue queue_;
    std::mutex mutex_;
    std::deque<std::thread> relievers_;
    Runners relieving_;
};

/// Every block has a runner of its own; all go on until they wait for the grid, again and again until all ended.
Result<std::optional<CheckReport>> launch_cooperatively(Executor& shared, Entry entry, const LaunchConfig& config,
                                                        const void* args, unsigned workers) {
    Runners runners;
    LaunchWatch watch;
    std::vector<BlockRunner*> living;
    for (unsigned long long block = 0; block < config.grid.count(); ++block) {
        runners.push_back(std::make_unique<BlockRunner>());
        runners.back()->prepare(config, watch);
        runners.back()->begin(entry, index_at(to_index(config.grid), block), args);
        living.push_back(runners.back().get());
    }
    while (!living.empty()) {
        const bool grid_is_there = std::ranges::all_of(living, &BlockRunner::waits_for_grid);
        std::atomic<size_t> next{0};
        shared.crew.run(workers, [&](unsigned) {
            for (size_t i = next++; i < living.size(); i = next++)
                if ((grid_is_there || !living[i]->waits_for_grid()) && !living[i]->proceed()) living[i] = nullptr;
        });
        std::erase(living, nullptr);
    }
    return outcome(runners, runners.size());
}

}  // namespace

Crew& crew() { return executor().crew; }

unsigned worker_count() {
    static const unsigned count = std::max(1u, std::thread::hardware_concurrency());  // asking takes microseconds
    return count;
}

Result<std::optional<CheckReport>> launch(Entry entry, const LaunchConfig& config, const void* args) try {
    if (Status s = check(entry, config); !s) return s;
    Executor& shared = executor();
    if (shared.forks != driver::forks())
        return Status::failure(
            "this process was forked off one that ran kernels on the CPU: its threads are not here (start a new "
            "program, or fork before the first launch)");
    const Turn turn(shared);
    if (shared.is_ending) return Status::failure("the program is ending: nothing can be launched");
    const unsigned most = config.max_workers ? std::min(config.max_workers, worker_count()) : worker_count();
    const unsigned workers = static_cast<unsigned>(std::min<unsigned long long>(most, config.grid.count()));
    if (config.cooperative) return launch_cooperatively(shared, entry, config, args, workers);
    while (shared.runners.size() < workers) shared.runners.push_back(std::make_unique<BlockRunner>());
    LaunchWatch watch;
    for (unsigned i = 0; i < workers; ++i) shared.runners[i]->prepare(config, watch);

    Blocks blocks(entry, config, args, workers, watch);
    shared.crew.run(workers, [&](unsigned worker) { blocks.work(*shared.runners[worker]); });
    return outcome(shared.runners, workers, blocks.finish());
} catch (const std::bad_alloc&) {
    return Status::failure("CPU launch: no memory");
}

}  // namespace pyk::cpu
