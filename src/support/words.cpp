#include "support/words.h"

#include <fmt/format.h>

namespace pyk {

uint32_t next_code_point(std::string_view text, size_t& at) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    if (lead < 0x80) return lead;
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    uint32_t c = lead & (0x3F >> more);
    for (int i = 0; i < more && at < text.size(); ++i) c = (c << 6) | (static_cast<unsigned char>(text[at++]) & 0x3F);
    return c;
}

std::string ascii_name(std::string_view name) {
    std::string result;
    for (size_t at = 0; at < name.size();) {
        const uint32_t c = next_code_point(name, at);
        if (c < 0x80 && is_of_word(static_cast<char>(c)))
            result += static_cast<char>(c);
        else
            result += fmt::format("_u{:04X}_", c);
    }
    return result;
}

}  // namespace pyk
