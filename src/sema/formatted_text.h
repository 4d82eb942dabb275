// f-strings and format specifications, of what the module knows: signatures and names are often put together by them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sema/constant.h"

namespace pyk {

/// A piece of an f-string.
struct FormattedPart {
    std::string text;  ///< as it comes out; of a field: its expression
    bool is_field = false;
    char conversion = 0;             ///< `!r`: 'r'
    std::string specification = {};  ///< may have fields of its own: `>{width}`
};

/// The pieces of `f"…"` and of the literals that it is concatenated with; nullopt: an escape
/// other than those of quotes, line ends and tabs.
std::optional<std::vector<FormattedPart>> formatted_parts(std::string_view raw);

/// The words of an expression, those behind dots and in texts too.
std::vector<std::string_view> names_in(std::string_view expression);

/// Python's `format(value, specification)` of a number or a text; nullopt: it is not followed.
std::optional<std::string> formatted_value(const Const& value, char conversion, std::string_view specification);

}  // namespace pyk
