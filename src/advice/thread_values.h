// What surely differs between the threads of a block, before IR is raised.
#pragma once

#include <vector>

#include "ir/ir.h"

namespace pyk {

/// Of one function. What is not known does not differ: not what `//` leaves over, nor a local that some path gives a
/// common value.
class ThreadValues {
  public:
    /// Parameters are the same for all threads.
    ThreadValues(const ir::Module& module, const ir::Function& function);

    bool differs(const ir::Expr& expr) const;
    bool differs(const std::vector<ir::Index>& indices) const;

  private:
    /// `differing`: its parameters, in order; `depth`: of calls that lead to it.
    ThreadValues(const ir::Module& module, const ir::Function& function, const std::vector<bool>& differing, int depth);

    bool differs(const ir::Binary& binary) const;
    bool differs(const ir::Call& call) const;

    const ir::Module& module_;
    const ir::Function& function_;
    int depth_;
    std::vector<bool> differing_;  ///< by local
};

}  // namespace pyk
