// What becomes of float64 values, which may say whether they are meant.
#pragma once

#include <set>

#include "ir/ir.h"

namespace pyk {

class Float64Uses {
  public:
    explicit Float64Uses(const ir::Function& function);

    /// It becomes an element of type float64.
    bool is_stored(const ir::Expr& expr) const { return stored_.contains(&expr); }
    /// It becomes a float32 at once.
    bool is_narrowed(const ir::Expr& expr) const { return narrowed_.contains(&expr); }
    /// It becomes an integer, `int(u * n)`: above 2 ** 24 another one in float32. Or it must be equal to something.
    bool is_counted(const ir::Expr& expr) const { return counted_.contains(&expr); }

  private:
    using Exprs = std::set<const ir::Expr*>;
    static void add(const ir::Expr& whole, Exprs& to);
    void look_at(const ir::Expr& expr);

    Exprs stored_, narrowed_, counted_;
};

}  // namespace pyk
