// Queues of work on a device, and points in them.
#pragma once

#include <memory>

#include "pyk/device.h"

namespace pyk {

namespace driver {
struct StreamState;
struct EventState;
}  // namespace driver

/// Work on one stream runs in order. A default-constructed Stream is CUDA's default stream. Copies share the stream,
/// the last one destroys it. Safe to use from several threads.
class Stream {
  public:
    Stream() = default;
    /// A stream that does not wait for the default one.
    static Result<Stream> create(const Device& device);
    /// Waits for the work given to it so far and gives that work's first error.
    Status synchronize(const Device& device) const;

    /// A CUstream; null for the default stream.
    void* handle() const;

  private:
    std::shared_ptr<driver::StreamState> state_;
};

/// A point in a stream's work, with the time when the device passed it. Copies share it.
class Event {
  public:
    static Result<Event> create(const Device& device);
    /// The point after all that the stream was given so far.
    Status record(const Stream& stream = {});
    /// Waits until the device passed the recorded point.
    Status wait() const;
    /// Milliseconds from `start` to `end`, of one device, both passed.
    static Result<double> elapsed_ms(const Event& start, const Event& end);

  private:
    std::shared_ptr<driver::EventState> state_;
};

}  // namespace pyk
