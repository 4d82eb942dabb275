// What the generated parser derives from: ANTLR's parser, with parse trees that are cheap to make. Rules of the
// generated code find these members before those of antlr4::Parser, which ask at run time what a context is (all are of
// rules), allocate each node and wrap each rule's end in a std::function: half of the time of parsing.
#pragma once

#include <antlr4-runtime.h>

#include <memory_resource>
#include <vector>

namespace pyk::syntax {

/// The nodes of one parse tree, one behind the other in memory.
class TreeArena {
  public:
    TreeArena() = default;
    TreeArena(const TreeArena&) = delete;
    TreeArena& operator=(const TreeArena&) = delete;
    ~TreeArena() { reset(); }

    template <typename Node, typename... Args>
    Node* createInstance(Args... args) {
        auto* node = new (memory_.allocate(sizeof(Node), alignof(Node))) Node(args...);
        nodes_.push_back(node);
        return node;
    }
    void reset() {
        for (antlr4::tree::ParseTree* node : nodes_) std::destroy_at(node);
        nodes_.clear();
        memory_.release();
    }

  private:
    std::pmr::monotonic_buffer_resource memory_;
    std::vector<antlr4::tree::ParseTree*> nodes_;
};

/// Never recovers from errors and has no listeners.
class TreeParser : public antlr4::Parser {
  public:
    using Parser::Parser;

    void reset() override {
        _tracker.reset();
        Parser::reset();
    }
    antlr4::Token* consume() override {
        antlr4::Token* token = _input->LT(1);
        if (token->getType() != antlr4::Token::EOF) _input->consume();
        auto* leaf = _tracker.createInstance<antlr4::tree::TerminalNodeImpl>(token);
        _ctx->addChild(static_cast<antlr4::tree::TerminalNode*>(leaf));
        return token;
    }

  protected:
    static antlr4::ParserRuleContext* parent_of(const antlr4::ParserRuleContext& context) {
        return static_cast<antlr4::ParserRuleContext*>(context.parent);
    }
    void addContextToParseTree() override {
        constexpr size_t kChildren = 4;  // few have more
        _ctx->children.reserve(kChildren);
        if (_ctx->parent) parent_of(*_ctx)->addChild(static_cast<antlr4::RuleContext*>(_ctx));
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

    TreeArena _tracker;
};

}  // namespace pyk::syntax
