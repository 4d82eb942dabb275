#include "support/display_width.h"

#include <utf8proc.h>

#include <algorithm>

namespace pyk {

namespace {

/// Calls `visit(part, c)` for each character, a negative `c` for a byte that is no UTF-8.
template <typename Visit>
void for_each_character(std::string_view text, Visit visit) {
    while (!text.empty()) {
        utf8proc_int32_t c = 0;
        const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                           static_cast<utf8proc_ssize_t>(text.size()), &c);
        const auto length = static_cast<size_t>(std::max<utf8proc_ssize_t>(size, 1));
        visit(text.substr(0, length), size < 1 ? -1 : c);
        text.remove_prefix(length);
    }
}

}  // namespace

size_t display_width(std::string_view text) {
    const auto is_printable = [](char c) { return c >= 0x20 && c < 0x7f; };
    if (std::ranges::all_of(text, is_printable)) return text.size();
    size_t width = 0;
    for_each_character(text, [&](std::string_view, utf8proc_int32_t c) {
        width += c < 0 ? 1 : static_cast<size_t>(std::max(utf8proc_charwidth(c), 0));
    });
    return width;
}

std::string displayed(std::string_view text) {
    std::string out;
    for_each_character(text, [&](std::string_view part, utf8proc_int32_t c) {
        if (c < 0)
            out += "\uFFFD";
        else if (c >= 0x20 || c == '\t')
            out += part;
    });
    return out;
}

}  // namespace pyk
