// Finds accesses of one element, one of them a store, by threads that nothing orders: `--check=race`.
//
// Threads of a block are ordered by its barriers, those of a warp by `syncwarp` as well, those of different
// blocks by the grid's barriers alone. An atomic orders what was done before the last atomic on the same element before
// what its thread does from then on, and its block behind the next barrier: so locks and tickets work. That may order
// more than CUDA promises; nothing is reported that could not be a race. A plain read that is a guess is none: the
// thread's own atomic on the element follows, as in a loop around `cuda.atomic.cas`.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pyk/watched_cpu.h"

namespace pyk::cpu {

/// An access, by whom and when.
struct WatchedAccess {
    access_kind kind{};
    unsigned long long block = 0;  ///< as linear index
    int thread = 0;                ///< in the block, x fastest
    int line = 0;
    /// How often the grid, the block and the warp had met at barriers.
    unsigned grid_round = 0, block_round = 0, warp_round = 0;
    std::uint64_t time = 0;  ///< counts accesses; 0: there was none
};

/// Two accesses that nothing orders.
struct Race {
    WatchedAccess now, before;
    site where;        ///< of the second one
    long long number;  ///< of the element; -1: not known
};

/// The elements of a piece of memory, by their addresses. Not safe to use from several threads.
class WatchedElements {
  public:
    void forget() {
        if (!elements_.empty()) elements_.clear();
    }
    /// The earlier access that nothing orders before this one, if any. `acquired`: accesses before that time are.
    /// What an atomic acquires in turn is added to it.
    std::optional<WatchedAccess> add(const void* at, const WatchedAccess& access, std::uint64_t& acquired);

  private:
    struct Element {
        WatchedAccess store, atomic;
        std::array<WatchedAccess, 2> reads;  ///< of different threads: a store of any thread is not by one of them
    };

    std::unordered_map<const void*, Element> elements_;
};

/// What the blocks of a launch share: memory of the whole grid, and the clock.
struct LaunchWatch {
    std::recursive_mutex mutex;  ///< an atomic's operands are accesses as well
    WatchedElements elements;
    std::uint64_t time = 0;
};

/// What is watched of one block after the other, all of one runner.
class BlockWatch {
  public:
    void prepare(LaunchWatch& launch) {
        launch_ = &launch;
        grid_round_ = 0;
    }
    void begin_block() {
        shared_.forget();
        threads_.clear();
        acquired_by_all_ = 0;
        block_round_ = 0;
    }
    /// All threads of the block met, or all of the grid.
    void meet_in_block();
    void meet_in_grid() { ++grid_round_; }

    /// Around an atomic.
    void begin_atomic() { launch_->mutex.lock(); }
    void end_atomic() { launch_->mutex.unlock(); }
    /// Fills in when it is. `is_shared`: of the block's own memory. Gives the race that it is, if it is certain.
    std::optional<Race> access(const void* at, bool is_shared, WatchedAccess access, const site& where,
                               long long number);
    /// Reads that no atomic of their threads followed: before threads meet, and at the block's end.
    std::vector<Race> take_guesses();
    /// Whether the thread has raced before; from now on it has.
    bool is_first_race(int thread);

  private:
    struct Thread {
        std::uint64_t acquired = 0;
        bool has_raced = false;
        std::vector<std::pair<const void*, Race>> guesses;  ///< by the elements' addresses
    };

    Thread& thread(int index);

    LaunchWatch* launch_ = nullptr;
    WatchedElements shared_;
    std::vector<Thread> threads_;
    std::uint64_t acquired_by_all_ = 0;
    unsigned grid_round_ = 0, block_round_ = 0;
};

}  // namespace pyk::cpu
