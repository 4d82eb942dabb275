#include "block_runner.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

namespace pyk::cpu {
namespace {

constexpr std::size_t kStaticShared = 256 * 1024;
constexpr std::size_t kAlignment = 128;

unsigned char* allocate(std::size_t bytes) {
    void* memory = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    if (!memory) throw std::bad_alloc();
    return static_cast<unsigned char*>(memory);
}

index3 to_index(Dim3 d) { return {static_cast<int>(d.x), static_cast<int>(d.y), static_cast<int>(d.z)}; }

}  // namespace

BlockRunner::BlockRunner() : static_shared_(allocate(kStaticShared), std::free), dynamic_shared_(nullptr, std::free) {
    std::memset(static_shared_.get(), 0, kStaticShared);
}

void BlockRunner::prepare(const LaunchConfig& config) {
    failure_.clear();
    found_.reset();
    if (config.shared_bytes > dynamic_capacity_) {
        dynamic_shared_.reset(allocate(config.shared_bytes));
        dynamic_capacity_ = config.shared_bytes;
    }
    if (!stacks_ || stacks_->stack_bytes() < config.stack_bytes) {
        fibers_.clear();
        stacks_ = std::make_unique<StackSlab>(config.stack_bytes);
    }
    block_ = {{},
              to_index(config.block),
              to_index(config.grid),
              static_shared_.get(),
              dynamic_shared_.get(),
              static_cast<long long>(config.shared_bytes),
              run_threads,
              sync,
              report,
              this};
}

void BlockRunner::run(Entry entry, index3 block_index, const void* args) {
    block_.blockIdx = block_index;
    if (block_.dynamic_shared_bytes > 0)
        std::memset(block_.dynamic_shared, 0, static_cast<std::size_t>(block_.dynamic_shared_bytes));
    try {
        entry(&block_, args);
    } catch (const std::exception& e) {
        fail(e.what());
    } catch (...) {
        fail("an exception of unknown type");
    }
}

void BlockRunner::fail(std::string message) {
    if (failure_.empty()) failure_ = std::move(message);
}

void BlockRunner::run_threads(const cpu_block* block, thread_function function, const void* args) {
    BlockRunner& runner = *static_cast<BlockRunner*>(block->executor);
    runner.start_threads({&runner, block, function, args, 0});
    runner.run_rounds();
}

/// Runs every thread to its first barrier, or to its end: then the next one has its fiber.
void BlockRunner::start_threads(ThreadJob job) {
    waiting_.clear();
    arriving_ = {0, 0};
    const index3 extent = job.block->blockDim;
    const int count = extent.x * extent.y * extent.z;
    prepare_fibers(static_cast<std::size_t>(count));
    for (job.index = 0; job.index < count; ++job.index) {
        current_ = &fibers_[waiting_.size()];
        current_->assign({run_thread, &job});
        if (current_->resume()) waiting_.push_back(current_);
    }
}

/// Each round opens one barrier: all living threads are at it.
void BlockRunner::run_rounds() {
    while (!waiting_.empty()) {
        arrived_ = std::exchange(arriving_, votes{0, 0});
        std::size_t still = 0;
        for (Fiber* fiber : waiting_) {
            current_ = fiber;
            if (fiber->resume()) waiting_[still++] = fiber;
        }
        waiting_.resize(still);
    }
}

/// All at once, so that no memory is asked for while threads wait.
void BlockRunner::prepare_fibers(std::size_t count) {
    waiting_.reserve(count);
    while (fibers_.size() < count) fibers_.emplace_back(stacks_->take());
}

/// The job is the caller's: it is copied before the first barrier, where the next thread starts.
void BlockRunner::run_thread(void* data) {
    const ThreadJob job = *static_cast<const ThreadJob*>(data);
    const index3 extent = job.block->blockDim;
    thread t =
        make_thread(*job.block, job.index % extent.x, job.index / extent.x % extent.y, job.index / extent.x / extent.y);
    try {
        job.function(t, job.args);
    } catch (const thread_exit&) {
    } catch (const std::exception& e) {
        job.runner->fail(e.what());
    } catch (...) {
        job.runner->fail("an exception of unknown type");
    }
}

votes BlockRunner::sync(const cpu_block* block, bool predicate) {
    BlockRunner& runner = *static_cast<BlockRunner*>(block->executor);
    runner.arriving_.all += 1;
    runner.arriving_.yes += predicate;
    runner.current_->suspend();
    return runner.arrived_;
}

void BlockRunner::report(const cpu_block* block, const check_report* report) {
    BlockRunner& runner = *static_cast<BlockRunner*>(block->executor);
    const index3 at = block->blockIdx;
    const index3 grid = block->gridDim;
    const unsigned long long linear =
        at.x + static_cast<unsigned long long>(grid.x) * (at.y + static_cast<unsigned long long>(grid.y) * at.z);
    if (!runner.found_ || linear < runner.found_->block) runner.found_ = Found{linear, *report};
}

}  // namespace pyk::cpu
