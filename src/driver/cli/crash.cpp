#include "driver/cli/crash.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "driver/cli/failure.h"

namespace pyk {
namespace {

// Only what a signal handler may call.
void end_with_message(int) {
    constexpr std::string_view kMessage =
        "pykc: error: memory outside of the arrays was read or written, which ended the program; with `--check-bounds` "
        "the access is named\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
    _exit(static_cast<int>(ExitCode::diagnostics));
}

}  // namespace

void explain_crashes() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT}) std::signal(signal, end_with_message);
}

}  // namespace pyk
