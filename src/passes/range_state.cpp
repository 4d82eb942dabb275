#include "passes/range_state.h"

#include <algorithm>
#include <limits>

#include "ir/build.h"
#include "passes/builtin_ranges.h"

namespace pyk {
namespace {

/// A falling lower bound stops at 0, -1 and the least int32 before it is let go.
Wide lower_bound(Wide value, Type type) {
    for (const Wide stop : {Wide{0}, Wide{-1}, Wide{std::numeric_limits<int32_t>::min()}})
        if (value >= stop) return std::max(stop, all_of(type).lo);
    return all_of(type).lo;
}

/// A rising one stops at 1, for what is 0 and 1 in turn.
Wide upper_bound(Wide value, Type type) { return value <= 1 ? 1 : all_of(type).hi; }

Interval widened(const Interval& before, const Interval& now, Type type, bool is_counter) {
    Interval result = now;
    if (now.lo < before.lo) result.lo = lower_bound(now.lo, type);
    if (now.hi > before.hi) result.hi = upper_bound(now.hi, type);
    const bool rises = now.hi > before.hi && result.hi == all_of(type).hi;
    if (rises && is_counter) result.place = counter_of(now);
    result.grown = now.grown || result.lo != now.lo || (rises && !is_counter);
    return result;
}

/// An extent of an array in a local.
std::optional<Offset> extent_of(const ir::Expr& array, int part) {
    const auto* ref = array.as<ir::LocalRef>();
    if (!ref) return std::nullopt;
    return Offset{{.local = ref->id, .part = part}};
}

}  // namespace

std::optional<Wide> small_addend(const ir::Module& module, const ir::Binary& sum, Type type) {
    if (!type.is_signed() || (sum.op != BinaryOp::Add && sum.op != BinaryOp::Sub)) return std::nullopt;
    const auto number = ir::integer_value(module, *sum.rhs);
    if (!number || *number >= kSmallNumber || *number <= -kSmallNumber) return std::nullopt;
    return sum.op == BinaryOp::Add ? Wide{*number} : -Wide{*number};
}

void RangeState::set(ir::LocalId id, const Interval& interval) {
    if (!((*this)[id] == interval)) intervals_.set(static_cast<size_t>(id), interval);
}

void RangeState::assign(ir::LocalId id, const Interval& interval, const std::optional<Offset>& value) {
    set(id, interval);
    differences_.assign(id, value);
    forget_places([&](ir::LocalId local) { return local == id; });
}

void RangeState::forget_differences(const LocalSet& assigned) {
    differences_.forget(assigned);
    forget_places([&](ir::LocalId local) { return assigned.contains(local); });
}

template <typename Predicate>
void RangeState::forget_places(const Predicate& is_assigned) {
    const auto is_lost = [&](const PlacedLocal& placed) {
        return is_assigned(placed.local) || (!placed.extent.builtin && is_assigned(placed.extent.local));
    };
    if (places_ && std::ranges::any_of(*places_, is_lost)) std::erase_if(places_.own(), is_lost);
}

void RangeState::assume_place(ir::LocalId id, const Term& extent) { places_.own().push_back({id, extent}); }

std::optional<Place> RangeState::place_of(ir::LocalId id) const {
    if ((*this)[id].lo >= 0) return Place();
    if (!places_) return std::nullopt;
    const auto placed = std::ranges::find(*places_, id, &PlacedLocal::local);
    if (placed == places_->end()) return std::nullopt;
    return placed->extent;
}

/// A local is a place in an axis where both say so, or one does, and the other that it is not negative anywhere.
void RangeState::join_places(const RangeState& other) {
    if (places_ == other.places_) return;
    std::vector<PlacedLocal> both;
    const auto take = [&](const RangeState& from, const RangeState& to) {
        if (!from.places_) return;
        for (const PlacedLocal& placed : *from.places_) {
            const auto there = to.place_of(placed.local);
            const bool holds = there && (!*there || **there == placed.extent);
            if (holds && std::ranges::find(both, placed.local, &PlacedLocal::local) == both.end())
                both.push_back(placed);
        }
    };
    take(*this, other);
    take(other, *this);
    places_.own() = std::move(both);
}

std::optional<Offset> RangeState::offset_of(const ir::Module& module, const ir::Expr& expr) const {
    if (!expr.type.is_integer()) return std::nullopt;
    if (const auto* ref = expr.as<ir::LocalRef>()) return Offset{{.local = ref->id}};
    if (const auto* call = expr.as<ir::BuiltinCall>(); call && call->args.empty() && is_value(*call->builtin))
        return Offset{{.builtin = call->builtin}};
    if (const auto* shape = expr.as<ir::ShapeOf>()) return extent_of(*shape->array, static_cast<int>(shape->axis));
    if (const auto* size = expr.as<ir::SizeOf>())
        return extent_of(*size->array, size->array->type.ndim() == 1 ? 0 : Term::kSize);
    if (const auto* convert = expr.as<ir::Convert>()) {
        const auto* ref = convert->operand->as<ir::LocalRef>();
        const Interval values = ref ? (*this)[ref->id] : all_of(convert->operand->type);
        return fits(values, expr.type) ? offset_of(module, *convert->operand) : std::nullopt;
    }
    const auto* sum = expr.as<ir::Binary>();
    const auto number = sum ? small_addend(module, *sum, expr.type) : std::nullopt;
    auto offset = number ? offset_of(module, *sum->lhs) : std::nullopt;
    if (offset) offset->plus += *number;
    return offset;
}

Interval RangeState::values_of(const Offset& offset) const {
    const Term& term = offset.term;
    Interval values = term.builtin                ? range_of(*term.builtin, {}, Scalar::int64)
                      : term.part == Term::kValue ? (*this)[term.local]
                                                  : Interval{0, kMostElements};
    values.lo += offset.plus;
    values.hi += offset.plus;
    return values;
}

Interval RangeState::difference(const Offset& a, const Offset& b) const {
    Interval result = all_of(Type());
    if (const auto least = differences_.least(a, b)) result.lo = *least;
    if (const auto least = differences_.least(b, a)) result.hi = -*least;
    return result;
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
    join_places(other);
    for_each_other(other, [&](ir::LocalId id) { set(id, hull((*this)[id], other[id])); });
    differences_.join(other.differences_);
}

void RangeState::widen(const RangeState& before, const ir::Function& function, const LocalSet& counters) {
    for_each_other(before, [&](ir::LocalId id) {
        set(id, widened(before[id], (*this)[id], function.local(id).type, counters.contains(id)));
    });
}

bool RangeState::tighten(const RangeState& entry, const RangeState& end) {
    bool has_changed = false;
    if (!end.reachable) return has_changed;
    for_each_other(end, [&](ir::LocalId id) {
        const Interval left = hull(entry[id], end[id]);
        if (!(*this)[id].grown || left.grown || left.is_place()) return;
        set(id, left);
        has_changed = true;
    });
    return has_changed;
}

}  // namespace pyk
