// What the range analysis knows at one point of a function: an interval for each local.
#pragma once

#include <vector>

#include "ir/ir.h"
#include "passes/interval.h"

namespace pyk {

struct RangeState {
    bool reachable = true;
    std::vector<Interval> locals;

    Interval& operator[](ir::LocalId id) { return locals[static_cast<size_t>(id)]; }

    /// Control comes from there as well.
    void join(const RangeState& other);
    /// As a loop's head that was `before`: bounds that moved are let go, so that the analysis ends.
    void widen(const RangeState& before, const ir::Function& function);
};

}  // namespace pyk
