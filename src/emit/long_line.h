// Statements that are too wide for one line.
#pragma once

#include <string>
#include <string_view>

namespace pyk::emitter {

inline constexpr size_t kLineWidth = 120;

/// A statement, or the head of a function, in lines that are not too wide, as far as it has places to break: behind `=`
/// where that is enough, else in as few parentheses as there are, at the operator that binds least. Lines end behind
/// commas and in front of operators, and go on two steps further in. A comment at the end may be wider.
std::string broken(std::string_view line);

}  // namespace pyk::emitter
