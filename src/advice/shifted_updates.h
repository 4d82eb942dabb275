// Updates of which each thread makes several, at places that other threads update as well: `y[i] += a` beside
// `y[i + 1] += b`, `y[i + k] += c` in a loop over `k`.
#pragma once

#include <vector>

#include "advice/counting_loops.h"
#include "advice/thread_places.h"
#include "ir/ir.h"

namespace pyk {

/// What each thread updates at a place that no other one has in that statement.
struct OwnUpdate {
    const ir::Expr* array;
    ThreadPlace first;                ///< in the thread's own first rounds of loops around it
    ThreadPlace later;                ///< in any round
    std::vector<CountingLoop> loops;  ///< around it
    size_t between;                   ///< updates that no barrier parts have the same number
};

/// Those of the updates that threads beside each other make at one place: their places in `updates`.
std::vector<size_t> shifted_updates(const std::vector<OwnUpdate>& updates);

}  // namespace pyk
