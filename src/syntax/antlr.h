// The one door to ANTLR: its runtime, the generated parser, the generated lexer's kinds of tokens, and the light stream
// that we give the parser. Included by parse.cpp and build_*.cpp, by nothing else.
#pragma once

#include <PykLexer.h>
#include <PykParser.h>

#include "syntax/token_vector.h"

namespace pyk::syntax {

static_assert(kIndent == +PykLexer::INDENT && kDedent == +PykLexer::DEDENT && kMatch == +PykLexer::MATCH &&
              kCase == +PykLexer::CASE);
static_assert(kNewline == +PykLexer::NEWLINE && kFirstKeyword == +PykLexer::FALSE && kLastKeyword == +PykLexer::YIELD);
static_assert(kName == +PykLexer::NAME && kUnicodeName == +PykLexer::UNICODE_NAME && kNumber == +PykLexer::NUMBER);
static_assert(kString == +PykLexer::STRING && kUnterminatedString == +PykLexer::UNTERMINATED_STRING);
static_assert(kUnterminatedTriple == +PykLexer::UNTERMINATED_TRIPLE && kBad == +PykLexer::BAD);

}  // namespace pyk::syntax
