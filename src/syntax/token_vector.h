// The laid-out tokens with ANTLR's interface.
#pragma once

#include <antlr4-runtime.h>

#include <string>
#include <vector>

#include "syntax/token.h"

namespace pyk::syntax {

/// A Token with ANTLR's interface. Places are byte offsets; text is never copied out.
class ParserToken final : public antlr4::Token {
  public:
    ParserToken(const syntax::Token& token, size_t index) : token_(token), index_(static_cast<uint32_t>(index)) {}
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
    uint32_t index_;
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
    ParserToken& current() { return tokens_[at_]; }
    antlr4::Token* get(size_t i) const override { return const_cast<ParserToken*>(&tokens_[i]); }
    size_t LA(ssize_t k) override { return k == 1 ? current().getType() : LT(k)->getType(); }
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
