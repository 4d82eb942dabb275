// `pykc --explain ID`: more about a diagnostic than its one line says.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyk {

/// For a terminal: the text of each diagnostic with the id, with dots for what it names, and its page of
/// docs/diagnostics: why it is so, a wrong example, a right one. nullopt: there is no such id.
std::optional<std::string> explain(std::string_view id);

/// The ids that there are, each once.
std::vector<std::string_view> diagnostic_ids();

/// The id that was meant by one that there is not; empty: none is near enough.
std::string nearest_id(std::string_view wrong);

}  // namespace pyk
