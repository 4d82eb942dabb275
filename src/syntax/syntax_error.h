// What a person reads when the tokens are no Python. The parser knows only where it stopped and what could have
// followed; the words are found here.
#pragma once

#include <string_view>
#include <vector>

#include "syntax/failure.h"
#include "syntax/token.h"

namespace pyk::syntax {

struct UnexpectedToken {
    const SourceFile& source;
    const std::vector<Token>& tokens;
    size_t index;  ///< the token that cannot follow those before it
    std::vector<std::string_view>
        expected;  ///< what could: an operator or keyword as written, or a token's name (NAME, NEWLINE)
};

Failure explain(const UnexpectedToken& error);
/// What is said of a line that is a command of a notebook, if what stands there begins one; else nothing.
std::string_view notebook_command(std::string_view text, size_t at);

}  // namespace pyk::syntax
