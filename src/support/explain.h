// `pykc --explain ID`: more about a diagnostic than its one line says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pyk {

/// The text of each diagnostic with the id, with dots for what it names, and why it is so where explanations.def says
/// it. nullopt: there is no such id.
std::optional<std::string> explain(std::string_view id);

}  // namespace pyk
