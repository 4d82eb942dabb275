// Processes that are forked off one that has threads: what the threads held stays held, and nobody gives it back.
#pragma once

#include <pthread.h>

#include <atomic>

namespace pyk::driver {
namespace detail {

inline std::atomic<unsigned> fork_count{0};
inline const int counts_forks = pthread_atfork(nullptr, nullptr, [] { ++fork_count; });

}  // namespace detail

/// How many forks lie between the process that this was loaded in and the calling one.
inline unsigned forks() { return detail::fork_count.load(std::memory_order_relaxed); }

}  // namespace pyk::driver
