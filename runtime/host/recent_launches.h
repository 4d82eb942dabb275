// What a device ran last.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>

#include "pyk/module.h"

namespace pyk::driver {

/// For the message of an error that a later call brings. Any thread may note and ask.
class RecentLaunches {
  public:
    /// `symbol`: of lasting(), which lives for ever.
    void note(const std::string& symbol, const LaunchConfig& config, const void* args, std::size_t size);
    /// The one text like it, never freed: a kernel may be unloaded before the error is met.
    static const std::string& lasting(const std::string& symbol);

    /// "; the last launches were a(1, float32[8] at 0x…)<<<…, …>>>, …", the latest first.
    std::string text();

  private:
    struct Launch {
        const std::string* symbol;
        std::size_t args_size;  ///< of which `args` has room for some
        Dim3 grid, block;
        unsigned char args[192];
    };

    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
    std::array<Launch, 4> launches_{};
    std::size_t count_ = 0;
};

}  // namespace pyk::driver
