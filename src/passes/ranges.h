// Value ranges: for every integer expression of a function an interval that holds each value that it can have there.
//
// Flow-sensitive over structured control flow: conditions narrow the locals that they compare (`if i < n`, guards that
// return early, `and`/`or`), loops are iterated to a fixed point with widening. Facts about launches come from
// builtin_ranges.def; extents are not negative. Nothing is known of what is in memory. Signed overflow is taken not to
// happen, see Interval.
#pragma once

#include "ir/ir.h"
#include "passes/interval.h"
#include "support/address_map.h"

namespace pyk {

class Ranges {
  public:
    Ranges() = default;  ///< nothing but what types allow
    Ranges(const ir::Module& module, const ir::Function& function);

    /// Of an expression of the function as it was analysed, and of a constant; of any other, what its type allows.
    Interval of(const ir::Expr& expr) const;
    /// Of an expression that is another one now.
    void set(const ir::Expr& expr, const Interval& interval) { known_.set(&expr, interval); }
    bool never_negative(const ir::Expr& expr) const { return of(expr).lo >= 0; }
    /// An index that is not negative where its axis has elements: `min(i, n - 1)` in one of `n`. (In an axis of none
    /// it is out of range as it is.)
    bool is_place(const ir::Index& index) const {
        return never_negative(*index.value) || places_.find(index.value.get());
    }

  private:
    friend class RangeAnalysis;
    AddressMap<ir::Expr, Interval> known_;
    AddressMap<ir::Expr, bool> places_;
};

/// An integer in another type, `values` known of it. The node stays what it was, at its address, which `ranges` knows
/// it by.
void convert_known(ir::ExprPtr& expr, Type type, const Interval& values, Ranges& ranges);

}  // namespace pyk
