// Streams that have memory to free.
#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>

namespace pyk::driver {

/// Memory of a pool is freed in the order of its stream, which has to be there until then: a stream that its program
/// has given up is destroyed with the last of its memory. Any thread may call.
class StreamHolds {
  public:
    /// The stream has one more piece of memory.
    void add(void* stream) {
        const std::lock_guard lock(mutex_);
        ++held_[stream].pieces;
    }
    /// One less. Whether the stream was given up and had no other: then it is the caller's to destroy.
    bool drop(void* stream) {
        const std::lock_guard lock(mutex_);
        const auto held = held_.find(stream);
        if (held == held_.end() || --held->second.pieces != 0) return false;
        const bool is_given_up = held->second.is_given_up;
        held_.erase(held);
        return is_given_up;
    }
    /// Whether the stream has no memory: then it is the caller's to destroy, else that of whoever drops the last of it.
    bool give_up(void* stream) {
        const std::lock_guard lock(mutex_);
        const auto held = held_.find(stream);
        if (held == held_.end()) return true;
        held->second.is_given_up = true;
        return false;
    }

  private:
    struct Held {
        std::size_t pieces = 0;
        bool is_given_up = false;
    };
    std::mutex mutex_;
    std::unordered_map<void*, Held> held_;
};

}  // namespace pyk::driver
