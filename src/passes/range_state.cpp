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
    result.grown = now.grown || result.lo != now.lo || result.hi != now.hi;
    return result;
}

}  // namespace

void RangeState::add(const Interval& interval) {
    Parts& parts = parts_.own();
    if (size_ % kPart == 0) parts.emplace_back();
    parts.back().own()[size_++ % kPart] = interval;
}

void RangeState::set(ir::LocalId id, const Interval& interval) {
    if ((*this)[id] == interval) return;
    parts_.own()[part_of(id)].own()[place_of(id)] = interval;
}

bool RangeState::has_same_locals(const RangeState& other) const {
    return parts_ == other.parts_ ||
           std::ranges::equal(*parts_, *other.parts_, [](const auto& a, const auto& b) { return a == b || *a == *b; });
}

void RangeState::join(const RangeState& other) {
    if (!other.reachable) return;
    if (!reachable) {
        *this = other;
        return;
    }
    if (parts_ == other.parts_) return;
    for (size_t p = 0; p < parts_->size(); ++p) {
        if ((*parts_)[p] == (*other.parts_)[p]) continue;
        const Part& part = *(*other.parts_)[p];
        for (size_t i = 0; i < kPart; ++i)
            set(static_cast<ir::LocalId>(p * kPart + i), hull((*(*parts_)[p])[i], part[i]));
    }
}

void RangeState::widen(const RangeState& before, const ir::Function& function) {
    if (parts_ == before.parts_) return;
    for (size_t p = 0; p < parts_->size(); ++p) {
        if ((*parts_)[p] == (*before.parts_)[p]) continue;
        for (size_t i = p * kPart; i < std::min(size_, (p + 1) * kPart); ++i) {
            const auto id = static_cast<ir::LocalId>(i);
            set(id, widened(before[id], (*this)[id], function.locals[i].type));
        }
    }
}

}  // namespace pyk
