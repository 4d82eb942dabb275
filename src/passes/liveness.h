// Which locals may be read after a loop before they are assigned anew. A backward analysis over structured IR; nested
// loops cost a visit each per level, not a power of it.
#pragma once

#include <unordered_map>

#include "passes/local_set.h"

namespace pyk {

class Liveness {
  public:
    explicit Liveness(const ir::Function& function);

    /// Whether a loop leaves a value of the local that something outside of its body reads: its `orelse`, what comes
    /// after it, an iteration of a loop around it.
    bool live_after(const ir::Stmt& loop, ir::LocalId id) const { return after_loops_.at(&loop).contains(id); }
    /// Whether the function may read the local before it assigns it.
    bool live_at_entry(ir::LocalId id) const { return at_entry_.contains(id); }

  private:
    friend class LivenessBuilder;
    std::unordered_map<const ir::Stmt*, LocalSet> after_loops_;
    LocalSet at_entry_;
};

}  // namespace pyk
