// Queues of work on a device, points in them, and work recorded to be repeated.
#pragma once

#include "pyk/device.h"
#include "pyk/ownership.h"

namespace pyk {

namespace driver {
struct StreamState;
struct EventState;
struct GraphState;
}  // namespace driver

class Stream;

/// A stream by its handle, not owned: what calls take. The default one is the device's default stream (CUDA's legacy
/// one).
struct StreamRef {
    driver::Context* device = nullptr;  ///< null: of whatever device the call is about
    void* handle = nullptr;             ///< a CUstream, which is a cudaStream_t
    StreamRef() = default;
    StreamRef(driver::Context* d, void* h) : device(d), handle(h) {}
    StreamRef(const Stream& stream);  // NOLINT
    /// The default stream of a device.
    StreamRef(const Device& on) : device(&on.context()) {}  // NOLINT
};

/// A point in a stream's work, with the time when the device passed it. Copies share it. Safe to use from several
/// threads.
class Event {
  public:
    /// One that was not recorded yet: nothing waits for it. Fails where the device cannot make one.
    static Result<Event> create(const Device& device = {});
    /// The point after all that the stream was given so far.
    Status record(StreamRef stream = {}) const;
    /// Waits until the device passed the recorded point.
    Status wait() const;
    /// Whether the device passed it.
    Result<bool> is_done() const;
    /// Milliseconds from `start` to `end`, of one device, both passed.
    static Result<double> elapsed_ms(const Event& start, const Event& end);
    /// A CUevent.
    void* handle() const;

  private:
    friend class Stream;
    Shared<driver::EventState> state_;
};

/// Work that was captured from a stream, ready to be launched again and again. Copies share it.
class Graph {
  public:
    /// Queues all of it. Device memory that the work uses must still be there; modules whose kernels it launches the
    /// graph keeps.
    Status launch(StreamRef stream = {}) const;

  private:
    friend class Stream;
    Shared<driver::GraphState> state_;
};

/// Work on one stream runs in order. Copies share the stream, the last one destroys it. Safe to use from several
/// threads.
class Stream {
  public:
    /// A stream that does not wait for the default one. `priority`: lower numbers go first, 0 is the usual.
    static Result<Stream> create(const Device& device = {}, int priority = 0);
    /// One that others made: a CUstream or cudaStream_t. Not owned.
    static Stream borrow(const Device& device, void* handle);

    /// Waits for the work given to it so far and gives that work's first error.
    Status synchronize() const;
    /// What the stream is given from now on starts after the event, which may be of another stream or GPU.
    Status wait(const Event& event) const;
    /// What the stream is given from now on is recorded instead of done, until end_capture.
    Status begin_capture() const;
    /// What was recorded since, for the thread that began. Fails where nothing was being recorded, or something in
    /// between cannot be.
    Result<Graph> end_capture() const;

    /// That its work runs on.
    Device device() const;
    /// A CUstream.
    void* handle() const;

  private:
    friend struct StreamRef;
    explicit Stream(Shared<driver::StreamState> state) : state_(std::move(state)) {}
    Shared<driver::StreamState> state_;
};

}  // namespace pyk
