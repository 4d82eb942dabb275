// Which arrays a function never writes through: their elements may be `const` in the emitted text.
#pragma once

#include <span>
#include <vector>

#include "ir/mentions.h"

namespace pyk {

/// Bottom-up over a module. A local is written through if an element of it is stored to or is given to a builtin or a
/// callee that writes it, or if an array that may be (a part of) it is: by assignment, view, selection, in a tuple, or
/// returned.
class Constness {
  public:
    /// `makes_arrays`: as passes/new_arrays.h says it.
    Constness(const ir::Module& module, std::span<const ir::Mentions> mentions, bool makes_arrays);

    bool read_only(ir::FunctionId function, ir::LocalId local) const {
        return !written_[static_cast<size_t>(function)][static_cast<size_t>(local)];
    }

  private:
    friend class ConstnessAnalysis;
    std::vector<std::vector<bool>> written_;
};

}  // namespace pyk
