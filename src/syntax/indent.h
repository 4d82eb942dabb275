// Layout: from the lexer's tokens to the parser's. Adds INDENT and DEDENT, drops the line ends that mean nothing, joins
// lines inside brackets, finds the soft keywords, and refuses what is no token of Python.
#pragma once

#include <vector>

#include "syntax/token.h"

namespace pyk::syntax {

/// `raw`: every token of the file in order, line ends included, white space, comments and joined lines left out,
/// without an end-of-file token. The result ends with NEWLINE (unless the file is empty), the open DEDENTs and one
/// kEndOfFile. Throws Failure. CPython's limits hold: 200 open brackets, 100 levels of indentation.
std::vector<Token> lay_out(const SourceFile& source, const std::vector<Token>& raw);

/// The same of a field of an f-string: line ends mean nothing, and there are no others than kEndOfFile behind it.
std::vector<Token> lay_out_field(Span field, const std::vector<Token>& raw);

}  // namespace pyk::syntax
