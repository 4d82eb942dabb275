// Statements that are too wide for one line.
#pragma once

#include <string>
#include <string_view>

namespace pyk::emitter {

inline constexpr size_t kLineWidth = 120;

/// A statement in lines that are not too wide, as far as it has places to break: in as few parentheses as there are, at
/// the operator that binds least. Lines end behind commas and operators, in front of `?` and `:`, and go on two steps
/// further in. A comment at the end may be wider.
std::string broken(std::string_view line);

}  // namespace pyk::emitter
