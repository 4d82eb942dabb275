#include "block_runner.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

#include "array_memory.h"

namespace pyk::cpu {
namespace {

constexpr std::size_t kStaticShared = 256 * 1024;
/// Of a waiting loop, before other threads have their turn: most wait for nothing, or for a block that runs right now.
constexpr unsigned kRoundsOfATurn = 64;
/// After so many turns in which all threads of a block did nothing but wait, it is other blocks that they wait for.
constexpr unsigned kVainTurns = 8;

std::string text_of(index3 of) {
    return "(" + std::to_string(of.x) + ", " + std::to_string(of.y) + ", " + std::to_string(of.z) + ")";
}

thread thread_at(const cpu_block& block, int index) {
    const index3 at = index_at(block.blockDim, static_cast<unsigned>(index));
    return make_thread(block, at.x, at.y, at.z);
}

}  // namespace

BlockRunner::BlockRunner() : static_shared_(allocate_aligned(kStaticShared), std::free) {}

void BlockRunner::prepare(const LaunchConfig& config, LaunchWatch& watch) {
    watch_.prepare(watch);
    failure_.reset();
    found_.reset();
    dynamic_shared_.prepare(config.shared_bytes);
    takes_dynamic_shared_ = false;
    // Those of a kernel that needs deep ones are given back.
    if (!stacks_ || is_deep_ || stacks_->stack_bytes() < config.stack_bytes) take_stacks_of(config.stack_bytes);
    is_deep_ = false;
    cooperative_ = config.cooperative;
    waits_for_grid_ = false;
    block_ = {.blockIdx = {},
              .blockDim = to_index(config.block),
              .gridDim = to_index(config.grid),
              .shared = static_shared_.get(),
              .dynamic_shared = dynamic_shared_.data(),
              .dynamic_shared_bytes = static_cast<long long>(config.shared_bytes),
              .run_threads = run_threads,
              .sync = sync,
              .sync_grid = sync_grid,
              .meet = meet,
              .report = report,
              .executor = this,
              .run_parallel = run_parallel,
              .parallel_workers = worker_count(),
              .run_deep_threads = run_deep_threads,
              .generator = generator,
              .stack_end = nullptr,
              .exited = exited,
              .give_way = give_way,
              .allocate = allocate_memory,
              .release = release_memory,
              .takes_dynamic_shared = &takes_dynamic_shared_,
              .thread_number = thread_number,
              .access = access};
}

void BlockRunner::take_stacks_of(std::size_t bytes) {
    fibers_.clear();
    if (block_fiber_) block_stacks_ = std::move(stacks_);
    stacks_ = std::make_unique<StackSlab>(bytes);
}

void BlockRunner::run(Entry entry, index3 block_index, const void* args, const void* stack_end) {
    block_.blockIdx = block_index;
    block_.stack_end = stack_end;
    watch_.begin_block();
    frame_ = __builtin_frame_address(0);
    if (block_.dynamic_shared_bytes > 0)
        std::memset(block_.dynamic_shared, 0, static_cast<std::size_t>(block_.dynamic_shared_bytes));
    try {
        entry(&block_, args);
    } catch (const std::exception& e) {
        fail(e.what());
    } catch (...) {
        fail("an exception of unknown type");
    }
    tell_guesses();
}

void BlockRunner::begin(Entry entry, index3 block_index, const void* args) {
    block_job_ = {this, entry, block_index, args};
    block_fiber_.emplace(stacks_->take());
    block_fiber_->assign({run_block, &block_job_});
}

bool BlockRunner::proceed() { return block_fiber_->resume(); }

void BlockRunner::run_block(void* data) {
    const BlockJob job = *static_cast<const BlockJob*>(data);
    job.runner->run(job.entry, job.index, job.args, job.runner->block_fiber_->stack_end());
}

void BlockRunner::fail(std::string message) {
    if (!failure_) failure_ = Failure{linear_block(), std::move(message)};
}

void BlockRunner::run_threads(const cpu_block* block, thread_function function, const void* args) {
    BlockRunner& runner = *static_cast<BlockRunner*>(block->executor);
    runner.start_threads({&runner, block, function, args, 0});
    runner.run_rounds();
}

void BlockRunner::run_deep_threads(const cpu_block* block, thread_function function, const void* args,
                                   long long stack_bytes) {
    BlockRunner& runner = *static_cast<BlockRunner*>(block->executor);
    if (runner.stacks_->stack_bytes() < static_cast<std::size_t>(stack_bytes)) {
        runner.take_stacks_of(static_cast<std::size_t>(stack_bytes));
        runner.is_deep_ = true;
    }
    run_threads(block, function, args);
}

void BlockRunner::end() {
    if (takes_dynamic_shared_ && dynamic_shared_.is_overrun())
        fail("it wrote beyond the " + std::to_string(block_.dynamic_shared_bytes) +
             " bytes of dynamic shared memory that the launch gave it");
}

/// Runs every thread until it waits for others, or to its end: then the next one has its fiber.
void BlockRunner::start_threads(ThreadJob job) {
    arriving_ = {0, 0};
    giving_up_ = false;
    is_relieved_ = false;
    vain_turns_ = 0;
    const index3 extent = job.block->blockDim;
    const int count = extent.x * extent.y * extent.z;
    prepare_fibers(static_cast<std::size_t>(count));
    for (std::size_t w = 0; w < warps_.size(); ++w) warps_[w].start(count - static_cast<int>(w) * 32);
    std::size_t used = 0;
    for (job.index = 0; job.index < count; ++job.index) {
        current_ = &fibers_[used];
        current_->assign({run_thread, &job});
        if (!current_->resume()) continue;
        ++used;
        park(current_);
    }
}

/// Goes on with whoever can, until every thread ended. A barrier opens when all living threads are at it.
void BlockRunner::run_rounds() {
    for (;;) {
        if (!ready_.empty()) {
            resume(ready_);
        } else if (any_meeting() && release_active()) {
            continue;
        } else if (!giving_way_.empty()) {
            take_turns();
        } else if (any_meeting()) {
            give_up();
        } else if (!at_barrier_.empty() && at_grid_.empty()) {
            open_barrier();
        } else if (!at_barrier_.empty()) {
            give_up();
        } else if (!at_grid_.empty()) {
            wait_for_grid();
        } else {
            current_ = nullptr;
            return;
        }
    }
}

/// A fiber that suspended is at the block's barrier, unless it said that it waits elsewhere.
void BlockRunner::park(Fiber* fiber) {
    if (!elsewhere_) at_barrier_.push_back(fiber);
    elsewhere_ = false;
}

/// The list fills again while its fibers run.
void BlockRunner::resume(std::vector<Fiber*>& waiting) {
    std::swap(waiting, resumed_);
    for (Fiber* fiber : resumed_) {
        current_ = fiber;
        if (fiber->resume()) park(fiber);
    }
    resumed_.clear();
}

/// The barrier's list is kept in place: most come back to it.
void BlockRunner::open_barrier() {
    arrived_ = std::exchange(arriving_, votes{0, 0});
    tell_guesses();
    watch_.meet_in_block();
    std::size_t still = 0;
    for (Fiber* fiber : at_barrier_) {
        current_ = fiber;
        if (!fiber->resume()) continue;
        if (!elsewhere_) at_barrier_[still++] = fiber;
        elsewhere_ = false;
    }
    at_barrier_.resize(still);
}

bool BlockRunner::any_meeting() const {
    for (const Warp& warp : warps_)
        if (warp.waiting()) return true;
    return false;
}

bool BlockRunner::release_active() {
    bool released = false;
    for (Warp& warp : warps_) released |= warp.release_active(ready_);
    return released;
}

void BlockRunner::take_turns() {
    const std::size_t waiting = giving_way_.size();
    resume(giving_way_);
    const bool in_vain = giving_way_.size() == waiting && ready_.empty();
    vain_turns_ = in_vain ? vain_turns_ + 1 : 0;
    if (vain_turns_ >= kVainTurns) wait_for_blocks();
}

void BlockRunner::wait_for_blocks() {
    if (cooperative_) return block_fiber_->suspend();
    if (relief_ && !std::exchange(is_relieved_, true)) relief_();
    std::this_thread::yield();
}

void BlockRunner::wait_for_grid() {
    const long long blocks = 1ll * block_.gridDim.x * block_.gridDim.y * block_.gridDim.z;
    if (cooperative_) {
        waits_for_grid_ = true;
        block_fiber_->suspend();
        waits_for_grid_ = false;
    } else if (blocks > 1) {
        fail("the kernel waits for its whole grid, but was not launched cooperatively");
        giving_up_ = true;
    }
    tell_guesses();
    watch_.meet_in_grid();
    resume(at_grid_);
}

/// Nobody can go on: says why and ends all that wait.
void BlockRunner::give_up() {
    fail(deadlock());
    giving_up_ = true;
    for (Warp& warp : warps_) warp.give_up(ready_);
    resume(ready_);
    resume(at_barrier_);
    resume(at_grid_);
}

unsigned long long BlockRunner::linear_block() const {
    const index3 at = block_.blockIdx, grid = block_.gridDim;
    return static_cast<unsigned long long>(at.x) +
           static_cast<unsigned long long>(grid.x) *
               (static_cast<unsigned long long>(at.y) +
                static_cast<unsigned long long>(grid.y) * static_cast<unsigned long long>(at.z));
}

std::string BlockRunner::place_of(std::size_t thread) const { return place_in(block_.blockIdx, thread); }

std::string BlockRunner::place_in(index3 block, std::size_t thread) const {
    return "block " + text_of(block) + ", " + thread_place(thread);
}

std::string BlockRunner::thread_place(std::size_t thread) const {
    return "thread " + text_of(index_at(block_.blockDim, thread));
}

/// One lane that waits, and one that it waits for.
std::string BlockRunner::deadlock() const {
    for (std::size_t w = 0; w < warps_.size(); ++w) {
        const Warp& warp = warps_[w];
        if (!warp.waiting()) continue;
        const int lane = __builtin_ctz(warp.waiting());
        const meeting_place& place = warp.place(lane);
        std::string text = "deadlock in line " + std::to_string(place.line) + ": " +
                           place_of(w * 32 + static_cast<unsigned>(lane)) + " waits at `" + place.call + "` for ";
        for (int other = 0; other < 32; ++other) {
            if (other == lane || !((place.mask & warp.alive()) >> other & 1)) continue;
            if (!(warp.waiting() >> other & 1))
                return text + "lane " + std::to_string(other) + " of its warp, which waits at a barrier";
            const meeting_place& there = warp.place(other);
            if (there.mask != place.mask || std::strcmp(there.call, place.call) != 0)
                return text + "lane " + std::to_string(other) + " of its warp, which waits at `" + there.call +
                       "` in line " + std::to_string(there.line);
        }
    }
    return "deadlock: some threads of a block wait at `syncthreads`, others for the whole grid";
}

/// All at once, so that no memory is asked for while threads wait.
void BlockRunner::prepare_fibers(std::size_t count) {
    for (auto* list : {&at_barrier_, &at_grid_, &ready_, &giving_way_, &resumed_}) list->reserve(count);
    warps_.resize((count + 31) / 32);
    try {
        while (fibers_.size() < count) fibers_.emplace_back(stacks_->take());
    } catch (const std::bad_alloc&) {
        throw std::runtime_error("no memory for the stacks of its threads, of " +
                                 std::to_string(stacks_->stack_bytes()) + " bytes each");
    }
}

/// The job is the caller's: it is copied before the thread first waits, where the next thread starts.
void BlockRunner::run_thread(void* data) {
    const ThreadJob job = *static_cast<const ThreadJob*>(data);
    thread t = thread_at(*job.block, job.index);
    t.stack_end = job.runner->current_->stack_end();
    try {
        job.function(t, job.args);
    } catch (const thread_exit& exit) {
        exited(t, exit.why);
    } catch (const std::exception& e) {
        job.runner->fail(e.what());
    } catch (...) {
        job.runner->fail("an exception of unknown type");
    }
    job.runner->warps_[static_cast<std::size_t>(job.index) / 32].leave(job.index % 32, job.runner->ready_);
}

void BlockRunner::wait_elsewhere() {
    elsewhere_ = true;
    current_->suspend();
    if (giving_up_) exit_thread();
}

votes BlockRunner::sync(const cpu_block* block, bool predicate) {
    BlockRunner& runner = *static_cast<BlockRunner*>(block->executor);
    runner.arriving_.all += 1;
    runner.arriving_.yes += predicate;
    runner.current_->suspend();
    if (runner.giving_up_) exit_thread();
    return runner.arrived_;
}

void BlockRunner::sync_grid(const cpu_block* block) {
    BlockRunner& runner = *static_cast<BlockRunner*>(block->executor);
    runner.at_grid_.push_back(runner.current_);
    runner.wait_elsewhere();
}

/// Threads of kernels alone are fibers; elsewhere there is nobody to give way to.
void BlockRunner::give_way(const cpu_block* block) {
    BlockRunner& runner = *static_cast<BlockRunner*>(block->executor);
    if (!runner.current_ || ++runner.rounds_ < kRoundsOfATurn) return;
    runner.rounds_ = 0;
    runner.giving_way_.push_back(runner.current_);
    runner.wait_elsewhere();
}

void BlockRunner::meet(const cpu_block* block, int index, const meeting_place& place, unsigned long long value,
                       meeting* result) {
    BlockRunner& runner = *static_cast<BlockRunner*>(block->executor);
    const int lane = index % 32;
    if (place.mask != 0 && !(place.mask >> lane & 1)) {
        runner.fail("line " + std::to_string(place.line) + ": the mask of `" + place.call +
                    "` leaves out the lane that calls it (" + runner.place_of(static_cast<std::size_t>(index)) + ")");
        exit_thread();
    }
    Warp& warp = runner.warps_[static_cast<std::size_t>(index) / 32];
    if (!warp.arrive(lane, runner.current_, place, value, result, runner.ready_)) runner.wait_elsewhere();
}

// --- races ----------------------------------------------------------------------------------------------------------
bool BlockRunner::is_shared(const void* at) const {
    const auto* const byte = static_cast<const unsigned char*>(at);
    return (byte >= block_.shared && byte < block_.shared + kStaticShared) ||
           (byte >= block_.dynamic_shared && byte < block_.dynamic_shared + block_.dynamic_shared_bytes);
}

/// On the thread's own stack, as its local arrays are.
bool BlockRunner::is_own(const thread& t, const void* at) const {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    const auto end = reinterpret_cast<std::uintptr_t>(t.stack_end);
    if (current_) return address >= end && address < end + stacks_->stack_bytes();
    return address >= reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) &&
           address < reinterpret_cast<std::uintptr_t>(frame_);
}

std::string BlockRunner::race_text(const Race& race) const {
    static constexpr const char* kHere[] = {" is read", " is stored to", " is updated by an atomic"};
    static constexpr const char* kThere[] = {" reads", " stores to", " updates, by an atomic,"};
    const WatchedAccess& before = race.before;
    const std::string array = std::string("'") + race.where.array + "'";
    const std::string element = race.number < 0 ? array : "element " + std::to_string(race.number) + " of " + array;
    const bool is_of_block = race.now.block == before.block;
    const auto thread = static_cast<std::size_t>(before.thread);
    return "race: " + element + kHere[static_cast<int>(race.now.kind)] + " here, and " +
           (is_of_block ? thread_place(thread) : place_in(index_at(block_.gridDim, before.block), thread) + ",") +
           kThere[static_cast<int>(before.kind)] + " it in line " + std::to_string(before.line) +
           (is_of_block ? ", with no barrier between the two" : "; blocks run in no order");
}

void BlockRunner::access(const thread& t, access_kind kind, const void* at, std::size_t bytes, const void* first,
                         const site& where) {
    BlockRunner& runner = *static_cast<BlockRunner*>(t.block->executor);
    if (kind == access_kind::atomic_begins) return runner.watch_.begin_atomic();
    if (kind == access_kind::atomic_ends) return runner.watch_.end_atomic();
    if (runner.is_own(t, at)) return;
    WatchedAccess now;
    now.kind = kind;
    now.block = runner.linear_block();
    now.thread = t.index();
    now.line = where.line;
    if (runner.current_) now.warp_round = runner.warps_[static_cast<std::size_t>(now.thread) / 32].rounds();
    const long long number =
        first ? (static_cast<const char*>(at) - static_cast<const char*>(first)) / static_cast<std::ptrdiff_t>(bytes)
              : -1;
    if (const auto race = runner.watch_.access(at, runner.is_shared(at), now, where, number)) runner.tell(*race);
}

void BlockRunner::tell_guesses() {
    for (const Race& race : watch_.take_guesses()) tell(race);
}

/// A thread's first one.
void BlockRunner::tell(const Race& race) {
    if (!watch_.is_first_race(race.now.thread)) return;
    check_report found = new_report(thread_at(block_, race.now.thread));
    found.line = race.where.line;
    copy_text(found.file, race.where.file);
    copy_text(found.error, race_text(race).c_str());
    report(&block_, &found);
}

void BlockRunner::exited(const thread& t, const char* why) {
    if (!why) return;
    check_report report = new_report(t);
    copy_text(report.error, why);
    keep_report(t, report);
}

void BlockRunner::report(const cpu_block* block, const check_report* report) {
    BlockRunner& runner = *static_cast<BlockRunner*>(block->executor);
    const unsigned long long linear = runner.linear_block();
    const std::lock_guard lock(runner.found_mutex_);
    const unsigned long long earlier = runner.found_ ? runner.found_->report.threads : 0;
    const bool replaces = report->threads == 0;
    if (!runner.found_ || linear < runner.found_->block || replaces) runner.found_ = Found{linear, *report};
    runner.found_->report.threads = std::max(earlier + report->threads, 1ull);
}

}  // namespace pyk::cpu
