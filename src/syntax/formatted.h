// f-strings as Python 3.12 reads them: what stands between braces is an expression like any other, with any quotes.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace pyk::syntax {

/// Behind the f-string that begins at a place; 0: none does, or it does not end.
size_t end_of_formatted(std::string_view text, size_t at);

/// Part of a text.
struct Range {
    size_t begin = 0, end = 0;
};

/// A piece of an f-string: text as it is written, or a field, `{value!r:specification}`.
struct FormattedPiece {
    Range text;  ///< of a field: its expression
    bool is_field = false;
    size_t shown_end = 0;  ///< of a field that shows its expression, `{value = }`: behind the `=` and blanks; 0: others
    std::optional<Range> conversion = {}, specification = {};
};

/// The pieces of an f-string's text without its quotes, or of a field's specification; of `{{` and `}}` one brace is
/// in a piece. nullopt: a brace has no other.
std::optional<std::vector<FormattedPiece>> formatted_pieces(std::string_view text, Range part, bool is_raw,
                                                            bool is_specification);

}  // namespace pyk::syntax
