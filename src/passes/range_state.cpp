#include "passes/range_state.h"

#include <algorithm>
#include <limits>

namespace pyk {
namespace {

/// A falling lower bound stops at 0, -1 and the least int32 before it is let go.
Wide lower_bound(Wide value, Type type) {
    for (const Wide stop : {Wide{0}, Wide{-1}, Wide{std::numeric_limits<int32_t>::min()}})
        if (value >= stop) return std::max(stop, all_of(type).lo);
    return all_of(type).lo;
}

Interval widened(const Interval& before, const Interval& now, Type type) {
    Interval result = now;
    if (now.lo < before.lo) result.lo = lower_bound(now.lo, type);
    if (now.hi > before.hi) result.hi = all_of(type).hi;
    result.grown = now.grown || result.lo != now.lo || now.hi > before.hi;
    return result;
}

}  // namespace

void RangeState::set(ir::LocalId id, const Interval& interval) {
    if (!((*this)[id] == interval)) intervals_.set(static_cast<size_t>(id), interval);
}

/// Calls `visit` for each local of which the two know something else.
template <typename Visit>
void RangeState::for_each_other(const RangeState& other, const Visit& visit) {
    if (intervals_.shares_all(other.intervals_)) return;
    for (size_t begin = 0; begin < size(); begin += Intervals::kPart) {
        if (intervals_.shares_part(other.intervals_, begin)) continue;
        for (size_t i = begin; i < std::min(size(), begin + Intervals::kPart); ++i)
            if (const auto id = static_cast<ir::LocalId>(i); !((*this)[id] == other[id])) visit(id);
    }
}

void RangeState::join(const RangeState& other) {
    if (!other.reachable) return;
    if (!reachable) {
        *this = other;
        return;
    }
    for_each_other(other, [&](ir::LocalId id) { set(id, hull((*this)[id], other[id])); });
}

void RangeState::widen(const RangeState& before, const ir::Function& function) {
    for_each_other(before, [&](ir::LocalId id) { set(id, widened(before[id], (*this)[id], function.local(id).type)); });
}

}  // namespace pyk
