// Memory of a device.
#pragma once

#include <cstddef>

#include "pyk/device.h"
#include "pyk/stream.h"

namespace pyk {

/// What memory kernels can reach, and who else.
enum class MemoryKind : unsigned char {
    device,   ///< the GPU's own
    pooled,   ///< the GPU's own, allocated and freed in the order of a stream; a borrowed one must live as long
    pinned,   ///< the host's, page-locked: copies of it are fast and asynchronous; GPUs reach it over the bus
    mapped,   ///< like pinned, and write-combined: for what the host only writes
    managed,  ///< moves between host and GPU where it is touched
};
/// Whether the host can read and write it by its address. All memory of the CPU as a device can be.
constexpr bool is_host_accessible(MemoryKind kind) { return kind != MemoryKind::device && kind != MemoryKind::pooled; }

/// Bytes that a device's kernels can reach, owned: moved, not copied; one that was moved from is empty. Copies and
/// fills are queued on the stream. The host memory of a queued copy must stay until the stream is done with it: with
/// pageable memory (a std::vector) that is when the call returns, with pinned memory when the stream is synchronised,
/// and in a capture as long as the graph may be launched.
/// Different buffers may be used from different threads at once.
class Buffer {
  public:
    Buffer() = default;
    ~Buffer() { release(); }
    Buffer(Buffer&& other) noexcept { *this = std::move(other); }
    Buffer& operator=(Buffer&& other) noexcept;

    /// Uninitialised, aligned to 256 bytes; of 0 bytes: an empty buffer. `stream`: of pooled memory, which it is ready
    /// on and freed on.
    static Result<Buffer> allocate(const Device& device, std::size_t bytes, MemoryKind kind = MemoryKind::device,
                                   StreamRef stream = {});
    /// Memory that others allocated; `free` (may be null) is called with `owner` when the buffer goes.
    static Buffer adopt(const Device& device, void* address, std::size_t bytes, MemoryKind kind, void* owner,
                        void (*free)(void* owner));

    /// Copies host memory to the bytes from `offset` on, or back; fails when that is beyond the end.
    /// Both are queued, as the class says.
    Status upload(const void* host, std::size_t bytes, std::size_t offset = 0, StreamRef stream = {});
    Status download(void* host, std::size_t bytes, std::size_t offset = 0, StreamRef stream = {}) const;
    /// Sets all bytes to one value.
    Status fill(unsigned char value, StreamRef stream = {});

    /// An address for kernels; for the host as well where is_host_accessible(kind()).
    void* address() const { return address_; }
    /// In bytes.
    std::size_t size() const { return size_; }
    MemoryKind kind() const { return kind_; }
    /// Whose kernels reach it; null of an empty buffer.
    driver::Context* device() const { return context_; }
    /// Frees the memory now.
    void release();

  private:
    driver::Context* context_ = nullptr;
    void* address_ = nullptr;
    std::size_t size_ = 0;
    MemoryKind kind_ = MemoryKind::device;
    void* stream_ = nullptr;  // of pooled memory
    void* owner_ = nullptr;   // of adopted memory
    void (*free_)(void*) = nullptr;
    bool is_adopted_ = false;
};

}  // namespace pyk
