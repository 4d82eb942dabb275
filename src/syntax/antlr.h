// The one door to ANTLR: its runtime, the generated lexer and parser, and the light streams that we give them. Included
// by lexer.cpp, parse.cpp and build_*.cpp, by nothing else.
#pragma once

#include <PykLexer.h>
#include <PykParser.h>

#include <string>
#include <vector>

#include "syntax/token.h"

namespace pyk::syntax {

static_assert(kIndent == +PykLexer::INDENT && kDedent == +PykLexer::DEDENT && kMatch == +PykLexer::MATCH &&
              kCase == +PykLexer::CASE);
static_assert(kNewline == +PykLexer::NEWLINE && kFirstKeyword == +PykLexer::FALSE && kLastKeyword == +PykLexer::YIELD);
static_assert(kName == +PykLexer::NAME && kUnicodeName == +PykLexer::UNICODE_NAME && kNumber == +PykLexer::NUMBER);
static_assert(kString == +PykLexer::STRING && kUnterminatedString == +PykLexer::UNTERMINATED_STRING);
static_assert(kUnterminatedTriple == +PykLexer::UNTERMINATED_TRIPLE && kBad == +PykLexer::BAD);

using Tree = antlr4::tree::ParseTree;

/// A Token with ANTLR's interface. Places are byte offsets; text is never copied out.
class ParserToken final : public antlr4::Token {
  public:
    ParserToken(const syntax::Token& token, size_t index) : token_(token), index_(index) {}
    const syntax::Token& token() const { return token_; }

    size_t getType() const override { return token_.kind == kEndOfFile ? EOF : token_.kind; }
    size_t getTokenIndex() const override { return index_; }
    size_t getStartIndex() const override { return token_.begin; }
    size_t getStopIndex() const override { return token_.end - 1; }
    size_t getChannel() const override { return DEFAULT_CHANNEL; }
    size_t getLine() const override { return 0; }
    size_t getCharPositionInLine() const override { return 0; }
    antlr4::TokenSource* getTokenSource() const override { return nullptr; }
    antlr4::CharStream* getInputStream() const override { return nullptr; }
    std::string getText() const override { return {}; }
    std::string toString() const override { return {}; }

  private:
    syntax::Token token_;
    size_t index_;
};

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

/// The laid-out tokens as the parser sees them. The last one is the end of the file.
class TokenVector final : public antlr4::TokenStream {
  public:
    explicit TokenVector(const std::vector<syntax::Token>& tokens) {
        tokens_.reserve(tokens.size());
        for (const syntax::Token& t : tokens) tokens_.emplace_back(t, tokens_.size());
    }

    antlr4::Token* LT(ssize_t k) override {
        const size_t i = at_ + static_cast<size_t>(k > 0 ? k - 1 : k);
        return &tokens_[i < tokens_.size() ? i : tokens_.size() - 1];
    }
    antlr4::Token* get(size_t i) const override { return const_cast<ParserToken*>(&tokens_[i]); }
    size_t LA(ssize_t k) override { return static_cast<ParserToken*>(LT(k))->getType(); }
    void consume() override { at_ += at_ + 1 < tokens_.size(); }
    ssize_t mark() override { return 0; }
    void release(ssize_t) override {}
    size_t index() override { return at_; }
    void seek(size_t at) override { at_ = at; }
    size_t size() override { return tokens_.size(); }
    std::string getSourceName() const override { return {}; }
    antlr4::TokenSource* getTokenSource() const override { return nullptr; }
    std::string getText(const antlr4::misc::Interval&) override { return {}; }
    std::string getText() override { return {}; }
    std::string getText(antlr4::RuleContext*) override { return {}; }
    std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }

  private:
    std::vector<ParserToken> tokens_;
    size_t at_ = 0;
};

}  // namespace pyk::syntax
