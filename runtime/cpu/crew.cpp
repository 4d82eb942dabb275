#include "crew.h"

#include <algorithm>
#include <system_error>

namespace pyk::cpu {

void Crew::dismiss() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    start_.notify_all();
    for (std::thread& worker : workers_) worker.join();
    workers_.clear();
}

void Crew::hire(unsigned count) {
    try {
        while (workers_.size() + 1 < count)
            workers_.emplace_back(&Crew::work, this, static_cast<unsigned>(workers_.size()) + 1);
    } catch (const std::system_error&) {
    }
}

void Crew::run(unsigned count, const std::function<void(unsigned)>& job) {
    {
        const std::lock_guard lock(mutex_);
        hire(count);
        job_ = &job;
        wanted_ = std::min(count, static_cast<unsigned>(workers_.size()) + 1);
        ++round_;
    }
    if (count > 1) start_.notify_all();
    job(0);
    std::unique_lock lock(mutex_);
    wanted_ = 0;  // nothing is left for who is not awake yet
    done_.wait(lock, [&] { return busy_ == 0; });
}

void Crew::work(unsigned worker) {
    unsigned long long seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        start_.wait(lock, [&] { return closing_ || (round_ != seen && worker < wanted_); });
        if (closing_) return;
        seen = round_;
        ++busy_;
        const std::function<void(unsigned)>& job = *job_;
        lock.unlock();
        job(worker);
        lock.lock();
        if (--busy_ == 0) done_.notify_one();
    }
}

}  // namespace pyk::cpu
