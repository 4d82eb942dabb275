// What names of arrays stand for, where each is assigned once.
#pragma once

#include <map>

#include "ir/ir.h"

namespace pyk {

class NamedArrays {
  public:
    NamedArrays(const ir::Module& module, const ir::Function& function);

    /// Whether they are parts of one array, and not seen to be the same part.
    bool are_different_parts(const ir::Expr& a, const ir::Expr& b) const;

  private:
    ir::ExprPtr expanded(const ir::Expr& array) const;

    const ir::Module& module_;
    const ir::Function& function_;
    std::map<ir::LocalId, const ir::Expr*> values_;
};

}  // namespace pyk
