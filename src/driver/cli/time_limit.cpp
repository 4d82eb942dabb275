#include "driver/cli/time_limit.h"

#include <fmt/format.h>
#include <sys/time.h>

#include <cmath>
#include <csignal>

#include "driver/cli/failure.h"

namespace pyk {
namespace {

// What the handler says: it may ask for no memory.
std::string& message() {
    static std::string text;
    return text;
}

void end_with_message(int) { end_in_handler(message()); }

}  // namespace

void end_after(double seconds, const std::string& what) {
    message() = fmt::format(
        "pykc: error: {} still runs after {} s (--timeout): a loop that does not end, or threads that wait for what "
        "never happens\n",
        what, seconds);
    std::signal(SIGALRM, end_with_message);
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    timer.it_value.tv_usec = static_cast<suseconds_t>(std::fmod(seconds, 1.0) * 1e6);
    setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace pyk
