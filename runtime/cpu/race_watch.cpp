#include "race_watch.h"

#include <algorithm>
#include <utility>

namespace pyk::cpu {
namespace {

bool is_of_one_thread(const WatchedAccess& a, const WatchedAccess& b) {
    return a.block == b.block && a.thread == b.thread;
}

bool is_ordered(const WatchedAccess& before, const WatchedAccess& now, std::uint64_t acquired) {
    if (before.time == 0 || before.time < acquired) return true;
    if (before.grid_round != now.grid_round) return true;
    if (before.block != now.block) return false;
    if (before.thread == now.thread || before.block_round != now.block_round) return true;
    return before.thread / 32 == now.thread / 32 && before.warp_round != now.warp_round;
}

}  // namespace

std::optional<WatchedAccess> WatchedElements::add(const void* at, const WatchedAccess& access,
                                                  std::uint64_t& acquired) {
    Element& element = elements_[at];
    std::optional<WatchedAccess> race;
    const auto look_at = [&](const WatchedAccess& before) {
        if (!race && !is_ordered(before, access, acquired)) race = before;
    };
    look_at(element.store);
    if (access.kind != access_kind::atomic) look_at(element.atomic);
    if (access.kind != access_kind::read)
        for (const WatchedAccess& read : element.reads) look_at(read);

    switch (access.kind) {
        case access_kind::store:
            element = {access, {}, {}};
            break;
        case access_kind::atomic:
            acquired = std::max(acquired, element.atomic.time);
            element.atomic = access;
            for (WatchedAccess& read : element.reads)
                if (is_of_one_thread(read, access)) read = {};
            break;
        case access_kind::read: {
            const auto may_go = [&](const WatchedAccess& read) {
                return is_of_one_thread(read, access) || is_ordered(read, access, acquired);
            };
            const auto slot = std::find_if(element.reads.begin(), element.reads.end(), may_go);
            if (slot != element.reads.end()) *slot = access;
            break;
        }
        case access_kind::atomic_begins:
        case access_kind::atomic_ends:
            break;
    }
    return race;
}

BlockWatch::Thread& BlockWatch::thread(int index) {
    const auto at = static_cast<std::size_t>(index);
    if (threads_.size() <= at) threads_.resize(at + 1);
    return threads_[at];
}

void BlockWatch::meet_in_block() {
    ++block_round_;
    for (const Thread& thread : threads_) acquired_by_all_ = std::max(acquired_by_all_, thread.acquired);
}

std::optional<Race> BlockWatch::access(const void* at, bool is_shared, WatchedAccess access, const site& where,
                                       long long number) {
    access.grid_round = grid_round_;
    access.block_round = block_round_;
    Thread& by = thread(access.thread);
    by.acquired = std::max(by.acquired, acquired_by_all_);
    if (access.kind == access_kind::atomic && !by.guesses.empty())
        by.guesses.erase(
            std::remove_if(by.guesses.begin(), by.guesses.end(), [&](const auto& guess) { return guess.first == at; }),
            by.guesses.end());
    std::unique_lock lock(launch_->mutex);
    access.time = ++launch_->time;
    const auto before = (is_shared ? shared_ : launch_->elements).add(at, access, by.acquired);
    lock.unlock();
    if (!before) return std::nullopt;
    const Race race{access, *before, where, number};
    const bool reads = access.kind == access_kind::read, was_read = before->kind == access_kind::read;
    const bool is_by_atomic = access.kind == access_kind::atomic || before->kind == access_kind::atomic;
    if (!is_by_atomic || !(reads || was_read)) return race;
    // The one that reads may still make it a guess. What another block's does is not known here.
    if (reads || before->block == access.block)
        thread(reads ? access.thread : before->thread).guesses.emplace_back(at, race);
    return std::nullopt;
}

std::vector<Race> BlockWatch::take_guesses() {
    std::vector<Race> races;
    for (Thread& thread : threads_) {
        for (const auto& [at, race] : thread.guesses) races.push_back(race);
        thread.guesses.clear();
    }
    return races;
}

bool BlockWatch::is_first_race(int thread) { return !std::exchange(this->thread(thread).has_raced, true); }

}  // namespace pyk::cpu
