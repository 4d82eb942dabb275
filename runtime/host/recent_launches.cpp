#include "recent_launches.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>

#include "described.h"

namespace pyk::driver {
namespace {

// Held for a copy of some hundred bytes: a mutex would cost a launch more.
class Lock {
  public:
    explicit Lock(std::atomic_flag& flag) : flag_(flag) {
        while (flag_.test_and_set(std::memory_order_acquire)) {
        }
    }
    ~Lock() { flag_.clear(std::memory_order_release); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

  private:
    std::atomic_flag& flag_;
};

std::string triple(Dim3 d) { return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z); }

}  // namespace

const std::string& RecentLaunches::lasting(const std::string& symbol) {
    static std::mutex& mutex = *new std::mutex;
    static auto& known = *new std::set<std::string>;
    const std::lock_guard lock(mutex);
    return *known.insert(symbol).first;
}

[[gnu::hot]] void RecentLaunches::note(const std::string& symbol, const LaunchConfig& config, const void* args,
                                       std::size_t size) {
    const Lock lock(flag_);
    Launch& launch = launches_[count_++ % launches_.size()];
    launch.symbol = &symbol;
    launch.args_size = size;
    if (size) std::memcpy(launch.args, args, std::min(size, sizeof launch.args));
    launch.grid = config.grid;
    launch.block = config.block;
}

std::string RecentLaunches::text() {
    std::array<Launch, 4> launches;
    std::size_t count = 0;
    {
        const Lock lock(flag_);
        launches = launches_;
        count = count_;
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(count, launches.size()); ++i) {
        const Launch& launch = launches[(count - 1 - i) % launches.size()];
        text +=
            (text.empty() ? "; the last launches were " : ", ") +
            described(*launch.symbol, launch.args, std::min(launch.args_size, sizeof launch.args), launch.args_size) +
            "<<<" + triple(launch.grid) + ", " + triple(launch.block) + ">>>";
    }
    return text;
}

}  // namespace pyk::driver
