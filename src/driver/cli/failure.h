// How a run of pykc ends, and the ways in which it ends early. Diagnostics are no exceptions: they are collected and
// shown.
#pragma once

#include <unistd.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace pyk {

enum class ExitCode : int { fine = 0, diagnostics = 1, usage = 2, input_output = 3, fault = 70 };

/// The command line asks for something that makes no sense.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A file cannot be read or written, a tool or a device is missing.
struct InputOutputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Says why and ends, in a signal handler, where little may be called.
[[noreturn]] inline void end_in_handler(std::string_view message) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, message.data(), message.size());
    _exit(static_cast<int>(ExitCode::diagnostics));
}

}  // namespace pyk
