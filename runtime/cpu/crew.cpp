#include "crew.h"

#include <algorithm>
#include <system_error>

namespace pyk::cpu {
namespace {

// The parts of Crew::round_.
constexpr int kRoundAt = 32, kAllowedAt = 16;
constexpr std::uint64_t kMostJobs = 0xffff;

}  // namespace

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

void Crew::run(unsigned count, const std::function<void(unsigned)>& job) {
    if (count <= 1) return job(0);
    const unsigned others = std::min<unsigned>(count - 1, kMostJobs);
    hire(others);
    job_ = &job;
    done_ = 0;
    round_ = ((round_ >> kRoundAt) + 1) << kRoundAt | std::uint64_t{others} << kAllowedAt;
    idle_.wake(others);
    job(0);
    const std::uint64_t last = round_.fetch_and(~(kMostJobs << kAllowedAt));  // none may be begun from here on
    const auto begun = static_cast<unsigned>(std::min<std::uint64_t>(last & kMostJobs, others));
    caller_.wait([&] { return done_ == begun; });
}

/// The job that the calling worker has in a round that it has not seen; 0: none.
unsigned Crew::begin(std::uint32_t& seen) {
    const auto is_open = [&](std::uint64_t round) {
        return static_cast<std::uint32_t>(round >> kRoundAt) != seen &&
               (round & kMostJobs) < (round >> kAllowedAt & kMostJobs);
    };
    if (!is_open(round_)) return 0;
    const std::uint64_t round = round_++;
    if (!is_open(round)) return 0;
    seen = static_cast<std::uint32_t>(round >> kRoundAt);
    return static_cast<unsigned>(round & kMostJobs) + 1;
}

void Crew::work(unsigned number) {
    number_ = number;
    std::uint32_t seen = 0;
    for (;;) {
        unsigned mine = 0;
        idle_.wait([&] { return (mine = begin(seen)) || closing_; });
        if (!mine) return;
        (*job_)(mine);
        ++done_;
        caller_.wake();
    }
}

}  // namespace pyk::cpu
