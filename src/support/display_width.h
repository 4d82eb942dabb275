// How many columns text takes on a terminal.
#pragma once

#include <cstddef>
#include <string_view>

namespace pyk {

/// Of UTF-8: two for wide characters, none for those that join others and for controls. Bytes that are no UTF-8 take
/// one.
size_t display_width(std::string_view text);

}  // namespace pyk
