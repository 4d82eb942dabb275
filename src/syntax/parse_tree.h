// The parser's trees, which the Builder reads: half of what ANTLR's own cost is lists of children on the heap, leaves
// and destructors, which these do without.
#pragma once

#include <antlr4-runtime.h>

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "syntax/arena.h"
#include "syntax/token_vector.h"

namespace pyk::syntax {

class RuleTree;

/// A token, or what a rule matched. Null: neither.
class Tree {
  public:
    Tree(std::nullptr_t = nullptr) {}
    explicit Tree(const ParserToken& token) : bits_(reinterpret_cast<std::uintptr_t>(&token) | kIsToken) {}
    explicit Tree(const RuleTree& rule) : bits_(reinterpret_cast<std::uintptr_t>(&rule)) {}

    explicit operator bool() const { return bits_ != 0; }
    bool is_token() const { return bits_ & kIsToken; }
    const Token& token() const { return reinterpret_cast<const ParserToken*>(bits_ - kIsToken)->token(); }
    const RuleTree& rule() const { return *reinterpret_cast<const RuleTree*>(bits_); }

  private:
    static constexpr std::uintptr_t kIsToken = 1;  // free in the address of either

    std::uintptr_t bits_ = 0;
};

/// The contexts of the generated code, which are RuleTrees by the grammar's `contextSuperClass`. ANTLR's part of them
/// is what its prediction asks for.
class RuleTree : public antlr4::ParserRuleContext {
  public:
    using ParserRuleContext::ParserRuleContext;

    std::span<const Tree> parts;  ///< once the rule has ended
    size_t index = 0;             ///< of the rule
    size_t first_part = 0;        ///< until it has ended: where its parts are on the parser's stack
};

/// The memory of the parser's trees, as the generated code asks for it. What ANTLR's contexts could own stays empty.
class TreeArena : public Arena {
  public:
    template <typename Node, typename... Args>
    Node* createInstance(Args... args) {
        static_assert(std::is_base_of_v<RuleTree, Node>);
        return new (allocate(sizeof(Node), alignof(Node))) Node(args...);
    }
    std::span<const Tree> copy(std::span<const Tree> trees) {
        auto* const begin = static_cast<Tree*>(allocate(trees.size_bytes(), alignof(Tree)));
        std::uninitialized_copy(trees.begin(), trees.end(), begin);
        return {begin, trees.size()};
    }
};

}  // namespace pyk::syntax
