// What a misspelt name may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pyk {

/// The candidate that is fewest letters away; empty: none is near enough to be meant.
std::string nearest_name(std::string_view wrong, std::span<const std::string_view> candidates);

}  // namespace pyk
