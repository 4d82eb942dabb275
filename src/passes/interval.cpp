#include "passes/interval.h"

#include <initializer_list>

namespace pyk {
namespace {

constexpr Wide kEverything = Wide{1} << 120;

Wide times(Wide a, Wide b) {
    Wide product = 0;
    if (!__builtin_mul_overflow(a, b, &product)) return std::clamp(product, -kEverything, kEverything);
    return (a < 0) == (b < 0) ? kEverything : -kEverything;
}

Interval hull_of(std::initializer_list<Wide> values, bool grown) { return {std::min(values), std::max(values), grown}; }

/// What is left of an exact result in a type: unsigned arithmetic wraps, signed arithmetic does not, unless `may_wrap`.
Interval settle(Interval exact, Type type, bool may_wrap) {
    const Interval all = all_of(type);
    if (exact.within(all)) return exact;
    if (may_wrap || !type.is_signed()) return {all.lo, all.hi, true};
    return {std::clamp(exact.lo, all.lo, all.hi), std::clamp(exact.hi, all.lo, all.hi), exact.grown};
}

/// Whether its values reach to the bounds: those of an extent, and of what is made of extents, only seem to.
bool is_real(const Interval& a) { return a.is_single() || (a.lo > -kMostElements && a.hi < kMostElements); }

/// Whether a sum or product that leaves the type may do so when it runs.
bool may_wrap(const Interval& a, const Interval& b, Type type) {
    const Interval all = all_of(type);
    return (a.grown && b.grown) || (is_real(a) && is_real(b)) || all.within(a) || all.within(b);
}

Interval sum(const Interval& a, const Interval& b, Type type) {
    return settle({a.lo + b.lo, a.hi + b.hi, a.grown || b.grown}, type, may_wrap(a, b, type));
}

Interval difference(const Interval& a, const Interval& b, Type type) {
    return settle({a.lo - b.hi, a.hi - b.lo, a.grown || b.grown}, type, may_wrap(a, b, type));
}

Interval product(const Interval& a, const Interval& b, Type type) {
    const bool grown = a.grown || b.grown;
    const Interval exact = hull_of({times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)}, grown);
    return settle(exact, type, grown || may_wrap(a, b, type));
}

/// Powers wrap, in Numba.
Interval square(const Interval& a, Type type) {
    const Interval ends = hull_of({times(a.lo, a.lo), times(a.hi, a.hi)}, a.grown);
    return settle({a.contains(0) ? 0 : ends.lo, ends.hi, a.grown}, type, true);
}

Wide floor_quotient(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/// The parts of a divisor below and above zero; empty ones have lo > hi.
Interval below_zero(const Interval& b) { return {b.lo, std::min<Wide>(b.hi, -1)}; }
Interval above_zero(const Interval& b) { return {std::max<Wide>(b.lo, 1), b.hi}; }
bool is_empty(const Interval& a) { return a.lo > a.hi; }

Interval quotient_by_nonzero(const Interval& a, const Interval& b) {
    return hull_of({floor_quotient(a.lo, b.lo), floor_quotient(a.lo, b.hi), floor_quotient(a.hi, b.lo),
                    floor_quotient(a.hi, b.hi)},
                   a.grown);
}

Interval remainder_by_nonzero(const Interval& a, const Interval& b) {
    if (b.hi < 0) return {b.lo + 1, 0, b.grown};
    if (a.lo < 0) return {0, b.hi - 1, b.grown};
    return {a.hi < b.lo ? a.lo : 0, std::min(a.hi, b.hi - 1), b.grown};
}

/// By zero gives zero, in Numba.
template <typename ByNonzero>
Interval divided(const Interval& a, const Interval& b, Type type, const ByNonzero& by_nonzero) {
    Interval result;
    bool any = b.contains(0);
    for (const Interval& part : {below_zero(b), above_zero(b)}) {
        if (is_empty(part)) continue;
        result = any ? hull(result, by_nonzero(a, part)) : by_nonzero(a, part);
        any = true;
    }
    return settle(result, type, true);
}

/// The least 2^k - 1 that is not below a value.
Wide mask_over(Wide value) {
    Wide mask = 0;
    while (mask < value) mask = 2 * mask + 1;
    return mask;
}

Interval bit_and(const Interval& a, const Interval& b, Type type) {
    if (a.lo >= 0 && b.lo >= 0) return {0, std::min(a.hi, b.hi), a.grown && b.grown};
    if (a.lo >= 0) return {0, a.hi, a.grown};
    if (b.lo >= 0) return {0, b.hi, b.grown};
    return all_of(type);
}

Interval bit_or(const Interval& a, const Interval& b, Type type, bool exclusive) {
    if (a.lo < 0 || b.lo < 0) return all_of(type);
    return {exclusive ? 0 : std::max(a.lo, b.lo), mask_over(std::max(a.hi, b.hi)), a.grown || b.grown};
}

Interval shifted_left(const Interval& a, const Interval& b, Type type) {
    if (b.lo < 0 || b.hi >= 64) return all_of(type);
    const Wide least = Wide{1} << static_cast<int>(b.lo), most = Wide{1} << static_cast<int>(b.hi);
    return settle(hull_of({times(a.lo, least), times(a.lo, most), times(a.hi, least), times(a.hi, most)}, a.grown),
                  type, true);
}

/// An amount that is too great gives 0 or -1 at most, like one that is just great enough.
Interval shifted_right(const Interval& a, const Interval& b) {
    constexpr int kAll = 100;
    const int least = static_cast<int>(std::clamp<Wide>(b.lo, 0, kAll));
    const int most = b.lo < 0 ? kAll : static_cast<int>(std::min<Wide>(b.hi, kAll));
    return hull_of({a.lo >> least, a.lo >> most, a.hi >> least, a.hi >> most}, a.grown);
}

}  // namespace

Interval all_of(Type type) {
    constexpr Interval everything{-kEverything, kEverything};
    if (!type.is_scalar()) return everything;
    const ScalarInfo& scalar = info(type.scalar());
    const Wide values = Wide{1} << scalar.bits;
    switch (scalar.kind) {
        case ScalarKind::boolean:
            return {0, 1};
        case ScalarKind::signed_int:
            return {-(values / 2), values / 2 - 1};
        case ScalarKind::unsigned_int:
            return {0, values - 1};
        case ScalarKind::floating:
        case ScalarKind::complex:
            return everything;
    }
    return everything;
}

bool is_whole(Type type) {
    if (!type.is_scalar()) return false;
    const ScalarKind kind = info(type.scalar()).kind;
    return kind != ScalarKind::floating && kind != ScalarKind::complex;
}

bool fits(const Interval& interval, Type type) { return interval.within(all_of(type)); }

Interval hull(const Interval& a, const Interval& b) {
    return {std::min(a.lo, b.lo), std::max(a.hi, b.hi), a.grown || b.grown};
}

Interval meet(const Interval& a, const Interval& b) {
    const Wide lo = std::max(a.lo, b.lo), hi = std::min(a.hi, b.hi);
    return {lo, hi, a.grown && hi == a.hi};
}

Interval apply(BinaryOp op, const Interval& a, const Interval& b, Type type) {
    switch (op) {
        case BinaryOp::Add:
            return sum(a, b, type);
        case BinaryOp::Sub:
            return difference(a, b, type);
        case BinaryOp::Mul:
            return product(a, b, type);
        case BinaryOp::FloorDiv:
        case BinaryOp::TruncDiv:
            return divided(a, b, type, quotient_by_nonzero);
        case BinaryOp::Mod:
        case BinaryOp::TruncMod:
            return divided(a, b, type, remainder_by_nonzero);
        case BinaryOp::BitAnd:
            return bit_and(a, b, type);
        case BinaryOp::BitOr:
            return bit_or(a, b, type, false);
        case BinaryOp::BitXor:
            return bit_or(a, b, type, true);
        case BinaryOp::Shl:
        case BinaryOp::CShl:
            return shifted_left(a, b, type);
        case BinaryOp::Shr:
        case BinaryOp::CShr:
            return shifted_right(a, b);
        case BinaryOp::Pow:
            return b.is_single() && b.lo == 2 ? square(a, type) : all_of(type);
        case BinaryOp::TrueDiv:
        case BinaryOp::Eq:
        case BinaryOp::Ne:
        case BinaryOp::Lt:
        case BinaryOp::Le:
        case BinaryOp::Gt:
        case BinaryOp::Ge:
            return all_of(type);
    }
    return all_of(type);
}

Interval apply(UnaryOp op, const Interval& a, Type type) {
    if (op == UnaryOp::Pos) return a;
    if (op == UnaryOp::Neg) return settle({-a.hi, -a.lo, a.grown}, type, false);
    if (op == UnaryOp::Invert && type.is_signed()) return {-1 - a.hi, -1 - a.lo, a.grown};
    return all_of(type);
}

Interval converted(const Interval& a, Type from, Type to) {
    if (!is_whole(from) || !fits(a, to)) return all_of(to);
    return to.is_boolean() && !from.is_boolean() ? all_of(to) : a;
}

}  // namespace pyk
