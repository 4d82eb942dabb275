// What the iterations of a loop have to do with one another: what they build up together, and what one reads that
// another may have assigned.
#pragma once

#include <optional>
#include <set>

#include "ir/ir.h"

namespace pyk::ir {

/// The one operation by which a loop's body builds a local up (`a = a + x`, `a = max(a, x)` and their like, where `x`
/// does not need `a`); nullopt: it does more with it, or something else.
std::optional<ReductionKind> reduction_in(const Block& body, LocalId id);

/// At least one iteration runs, and all to their end: `for j in range(1)`.
bool surely_completes(const ForRange& loop);

/// What a block may read before it assigns it.
class Exposed {
  public:
    explicit Exposed(const Block& block);
    bool reads(LocalId id) const { return found_.contains(id); }

  private:
    void read(const Stmt& stmt, const std::set<LocalId>& assigned);
    void walk(const Block& block, std::set<LocalId>& assigned);

    std::set<LocalId> found_;
};

}  // namespace pyk::ir
