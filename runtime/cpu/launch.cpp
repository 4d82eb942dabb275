#include <algorithm>
#include <atomic>
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

/// What all launches share. In a process that was forked off there are no threads, and what they waited for cannot be
/// destroyed.
struct Executor {
    const unsigned forks = driver::forks();  ///< where its threads are
    std::mutex mutex;                        ///< one launch at a time
    std::atomic<std::thread::id> launching;  ///< who has it
    std::atomic<bool> is_ending{false};
    std::vector<std::unique_ptr<BlockRunner>> runners;
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

/// Gives out the launch's blocks in order, some at a time.
class BlockQueue {
  public:
    BlockQueue(Dim3 grid, unsigned workers)
        : count_(grid.count()), step_(std::clamp(count_ / (workers * 16ull), 1ull, 64ull)) {}

    bool take(unsigned long long& first, unsigned long long& end) {
        first = next_.fetch_add(step_, std::memory_order_relaxed);
        end = std::min(first + step_, count_);
        return first < count_;
    }

  private:
    unsigned long long count_, step_;
    std::atomic<unsigned long long> next_{0};
};

Result<std::optional<CheckReport>> outcome(const std::vector<std::unique_ptr<BlockRunner>>& runners, size_t count) {
    const BlockRunner::Failure* failure = nullptr;
    const BlockRunner::Found* first = nullptr;
    const auto keep_earlier = [](auto*& kept, const auto& other) {
        if (other && (!kept || other->block < kept->block)) kept = &*other;
    };
    for (size_t i = 0; i < count; ++i) {
        runners[i]->end();
        keep_earlier(failure, runners[i]->failure());
        keep_earlier(first, runners[i]->found());
    }
    if (failure) return Status::failure("CPU launch: the kernel failed: " + failure->why);
    if (!first) return std::optional<CheckReport>();
    return std::optional(to_report(first->report));
}

index3 block_at(Dim3 grid, unsigned long long linear) {
    const unsigned long long row = linear / grid.x;
    return {static_cast<int>(linear % grid.x), static_cast<int>(row % grid.y), static_cast<int>(row / grid.y)};
}

/// Every block has a runner of its own; all go on until they wait for the grid, again and again until all ended.
Result<std::optional<CheckReport>> launch_cooperatively(Executor& shared, Entry entry, const LaunchConfig& config,
                                                        const void* args, unsigned workers) {
    std::vector<std::unique_ptr<BlockRunner>> runners;
    std::vector<BlockRunner*> living;
    for (unsigned long long block = 0; block < config.grid.count(); ++block) {
        runners.push_back(std::make_unique<BlockRunner>());
        runners.back()->prepare(config);
        runners.back()->begin(entry, block_at(config.grid, block), args);
        living.push_back(runners.back().get());
    }
    while (!living.empty()) {
        std::atomic<size_t> next{0};
        shared.crew.run(workers, [&](unsigned) {
            for (size_t i = next++; i < living.size(); i = next++)
                if (!living[i]->proceed()) living[i] = nullptr;
        });
        std::erase(living, nullptr);
    }
    return outcome(runners, runners.size());
}

}  // namespace

Crew& crew() { return executor().crew; }

unsigned worker_count() { return std::max(1u, std::thread::hardware_concurrency()); }

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
    for (unsigned i = 0; i < workers; ++i) shared.runners[i]->prepare(config);

    BlockQueue queue(config.grid, workers);
    shared.crew.run(workers, [&](unsigned worker) {
        const void* const stack_end = end_of_stack();
        unsigned long long block, end;
        while (queue.take(block, end))
            for (; block < end; ++block)
                shared.runners[worker]->run(entry, block_at(config.grid, block), args, stack_end);
    });
    return outcome(shared.runners, workers);
} catch (const std::bad_alloc&) {
    return Status::failure("CPU launch: no memory");
}

}  // namespace pyk::cpu
