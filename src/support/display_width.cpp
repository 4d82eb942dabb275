#include "support/display_width.h"

#include <utf8proc.h>

#include <algorithm>

namespace pyk {

size_t display_width(std::string_view text) {
    size_t width = 0;
    while (!text.empty()) {
        utf8proc_int32_t c = 0;
        const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                           static_cast<utf8proc_ssize_t>(text.size()), &c);
        width += size < 1 ? 1 : static_cast<size_t>(std::max(utf8proc_charwidth(c), 0));
        text.remove_prefix(static_cast<size_t>(std::max<utf8proc_ssize_t>(size, 1)));
    }
    return width;
}

}  // namespace pyk
