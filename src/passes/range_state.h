// What the range analysis knows at one point of a function: an interval for each local, and differences of some.
#pragma once

#include "ir/ir.h"
#include "passes/differences.h"
#include "passes/interval.h"
#include "support/shared_vector.h"

namespace pyk {

/// What a sum adds to its left operand: a small number, so that it does not wrap. nullopt: something else, or no sum.
std::optional<Wide> small_addend(const ir::Module& module, const ir::Binary& sum, Type type);

/// Where an integer is not negative: where that term, an extent, is not 0; nullopt: everywhere. `min(i, n - 1)` is a
/// place in any axis of n elements.
using Place = std::optional<Term>;

/// What a branch costs depends on what it writes, not on how many locals there are.
class RangeState {
  public:
    bool reachable = true;

    void add(const Interval& interval) { intervals_.push_back(interval); }
    size_t size() const { return intervals_.size(); }
    const Interval& operator[](ir::LocalId id) const { return intervals_[static_cast<size_t>(id)]; }
    /// A condition says more of it.
    void set(ir::LocalId id, const Interval& interval);
    /// It becomes something else; `value`: what that is, if it is known.
    void assign(ir::LocalId id, const Interval& interval, const std::optional<Offset>& value = std::nullopt);
    /// Locals that a loop or a handled block assigns are not what they were to others.
    void forget_differences(const LocalSet& assigned);
    /// `expr` as a term and a number; nullopt: it is none, or may have wrapped.
    std::optional<Offset> offset_of(const ir::Module& module, const ir::Expr& expr) const;
    void assume_difference(const Offset& a, const Offset& b, Wide least) { differences_.assume(a, b, least); }
    /// What is assigned to the local is such a place.
    void assume_place(ir::LocalId id, const Term& extent);
    /// Of a local; nullopt: it may be negative.
    std::optional<Place> place_of(ir::LocalId id) const;
    Interval values_of(const Offset& offset) const;
    /// What a - b can be, by what is known of the two.
    Interval difference(const Offset& a, const Offset& b) const;
    bool knows_sums() const { return differences_.knows_sums(); }
    bool has_same_locals(const RangeState& other) const { return intervals_ == other.intervals_; }

    /// Control comes from there as well.
    void join(const RangeState& other);
    /// As a loop's head that was `before`: bounds that moved are let go, so that the analysis ends.
    /// `counters`: locals that nobody counts further than a place in memory.
    void widen(const RangeState& before, const ir::Function& function, const LocalSet& counters);
    /// As a stable head that bounds were let go for: `x = f(x) % 8` leaves less than that, whatever x was. `entry`:
    /// what the loop begins with; `end`: what its body leaves. Whether that changed anything.
    bool tighten(const RangeState& entry, const RangeState& end);

  private:
    struct PlacedLocal {
        ir::LocalId local;
        Term extent;
    };
    using Intervals = SharedVector<Interval, 16>;

    template <typename Visit>
    void for_each_other(const RangeState& other, const Visit& visit);
    void join_places(const RangeState& other);
    template <typename Predicate>
    void forget_places(const Predicate& is_assigned);

    Intervals intervals_;
    Differences differences_;
    Shared<std::vector<PlacedLocal>> places_;
};

}  // namespace pyk
