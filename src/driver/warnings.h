// What is said behind `-W`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"

namespace pyk {

/// Of other compilers: they name what is on without them.
inline constexpr std::string_view kIgnoredWarnings[] = {"all", "pedantic"};

/// Takes one in: an id or a group, `no-` and one, `error`, `error=` and one, `no-error`, `no-error=` and one; `none`:
/// no warnings at all. Of two that contradict each other the last counts. The result is what is wrong with it, for a
/// person; empty when nothing is.
std::string apply_warning(WarningOptions& options, std::string_view text);

/// What apply_warning makes these of.
std::vector<std::string> texts_of(const WarningOptions& options);

/// The ids and groups of warnings, each once.
std::vector<std::string_view> warning_names();

}  // namespace pyk
