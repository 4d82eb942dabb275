// What the range analysis knows at one point of a function: an interval for each local.
#pragma once

#include "ir/ir.h"
#include "passes/interval.h"
#include "support/shared_vector.h"

namespace pyk {

/// What a branch costs depends on what it writes, not on how many locals there are.
class RangeState {
  public:
    bool reachable = true;

    void add(const Interval& interval) { intervals_.push_back(interval); }
    size_t size() const { return intervals_.size(); }
    const Interval& operator[](ir::LocalId id) const { return intervals_[static_cast<size_t>(id)]; }
    void set(ir::LocalId id, const Interval& interval);
    bool has_same_locals(const RangeState& other) const { return intervals_ == other.intervals_; }

    /// Control comes from there as well.
    void join(const RangeState& other);
    /// As a loop's head that was `before`: bounds that moved are let go, so that the analysis ends.
    void widen(const RangeState& before, const ir::Function& function);

  private:
    using Intervals = SharedVector<Interval, 16>;

    template <typename Visit>
    void for_each_other(const RangeState& other, const Visit& visit);

    Intervals intervals_;
};

}  // namespace pyk
