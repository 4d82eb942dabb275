// Who reads what we print.
#pragma once

#include "driver/cli/options.h"
#include "support/diagnostics.h"

namespace pyk {

bool stdout_is_terminal();

/// How diagnostics are shown from here on.
void configure_messages(const MessageOptions& options);
/// Shows diagnostics on stderr.
void show(const Diagnostics& diagnostics);
/// Shows text that was rendered already.
void show_rendered(std::string_view text);
/// Shows a line about what pykc did; where diagnostics go to a program, nothing: it reads these alone.
void show_remark(std::string_view text);
/// Shows `pykc: error: text` on stderr.
void show_error(std::string_view text);
/// Once, at the end: what is one document for all that was shown.
void finish_messages();

}  // namespace pyk
