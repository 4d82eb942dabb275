// What integers of a function are to each other at one point of it, as difference constraints: `a - b >= least`. Guards
// say so (`if t >= step:` for `s[t - step]`, `if i < n:` for `a[n - 1 - i]`, `if x + d >= 0:` for `a[x + d]`), loops of
// their counters, and assignments.
#pragma once

#include <optional>
#include <vector>

#include "ir/ir.h"
#include "passes/interval.h"
#include "passes/local_set.h"
#include "support/shared_vector.h"

namespace pyk {

/// An integer that stays what it is until its local is assigned: a local's value, an extent of an array in a local, or
/// a place of the thread, such as `cuda.threadIdx.x`.
struct Term {
    static constexpr int kValue = -1, kSize = -2;

    const Builtin* builtin = nullptr;
    ir::LocalId local{};
    int part = kValue;        ///< of the local: its value, an axis, or the number of elements
    bool is_negated = false;  ///< what is known of a sum is known of the difference of one and minus the other

    bool operator==(const Term&) const = default;
    bool is_of(ir::LocalId id) const { return !builtin && local == id; }
};

/// `term + plus`.
struct Offset {
    Term term;
    Wide plus = 0;

    Offset operator-() const {
        Offset result{term, -plus};
        result.term.is_negated = !term.is_negated;
        return result;
    }
};

class Differences {
  public:
    /// a - b >= least.
    void assume(const Offset& a, const Offset& b, Wide least);
    /// The local becomes `value`; nullopt: something that nothing is known of.
    void assign(ir::LocalId local, const std::optional<Offset>& value);
    void forget(const LocalSet& assigned);
    /// Control comes from there as well.
    void join(const Differences& other);

    /// The greatest bound below a - b that follows; nullopt: none does.
    std::optional<Wide> least(const Offset& a, const Offset& b) const;
    bool knows_sums() const;

  private:
    struct Constraint {
        Term a, b;
        Wide least;
    };
    /// The oldest are let go: what a query and a copy cost does not grow with the function.
    static constexpr size_t kMost = 24;

    template <typename Predicate>
    void remove_if(const Predicate& predicate);

    Shared<std::vector<Constraint>> constraints_;
};

}  // namespace pyk
