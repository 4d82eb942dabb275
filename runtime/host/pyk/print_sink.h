// Where the text goes that kernels print.
#pragma once

#include <cstddef>
#include <string_view>

#include "pyk/handler.h"
#include "pyk/ownership.h"

namespace pyk {

namespace driver {
struct SinkState;
}

/// Takes the lines of code that was compiled for a sink (jit::Options::on_print). Copies are the same sink. By default,
/// the standard output.
///
/// `write` is called with one whole line, its end included, for each `print`, never twice at the same time. It is
/// called by the thread that waits for the kernels: in Stream::synchronize, Device::synchronize, Event::wait or
/// is_done, a timed launch, a launch with host arrays; on the CPU, and with checks, in the launch itself. What is left
/// is delivered when the code is unloaded. Lines of one device come in the order in which its threads printed them.
/// `write` may throw: the exception leaves that call, the lines behind come with the next; it may launch, and must not
/// wait for another thread that synchronizes.
class PrintSink {
  public:
    PrintSink();
    /// `buffer_bytes`: what a GPU's kernels may print between two deliveries, rounded up to a power of two; a line
    /// takes some 10 bytes more than its format, and 8 for each value. Lines beyond are lost, and a line says how many.
    /// Nothing is lost on the CPU.
    explicit PrintSink(Handler<std::string_view> write, std::size_t buffer_bytes = std::size_t{1} << 20);

    driver::SinkState& state() const { return *state_; }
    friend bool operator==(const PrintSink& a, const PrintSink& b) { return a.state_ == b.state_; }

  private:
    Shared<driver::SinkState> state_;
};

}  // namespace pyk
