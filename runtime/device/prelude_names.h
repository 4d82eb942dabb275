// Finding the parts of the device prelude that emitted text needs. The parts themselves: pyk_prelude.h (generated).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pyk {

/// The part whose `// Defines:` lines list `name`, which is given without `pyk::` ("floor_div" → "floor"); empty if none does.
std::string_view prelude_part_of(std::string_view name);

/// `parts` and all that they include, each once and after what it includes. Unknown names are left out.
std::vector<std::string_view> prelude_closure(const std::vector<std::string_view>& parts);

/// The parts that define what C++ text writes as `pyk::name`, with all that these include, as prelude_closure orders them.
std::vector<std::string_view> prelude_parts_used(std::string_view text);

/// Parts as one text for pasting: without includes of each other and without their `// Defines:` lines. The include guards stay,
/// so that several such texts, or one and the headers, meet in one translation unit.
std::string paste_prelude(const std::vector<std::string_view>& parts);

}  // namespace pyk
