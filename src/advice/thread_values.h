// What surely differs between the threads of a block, before IR is raised.
#pragma once

#include <vector>

#include "ir/ir.h"

namespace pyk {

/// Of one function, whose parameters are taken to be the same for all threads. What is not known does not differ: not
/// what other functions return, what `//` leaves over, or a local that some path gives a common value.
class ThreadValues {
  public:
    explicit ThreadValues(const ir::Function& function);

    bool differs(const ir::Expr& expr) const;
    bool differs(const std::vector<ir::Index>& indices) const;

  private:
    bool differs(const ir::Binary& binary) const;

    const ir::Function& function_;
    std::vector<bool> differing_;  ///< by local
};

}  // namespace pyk
