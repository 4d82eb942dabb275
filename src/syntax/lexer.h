// Text → raw tokens, by the automaton that ANTLR makes of grammar/PykLexer.g4. The automaton is a table, which
// lexer_table/main.cpp writes when pykc is built.
#pragma once

#include <string_view>
#include <vector>

#include "syntax/token.h"

namespace pyk::syntax {

/// Every token of the text in order, line ends included; white space, comments and joined lines are left out, and so is
/// the end of the file. `from`: where the first may begin. Never fails: what is no token comes as kBad or
/// kUnterminated….
std::vector<Token> raw_tokens(std::string_view text, size_t from = 0);

}  // namespace pyk::syntax
