// What a terminal shows of text, and how many columns that takes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pyk {

/// Of UTF-8: two for wide characters, none for those that join others and for controls. Bytes that are no UTF-8 take
/// one.
size_t display_width(std::string_view text);

/// UTF-8 without controls but tabs; bytes that are no UTF-8 are U+FFFD each.
std::string displayed(std::string_view text);

}  // namespace pyk
