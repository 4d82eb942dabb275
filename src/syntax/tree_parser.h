// What the generated parser derives from: ANTLR's parser, with parse trees that are cheap to make. Rules of the
// generated code find these members before those of antlr4::Parser, which ask at run time what a context is (all are of
// rules), allocate each node and wrap each rule's end in a std::function: half of the time of parsing.
#pragma once

#include <antlr4-runtime.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "syntax/ast.h"
#include "syntax/token_vector.h"

namespace pyk::syntax {

/// The nodes of parse trees, one behind the other in memory. The last ones go first.
class TreeArena {
  public:
    /// The nodes that there are at some time.
    struct Mark {
        size_t nodes = 0, chunks = 0;
        char* next = nullptr;
    };

    TreeArena() = default;
    TreeArena(const TreeArena&) = delete;
    TreeArena& operator=(const TreeArena&) = delete;
    ~TreeArena() { free_behind({}); }

    template <typename Node, typename... Args>
    Node* createInstance(Args... args) {
        static_assert(sizeof(Node) <= kChunk && alignof(Node) <= kAlignment);
        auto* node = new (place_for((sizeof(Node) + kAlignment - 1) / kAlignment * kAlignment)) Node(args...);
        nodes_.push_back(node);
        return node;
    }
    Mark mark() const { return {nodes_.size(), used_, next_}; }
    /// Their memory is used again.
    void free_behind(const Mark& mark) {
        while (nodes_.size() > mark.nodes) {
            std::destroy_at(nodes_.back());
            nodes_.pop_back();
        }
        used_ = mark.chunks;
        next_ = mark.next;
    }

  private:
    static constexpr size_t kChunk = size_t{16} << 10, kAlignment = alignof(std::max_align_t);

    std::vector<std::unique_ptr<char[]>> chunks_;
    size_t used_ = 0;       ///< of the chunks, the last one up to `next_`
    char* next_ = nullptr;  ///< null: none is used
    std::vector<antlr4::tree::ParseTree*> nodes_;

    char* place_for(size_t size) {
        if (!next_ || static_cast<size_t>(chunks_[used_ - 1].get() + kChunk - next_) < size) {
            if (used_ == chunks_.size()) chunks_.push_back(std::make_unique_for_overwrite<char[]>(kChunk));
            next_ = chunks_[used_++].get();
        }
        return std::exchange(next_, next_ + size);
    }
};

/// Never recovers from errors and has no listeners. Functions of antlr4::Parser that rules call for each token are
/// final here, and so inlined.
class TreeParser : public antlr4::Parser {
  public:
    /// What is kept of a statement, or of those of a line.
    using Made = ast::Block;

    explicit TreeParser(antlr4::TokenStream* tokens) : Parser(tokens), _input(static_cast<TokenVector*>(tokens)) {}

    void reset() override {
        _tracker.free_behind({});
        Parser::reset();
    }
    antlr4::Token* consume() final {
        ParserToken& token = _input->current();
        if (token.getType() != antlr4::Token::EOF) _input->consume();
        auto* leaf = _tracker.createInstance<antlr4::tree::TerminalNodeImpl>(&token);
        leaf->parent = _ctx;
        _ctx->children.push_back(leaf);
        return &token;
    }
    antlr4::Token* match(size_t kind) final {
        if (_input->current().getType() != kind) stop(&_input->current());
        _matchedEOF = _matchedEOF || kind == antlr4::Token::EOF;
        return consume();
    }
    void enterRule(antlr4::ParserRuleContext* context, size_t state, size_t) final {
        if (outermost_ - stack_address() > kDeepest) refuse_depth(_input->current());
        setState(state);
        _ctx = context;
        _ctx->start = &_input->current();
        constexpr size_t kChildren = 4;  // few have more
        _ctx->children.reserve(kChildren);
        if (_ctx->parent) parent_of(*_ctx)->children.push_back(_ctx);
    }
    void enterOuterAlt(antlr4::ParserRuleContext*, size_t) final {}

  protected:
    /// At a token that no rule takes. Throws.
    [[noreturn]] virtual void stop(antlr4::Token* token) = 0;
    /// At a token behind which the stack might not do. Throws.
    [[noreturn]] virtual void refuse_depth(const ParserToken& token) = 0;
    /// Of a statement's tree.
    virtual Made make(antlr4::ParserRuleContext* statement) = 0;

    /// At the end of the rule `stmt`: what is made of its tree, in place of the tree.
    template <typename Statement>
    void fold(Statement* statement, const TreeArena::Mark& tree) {
        statement->made = make(statement);
        statement->children.clear();
        _tracker.free_behind(tree);
    }

    static antlr4::ParserRuleContext* parent_of(const antlr4::ParserRuleContext& context) {
        return static_cast<antlr4::ParserRuleContext*>(context.parent);
    }
    void exitRule() {
        _ctx->stop = _input->LT(_matchedEOF ? 1 : -1);
        setState(_ctx->invokingState);
        _ctx = parent_of(*_ctx);
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
    static constexpr std::uintptr_t kDeepest = std::uintptr_t{8} << 20;

    static std::uintptr_t stack_address() { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); }

    const std::uintptr_t outermost_ = stack_address();
};

}  // namespace pyk::syntax
