// The parser's trees, which the Builder reads: half of what ANTLR's own cost is lists of children on the heap, leaves
// and destructors, which these do without.
#pragma once

#include <antlr4-runtime.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

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

/// The memory of trees, one node behind the other. The last ones go first, without destructors: what ANTLR's contexts
/// could own stays empty.
class TreeArena {
  public:
    /// The nodes that there are at some time.
    struct Mark {
        size_t chunks = 0;
        char* next = nullptr;
    };

    template <typename Node, typename... Args>
    Node* createInstance(Args... args) {
        static_assert(std::is_base_of_v<RuleTree, Node>);
        return new (place_for(sizeof(Node))) Node(args...);
    }
    std::span<const Tree> copy(std::span<const Tree> trees) {
        auto* const begin = static_cast<Tree*>(place_for(trees.size_bytes()));
        std::uninitialized_copy(trees.begin(), trees.end(), begin);
        return {begin, trees.size()};
    }
    Mark mark() const { return {used_, next_}; }
    /// Their memory is used again.
    void free_behind(const Mark& mark) {
        used_ = mark.chunks;
        next_ = mark.next;
        end_ = used_ > 0 ? chunks_[used_ - 1].end() : nullptr;
    }

  private:
    static constexpr size_t kChunk = size_t{16} << 10, kAlignment = alignof(std::max_align_t);
    struct Chunk {
        std::unique_ptr<char[]> begin;
        size_t size;

        char* end() const { return begin.get() + size; }
    };

    std::vector<Chunk> chunks_;
    size_t used_ = 0;  ///< of the chunks, the last one up to `next_`
    char *next_ = nullptr, *end_ = nullptr;

    void* place_for(size_t size) {
        size = (size + kAlignment - 1) / kAlignment * kAlignment;
        if (static_cast<size_t>(end_ - next_) < size) open_chunk(size);
        return std::exchange(next_, next_ + size);
    }
    void open_chunk(size_t least) {
        if (used_ == chunks_.size() || chunks_[used_].size < least) {
            const size_t size = std::max(least, kChunk);
            chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(used_),
                           {std::make_unique_for_overwrite<char[]>(size), size});
        }
        next_ = chunks_[used_].begin.get();
        end_ = chunks_[used_++].end();
    }
};

}  // namespace pyk::syntax
