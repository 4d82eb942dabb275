// Which names a function assigns, and where their values are still wanted. Phis are made only where a value is live, as
// in Numba: a name that nobody reads again may have any types.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/name_hash.h"
#include "syntax/ast.h"

namespace pyk {

/// A set of a function's local names, by index. One of none or all of them, as most are, takes no memory.
class NameSet {
  public:
    explicit NameSet(size_t size = 0) : size_((size + 63) / 64) {}
    void add(uint32_t i) {
        if (!is_all()) words()[i / 64] |= uint64_t(1) << (i % 64);
    }
    void remove(uint32_t i) {
        if (!is_none()) words()[i / 64] &= ~(uint64_t(1) << (i % 64));
    }
    bool contains(uint32_t i) const { return words_.empty() ? has_all_ : (words_[i / 64] >> (i % 64)) & 1; }
    NameSet& operator|=(const NameSet& other);
    NameSet& operator&=(const NameSet& other);
    NameSet& operator-=(const NameSet& other);
    void fill() { words_.clear(), has_all_ = true; }
    /// In order. Not of all names.
    template <typename Visit>
    void for_each(const Visit& visit) const {
        for (size_t word = 0; word < words_.size(); ++word)
            for (uint64_t left = words_[word]; left != 0; left &= left - 1)
                visit(static_cast<uint32_t>(word * 64 + static_cast<size_t>(std::countr_zero(left))));
    }

  private:
    bool is_none() const { return words_.empty() && !has_all_; }
    bool is_all() const { return words_.empty() && has_all_; }
    std::vector<uint64_t>& words() {
        if (words_.empty()) words_.assign(size_, has_all_ ? ~uint64_t(0) : 0);
        return words_;
    }
    void clear() { words_.clear(), has_all_ = false; }

    size_t size_;                  ///< in words
    bool has_all_ = false;         ///< where there are no words
    std::vector<uint64_t> words_;  ///< empty: none or all
};

/// What is live around a statement that control flow joins at.
struct JoinLiveness {
    NameSet after;     ///< behind the statement
    NameSet header;    ///< of a loop: before each iteration; of a `try`: after an error
    NameSet repeated;  ///< of a loop: the same, where it is known that an iteration follows
    NameSet assigned;  ///< of a loop: what its test, target and body assign; of a `try`: what it assigns
    bool has_continue = false, has_break = false;  ///< of a loop: its body has such a jump of this loop's
};

/// The local names of a function (parameters first, then everything assigned), and liveness at its joins.
class Names {
  public:
    /// `captures`: parameters behind its own.
    explicit Names(const ast::FunctionDef& def, std::span<const std::string_view> captures = {});

    size_t count() const { return names_.size(); }
    std::string_view name(uint32_t index) const { return names_[index]; }
    /// The index of a local name, or nullopt for a name that the function does not assign.
    std::optional<uint32_t> index(std::string_view name) const;
    const JoinLiveness& at(const ast::Stmt& stmt) const { return joins_.at(&stmt); }
    /// From here on the names of a comprehension are its own; gives back what they were.
    std::vector<std::pair<std::string_view, std::optional<uint32_t>>> open(const ast::ListComp& comprehension);
    void close(std::span<const std::pair<std::string_view, std::optional<uint32_t>>> shadowed);
    /// Whether an expression of the function assigns (`:=`).
    bool has_walrus() const { return has_walrus_; }

  private:
    friend class LivenessWalk;
    std::vector<std::string_view> names_;
    std::unordered_map<std::string_view, uint32_t, NameHash> indices_;
    std::unordered_map<const ast::Stmt*, JoinLiveness> joins_;
    std::map<std::pair<const ast::ListComp*, std::string_view>, uint32_t> of_comprehensions_;
    bool has_walrus_ = false;
};

}  // namespace pyk
