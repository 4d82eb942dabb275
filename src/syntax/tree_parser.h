// What the generated parser derives from: ANTLR's parser, with parse trees that are cheap to make. Rules of the
// generated code find these members before those of antlr4::Parser, which ask at run time what a context is (all are of
// rules), allocate each node and wrap each rule's end in a std::function: half of the time of parsing.
#pragma once

#include <antlr4-runtime.h>

#include <cstdint>
#include <vector>

#include "syntax/ast.h"
#include "syntax/parse_tree.h"

namespace pyk::syntax {

/// Never recovers from errors and has no listeners. Functions of antlr4::Parser that rules call for each token are
/// final here, and so inlined.
class TreeParser : public antlr4::Parser {
  public:
    /// What is kept of a statement, or of those of a line.
    using Made = ast::Block;

    explicit TreeParser(antlr4::TokenStream* tokens) : Parser(tokens), _input(static_cast<TokenVector*>(tokens)) {}

    void reset() override {
        _tracker.free_behind({});
        parts_.clear();
        Parser::reset();
    }
    antlr4::Token* consume() final {
        ParserToken& token = _input->current();
        if (token.getType() != antlr4::Token::EOF) _input->consume();
        parts_.emplace_back(token);
        return &token;
    }
    antlr4::Token* match(size_t kind) final {
        if (_input->current().getType() != kind) stop(&_input->current());
        _matchedEOF = _matchedEOF || kind == antlr4::Token::EOF;
        return consume();
    }
    void enterRule(antlr4::ParserRuleContext* context, size_t state, size_t index) final {
        if (stack_used() > kDeepest) refuse_depth(_input->current());
        setState(state);
        _ctx = context;
        _ctx->start = &_input->current();
        opened().index = index;
        opened().first_part = parts_.size();
    }
    void enterOuterAlt(antlr4::ParserRuleContext*, size_t) final {}

  protected:
    /// At a token that no rule takes. Throws.
    [[noreturn]] virtual void stop(antlr4::Token* token) = 0;
    /// At a token behind which the stack might not do. Throws.
    [[noreturn]] virtual void refuse_depth(const ParserToken& token) = 0;
    /// Of a statement's tree.
    virtual Made make(const RuleTree& statement) = 0;

    /// At the end of the rule `stmt`: what is made of its tree, in place of the tree.
    template <typename Statement>
    void fold(Statement* statement, const TreeArena::Mark& tree) {
        statement->parts = own_parts();
        statement->made = make(*statement);
        parts_.resize(statement->first_part);
        _tracker.free_behind(tree);
    }

    void exitRule() {
        RuleTree& rule = opened();
        rule.stop = _input->LT(_matchedEOF ? 1 : -1);
        rule.parts = _tracker.copy(own_parts());
        parts_.resize(rule.first_part);
        setState(rule.invokingState);
        _ctx = static_cast<antlr4::ParserRuleContext*>(rule.parent);
        if (_ctx) parts_.emplace_back(rule);
    }

    /// Runs `act` at the end of the scope.
    template <typename Act>
    static auto finally(Act act) {
        struct AtEnd {
            Act act;
            ~AtEnd() { act(); }
        };
        return AtEnd{act};
    }

    /// What rules know as their error strategy.
    class Errors {
      public:
        explicit Errors(TreeParser& parser) : parser_(parser) {}
        Errors* operator->() { return this; }
        void sync(antlr4::Parser*) {}
        void reportMatch(antlr4::Parser*) {}
        void recoverInline(antlr4::Parser*) { parser_.stop(&parser_._input->current()); }
        void reportError(antlr4::Parser*, const antlr4::RecognitionException& e) {
            parser_.stop(e.getOffendingToken());
        }
        void recover(antlr4::Parser*, const std::exception_ptr&) {}

      private:
        TreeParser& parser_;
    };

    TreeArena _tracker;
    TokenVector* _input;
    Errors _errHandler{*this};

  private:
    /// Deeper than any program that the limits on nesting let pass, in bytes of stack.
    static constexpr std::ptrdiff_t kDeepest = std::ptrdiff_t{8} << 20;

    RuleTree& opened() { return static_cast<RuleTree&>(*_ctx); }
    /// Of the innermost open rule.
    std::span<const Tree> own_parts() { return std::span(parts_).subspan(opened().first_part); }

    static std::uintptr_t stack_address() { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); }
    /// Since the parser was made. Less than none where that was deeper, as compilers inline.
    std::ptrdiff_t stack_used() const { return static_cast<std::ptrdiff_t>(outermost_ - stack_address()); }

    std::vector<Tree> parts_;  ///< of the rules that are open, those of the outermost first
    const std::uintptr_t outermost_ = stack_address();
};

}  // namespace pyk::syntax
