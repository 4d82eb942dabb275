// The one door to ANTLR: its runtime, the generated lexer and parser, and the light streams that we give them. Included
// by lexer.cpp, parse.cpp and build_*.cpp, by nothing else.
#pragma once

#include <PykLexer.h>
#include <PykParser.h>

#include <string>

#include "syntax/token_vector.h"

namespace pyk::syntax {

static_assert(kIndent == +PykLexer::INDENT && kDedent == +PykLexer::DEDENT && kMatch == +PykLexer::MATCH &&
              kCase == +PykLexer::CASE);
static_assert(kNewline == +PykLexer::NEWLINE && kFirstKeyword == +PykLexer::FALSE && kLastKeyword == +PykLexer::YIELD);
static_assert(kName == +PykLexer::NAME && kUnicodeName == +PykLexer::UNICODE_NAME && kNumber == +PykLexer::NUMBER);
static_assert(kString == +PykLexer::STRING && kUnterminatedString == +PykLexer::UNTERMINATED_STRING);
static_assert(kUnterminatedTriple == +PykLexer::UNTERMINATED_TRIPLE && kBad == +PykLexer::BAD);

using Tree = antlr4::tree::ParseTree;

/// The text as the lexer sees it: bytes, those of non-ASCII characters as DEL.
class ByteStream final : public antlr4::CharStream {
  public:
    explicit ByteStream(std::string_view text, size_t from) : text_(text), at_(from) {}

    void consume() override { ++at_; }
    size_t LA(ssize_t i) override {
        const size_t at = at_ + static_cast<size_t>(i) - 1;
        if (at >= text_.size()) return EOF;
        return shown(text_[at]);
    }
    static unsigned char shown(char c) {
        return static_cast<signed char>(c) < 0 ? 0x7F : static_cast<unsigned char>(c);
    }
    ssize_t mark() override { return 0; }
    void release(ssize_t) override {}
    size_t index() override { return at_; }
    void seek(size_t at) override { at_ = at; }
    size_t size() override { return text_.size(); }
    std::string getSourceName() const override { return {}; }
    std::string getText(const antlr4::misc::Interval&) override { return {}; }
    std::string toString() const override { return {}; }

  private:
    std::string_view text_;
    size_t at_;
};

}  // namespace pyk::syntax
