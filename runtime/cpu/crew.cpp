#include "crew.h"

#include <algorithm>
#include <limits>
#include <system_error>

namespace pyk::cpu {

thread_local unsigned Crew::number_ = 0;

void Crew::dismiss() {
    closing_ = true;
    idle_.wake();
    for (std::thread& worker : workers_) worker.join();
    workers_.clear();
}

void Crew::hire(unsigned count) {
    try {
        while (workers_.size() < count)
            workers_.emplace_back(&Crew::work, this, static_cast<unsigned>(workers_.size()) + 1);
    } catch (const std::system_error&) {
    }
}

/// Gives what was there before.
template <class F>
Crew::State Crew::change(F f) {
    State before = state_.load(), after;
    do {
        after = before;
        f(after);
    } while (!state_.compare_exchange_weak(before, after));
    return before;
}

void Crew::run(unsigned count, const std::function<void(unsigned)>& job) {
    if (count <= 1) return job(0);
    const unsigned others = std::min<unsigned>(count - 1, std::numeric_limits<std::uint16_t>::max());
    hire(others);
    job_ = &job;
    change([&](State& state) { ++state.round, state.left = static_cast<std::uint16_t>(others); });
    idle_.wake(others);
    job(0);
    const State last = change([](State& state) { state.left = 0; });
    if (last.busy > 0) caller_.wait([&] { return state_.load().busy == 0; });
}

/// The job that the calling worker has in a round that it has not seen; 0: none.
unsigned Crew::begin(std::uint32_t& seen) {
    State before = state_.load();
    while (before.round != seen && before.left > 0) {
        State after = before;
        --after.left, ++after.busy;
        if (!state_.compare_exchange_weak(before, after)) continue;
        seen = before.round;
        return before.left;
    }
    return 0;
}

void Crew::work(unsigned number) {
    number_ = number;
    std::uint32_t seen = 0;
    for (;;) {
        unsigned mine = 0;
        idle_.wait([&] { return (mine = begin(seen)) || closing_; });
        if (!mine) return;
        (*job_)(mine);
        const State before = change([](State& state) { --state.busy; });
        if (before.busy == 1) caller_.wake();
    }
}

}  // namespace pyk::cpu
