// A set of a function's locals.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/ir.h"

namespace pyk {

class LocalSet {
  public:
    LocalSet() = default;
    explicit LocalSet(const ir::Function& function) : words_((function.locals.size() + 63) / 64) {}

    bool contains(ir::LocalId id) const { return word_of(id) & bit_of(id); }
    void insert(ir::LocalId id) { words_[index_of(id)] |= bit_of(id); }
    void erase(ir::LocalId id) { words_[index_of(id)] &= ~bit_of(id); }
    void erase(const LocalSet& other) {
        for (size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    }
    void insert(const LocalSet& other) {
        for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    }

  private:
    static size_t index_of(ir::LocalId id) { return static_cast<size_t>(id) / 64; }
    static uint64_t bit_of(ir::LocalId id) { return uint64_t{1} << static_cast<size_t>(id) % 64; }
    uint64_t word_of(ir::LocalId id) const { return words_[index_of(id)]; }

    std::vector<uint64_t> words_;
};

}  // namespace pyk
