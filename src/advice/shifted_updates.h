// Updates of which each thread makes several, at places that other threads update as well: `y[i] += a` beside
// `y[i + 1] += b`, `y[i + k] += c` in a loop over `k`.
#pragma once

#include <cstdint>
#include <vector>

#include "advice/thread_places.h"
#include "ir/ir.h"

namespace pyk {

/// A loop around an update, which counts from the same number in all threads, or by ones from the thread's own.
struct CountingLoop {
    ir::LocalId counter;
    int64_t step;
    int64_t rounds;  ///< INT64_MAX: unknown
};

/// What each thread updates at a place that no other one has in that statement.
struct OwnUpdate {
    const ir::LocalRef* array;
    const ir::Expr* base;
    const std::vector<ir::Index>* indices;
    std::vector<CountingLoop> loops;
    AssignedOnce counted;  ///< variables that hold counters of loops around it, and others elsewhere
    size_t between;        ///< updates that no barrier parts have the same number
};

/// Those of the updates that threads beside each other make at one place: their places in `updates`. `starts`: of
/// counters of loops that threads begin at numbers of their own.
std::vector<size_t> shifted_updates(const std::vector<OwnUpdate>& updates, const AssignedOnce& assigned,
                                    const AssignedOnce& starts);

}  // namespace pyk
