// f-strings as Python 3.12 reads them: what stands between braces is an expression like any other, with any quotes.
#pragma once

#include <cstddef>
#include <string_view>

namespace pyk::syntax {

/// Behind the f-string that begins at a place; 0: none does, or it does not end.
size_t end_of_formatted(std::string_view text, size_t at);

}  // namespace pyk::syntax
