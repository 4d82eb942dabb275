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
    void note(std::string_view symbol, const LaunchConfig& config, const void* args, std::size_t size);

    /// "; the last launches were a(1, float32[8] at 0x…)<<<…, …>>>, …", the latest first.
    std::string text();

  private:
    struct Launch {
        char symbol[128];
        unsigned char args[192];
        std::size_t symbol_size, args_size;
        Dim3 grid, block;
    };

    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
    std::array<Launch, 4> launches_{};
    std::size_t count_ = 0;
};

}  // namespace pyk::driver
