// A short digest of a text, for symbols.
#pragma once

#include <string>
#include <string_view>

namespace pyk {

/// FNV-1a, 32 bits as eight hexadecimal digits.
std::string digest(std::string_view text);

}  // namespace pyk
