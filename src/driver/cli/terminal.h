// Who reads what we print.
#pragma once

#include "support/diagnostics.h"

namespace pyk {

bool stdout_is_terminal();
/// Shows diagnostics on stderr: in colour on a terminal, unless $NO_COLOR is set.
void show(const Diagnostics& diagnostics);
/// Shows text that was rendered already.
void show_rendered(std::string_view text);
/// Shows `pykc: error: text` on stderr.
void show_error(std::string_view text);

}  // namespace pyk
