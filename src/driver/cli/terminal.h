// Who reads what we print.
#pragma once

#include "support/diagnostics.h"

namespace pyk {

bool stdout_is_terminal();
/// Shows diagnostics on stderr: in colour on a terminal, unless $NO_COLOR is set.
void show(const Diagnostics& diagnostics);
/// Shows `pykc: error: text` on stderr, and what a tool said below it.
void show_error(std::string_view text, std::string_view log = {});

}  // namespace pyk
