// CUDA C++ and C++ of the user's own, as compilers get it, and what they say of it.
#pragma once

#include <string>

#include "ir/ir.h"

namespace pyk {

/// With a `#line`, so that messages name the file that the user knows; of code that is written in a `.pyk` file that
/// and the lines there, where the text has no escapes.
std::string text_for_compiler(const ir::LinkedCode& code);

/// Where the first error stands in the `.pyk` file; of other code, and of words that do not tell, what names it.
Span place_of_error(const ir::LinkedCode& code, const std::string& log);

}  // namespace pyk
