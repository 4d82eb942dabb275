// What is said behind `-W`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"

namespace pyk {

/// Takes one in: an id or a group, `no-` and one, `error`, `error=` and one, `no-error`, `no-error=` and one; `none`:
/// no warnings at all. Of two that contradict each other the last counts. The result is what is wrong with it, for a
/// person; empty when nothing is.
/// `all` and `extra`, which other compilers have, name what is on without them.
std::string apply_warning(WarningOptions& options, std::string_view text);

/// The ids and groups of warnings, each once.
std::vector<std::string_view> warning_names();

}  // namespace pyk
