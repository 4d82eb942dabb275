// Numbers as text: the same in every locale.
#pragma once

#include <charconv>
#include <iterator>
#include <string>

namespace pyk {

/// As C's `%.17g`, which every float64 is read back from.
inline std::string real_text(double value, int digits = 17) {
    char text[40];
    return {text, std::to_chars(text, std::end(text), value, std::chars_format::general, digits).ptr};
}

}  // namespace pyk
