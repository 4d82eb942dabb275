// A set of a function's locals.
#pragma once

#include <vector>

#include "ir/ir.h"

namespace pyk {

class LocalSet {
  public:
    LocalSet() = default;
    explicit LocalSet(const ir::Function& function) : bits_(function.locals.size()) {}

    bool contains(ir::LocalId id) const { return bits_[static_cast<size_t>(id)]; }
    void insert(ir::LocalId id) { bits_[static_cast<size_t>(id)] = true; }
    void erase(ir::LocalId id) { bits_[static_cast<size_t>(id)] = false; }
    void insert(const LocalSet& other) {
        for (size_t i = 0; i < bits_.size(); ++i)
            if (other.bits_[i]) bits_[i] = true;
    }

  private:
    std::vector<bool> bits_;
};

}  // namespace pyk
