// How loops around a statement count, and what variables are in their rounds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "advice/thread_variables.h"

namespace pyk {

/// One that counts from the same number in all threads, or by ones from the thread's own.
struct CountingLoop {
    ir::LocalId counter;
    int64_t step;
    int64_t rounds;  ///< INT64_MAX: unknown
};

class CountingLoops {
  public:
    CountingLoops(const ir::Module& module, const ThreadVariables& variables);

    /// What follows is in the loop's body, until `leave`.
    void enter(const ir::ForRange& loop);
    void leave();

    /// Those around the statement in which threads do not wait for each other.
    const std::vector<CountingLoop>& around() const { return around_; }
    /// What variables are in any one round; and with what the thread's own first counters are.
    const AssignedOnce& in_round() const { return in_round_; }
    const AssignedOnce& at_start() const { return at_start_; }

  private:
    std::optional<CountingLoop> counting(const ir::ForRange& loop) const;

    struct Entered {
        bool counts;
        std::optional<ir::LocalId> name;  ///< what the body calls the counter
    };

    const ir::Module& module_;
    const ThreadVariables& variables_;
    AssignedOnce in_round_, at_start_;
    std::vector<CountingLoop> around_;
    std::vector<Entered> entered_;
};

/// `range(offsets[i], offsets[i + 1])`: the rows of a sparse matrix, each the thread's own. The axes that `i` tells
/// apart; 0: it is another loop.
ThreadAxes axes_of_own_rows(const ir::ForRange& loop, const ThreadVariables& variables);

}  // namespace pyk
