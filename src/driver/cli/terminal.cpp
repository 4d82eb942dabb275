#include "driver/cli/terminal.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace pyk {
namespace {

bool stderr_has_color() {
    const char* no_color = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    if (no_color && *no_color) return false;
    return isatty(STDERR_FILENO) && !(terminal && std::string_view(terminal) == "dumb");
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) != 0; }

void show(const Diagnostics& diagnostics) { print(render(diagnostics, stderr_has_color())); }

void show_rendered(std::string_view text) { print(text); }

void show_error(std::string_view text) {
    Diagnostic error;
    error.text = text;
    print(render(error, stderr_has_color()));
}

}  // namespace pyk
