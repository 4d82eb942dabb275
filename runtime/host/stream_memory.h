// Small memory that streams have freed, kept for what they allocate next.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace pyk::driver {

/// An allocation and a free of the driver's pool hold a stream up by some microseconds, and whoever waits for the
/// stream has the pool give its memory back. What a stream frees is ready for its own later work without either.
/// Only says which memory that is: allocates and frees nothing. Any thread may call.
class StreamMemory {
  public:
    using StreamId = unsigned long long;  ///< never used again for another stream, unlike its handle

    /// As many bytes as an allocation of `bytes` has here; 0: of that size nothing is kept.
    static std::size_t size_of(std::size_t bytes);

    /// Memory that the stream freed, of just that size; null: there is none.
    void* take(StreamId stream, std::size_t size);
    /// Notes that memory came from a new allocation of that size.
    void add(void* address, std::size_t size);
    /// Whether it is kept, for the stream that frees it. Otherwise it is the caller's to free, and not known any more.
    bool keep(std::optional<StreamId> stream, void* address);
    /// All that is kept of a stream, which is the caller's to free.
    std::vector<void*> leave(StreamId stream);

  private:
    struct Kept {
        StreamId stream;
        void* address;
        std::size_t size;
    };
    std::mutex mutex_;
    std::unordered_map<void*, std::size_t> sizes_;  ///< of what take() and add() gave
    std::vector<Kept> kept_;
    std::size_t kept_bytes_ = 0;
};

}  // namespace pyk::driver
