#include "passes/range_state.h"

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
    result.grown = now.grown || result.lo != now.lo || result.hi != now.hi;
    return result;
}

}  // namespace

void RangeState::join(const RangeState& other) {
    if (!other.reachable) return;
    if (!reachable) {
        *this = other;
        return;
    }
    for (size_t i = 0; i < locals.size(); ++i) locals[i] = hull(locals[i], other.locals[i]);
}

void RangeState::widen(const RangeState& before, const ir::Function& function) {
    for (size_t i = 0; i < locals.size(); ++i)
        locals[i] = widened(before.locals[i], locals[i], function.locals[i].type);
}

}  // namespace pyk
