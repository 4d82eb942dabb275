#include "passes/interval.h"

#include <initializer_list>
#include <optional>

namespace pyk {

PlaceFactors greater_of(const PlaceFactors& a, const PlaceFactors& b) {
    return {std::max(a.sizes, b.sizes), std::max(a.numbers, b.numbers), std::max(a.scale, b.scale)};
}

namespace {

constexpr Wide kEverything = Wide{1} << 120;

Wide times(Wide a, Wide b) {
    Wide product = 0;
    if (!__builtin_mul_overflow(a, b, &product)) return std::clamp(product, -kEverything, kEverything);
    return (a < 0) == (b < 0) ? kEverything : -kEverything;
}

Interval hull_of(std::initializer_list<Wide> values, const Interval& of) {
    return {std::min(values), std::max(values), of.grown, of.place};
}

/// What is left of an exact result in a type: unsigned arithmetic wraps, signed arithmetic does not, unless `may_wrap`.
Interval settle(Interval exact, Type type, bool may_wrap) {
    const Interval all = all_of(type);
    if (exact.within(all)) return exact;
    const bool must_wrap = exact.lo > all.hi || exact.hi < all.lo;
    if (may_wrap || must_wrap || !type.is_signed()) return {all.lo, all.hi, true};
    return {std::clamp(exact.lo, all.lo, all.hi), std::clamp(exact.hi, all.lo, all.hi), exact.grown, exact.place};
}

constexpr int kMostSizes = 4;    // axes whose extents make a place
constexpr int kMostNumbers = 2;  // of 32 bits each

bool is_between(const Interval& a, Wide bound) { return a.lo > -bound && a.hi < bound; }
bool may_be_place(const Interval& a) { return a.is_place() || is_between(a, kMostElements); }

PlaceFactors place_of_either(const Interval& a, const Interval& b) {
    return may_be_place(a) && may_be_place(b) ? greater_of(a.place, b.place) : PlaceFactors();
}

/// Whether what leaves the type with these operands may do so when it runs, whatever they are.
bool wraps(const Interval& a, const Interval& b, Type type) {
    const Interval all = all_of(type);
    return type.bits() < 32 || all.within(a) || all.within(b);  // no place is counted in less
}

bool sum_may_wrap(const Interval& a, const Interval& b, Type type) {
    if ((a.grown && b.grown) || wraps(a, b, type)) return true;
    const auto is_step = [](const Interval& small, const Interval& other) {
        return is_between(small, kSmallNumber) && !other.is_single();
    };
    if (is_step(a, b) || is_step(b, a)) return false;
    // What a loop adds up is a place where it adds extents or a counter, not products of these: `s += i * i`.
    const auto is_term_of = [](const Interval& part, const Interval& sum) {
        return !sum.grown || part.place.sizes <= 1 || part.place.numbers == 0;
    };
    const auto may_be = [](const Interval& part) { return may_be_place(part) || part.grown; };
    return !((a.is_place() || b.is_place()) && may_be(a) && may_be(b) && is_term_of(a, b) && is_term_of(b, a));
}

/// Of a sum or difference, whose bounds are `exact`.
Interval sum_of(Interval exact, const Interval& a, const Interval& b, Type type) {
    exact.grown = a.grown || b.grown;
    exact.place = place_of_either(a, b);
    return settle(exact, type, sum_may_wrap(a, b, type));
}

/// What a factor adds to a place; nothing: it is none of one.
std::optional<PlaceFactors> factors_of(const Interval& one) {
    if (one.is_place()) return one.place;
    if (is_between(one, kSmallNumber)) {
        const Wide greatest = std::max<Wide>({-one.lo, one.hi, 1});
        return PlaceFactors{0, 0, static_cast<int>(greatest)};
    }
    if (one.is_single() || !is_between(one, kMostElements)) return std::nullopt;
    return PlaceFactors{1, 1, 1};
}

/// Of a product that is a place; no sizes: it is none.
PlaceFactors place_of_product(const Interval& a, const Interval& b) {
    const auto one = factors_of(a), other = factors_of(b);
    if (!(a.is_place() || b.is_place()) || !one || !other) return {};
    const int sizes = one->sizes + other->sizes, numbers = one->numbers + other->numbers;
    const Wide scale = Wide{one->scale} * other->scale;
    if (sizes > kMostSizes || numbers > kMostNumbers || scale > kSmallNumber) return {};
    return {sizes, numbers, static_cast<int>(scale)};
}

Interval product(const Interval& a, const Interval& b, Type type) {
    const PlaceFactors place = place_of_product(a, b);
    const bool grown = a.grown || b.grown;
    const bool may_wrap = grown || place.sizes == 0 || wraps(a, b, type);
    return settle(
        hull_of({times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)}, {0, 0, grown, place}),
        type, may_wrap);
}

/// Powers wrap, in Numba.
Interval square(const Interval& a, Type type) {
    const Interval ends = hull_of({times(a.lo, a.lo), times(a.hi, a.hi)}, a);
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
                   a);
}

Interval remainder_by_nonzero(const Interval& a, const Interval& b) {
    if (b.hi < 0) return {b.lo + 1, 0, b.grown, b.place};
    if (a.lo < 0) return {0, b.hi - 1, b.grown, b.place};
    return {a.hi < b.lo ? a.lo : 0, std::min(a.hi, b.hi - 1), b.grown, greater_of(a.place, b.place)};
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

/// Bit by bit of two numbers, one of which may be negative: no more bits than the wider one has.
Interval of_signed_bits(const Interval& a, const Interval& b, Type type) {
    const Wide most = mask_over(std::max({a.hi, b.hi, -1 - a.lo, -1 - b.lo}));
    return meet({-1 - most, most, a.grown || b.grown}, all_of(type));
}

Interval bit_and(const Interval& a, const Interval& b, Type type) {
    if (a.lo >= 0 && b.lo >= 0) return {0, std::min(a.hi, b.hi), a.grown && b.grown, greater_of(a.place, b.place)};
    if (a.lo >= 0) return {0, a.hi, a.grown, a.place};
    if (b.lo >= 0) return {0, b.hi, b.grown, b.place};
    return of_signed_bits(a, b, type);
}

Interval bit_or(const Interval& a, const Interval& b, Type type, bool exclusive) {
    if (a.lo < 0 || b.lo < 0) return of_signed_bits(a, b, type);
    return {exclusive ? 0 : std::max(a.lo, b.lo), mask_over(std::max(a.hi, b.hi)), a.grown || b.grown,
            place_of_either(a, b)};
}

Interval shifted_left(const Interval& a, const Interval& b, Type type) {
    if (b.lo < 0 || b.hi >= 64) return all_of(type);
    const Wide least = Wide{1} << static_cast<int>(b.lo), most = Wide{1} << static_cast<int>(b.hi);
    return settle(hull_of({times(a.lo, least), times(a.lo, most), times(a.hi, least), times(a.hi, most)}, a), type,
                  true);
}

/// An amount that is too great gives 0 or -1 at most, like one that is just great enough.
Interval shifted_right(const Interval& a, const Interval& b) {
    constexpr int kAll = 100;
    const int least = static_cast<int>(std::clamp<Wide>(b.lo, 0, kAll));
    const int most = b.lo < 0 ? kAll : static_cast<int>(std::min<Wide>(b.hi, kAll));
    return hull_of({a.lo >> least, a.lo >> most, a.hi >> least, a.hi >> most}, a);
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
bool is_exact_in_float64(const Interval& interval) {
    constexpr Wide kEnd = static_cast<Wide>(kExactInFloat64);
    return interval.within({-kEnd, kEnd});
}

PlaceFactors counter_of(const Interval& start) { return greater_of(start.place, {1, 1, 1}); }

Interval hull(const Interval& a, const Interval& b) {
    return {std::min(a.lo, b.lo), std::max(a.hi, b.hi), a.grown || b.grown, place_of_either(a, b)};
}

Interval meet(const Interval& a, const Interval& b) {
    const Wide lo = std::max(a.lo, b.lo), hi = std::min(a.hi, b.hi);
    // A loop's variable that the program compares is what it runs over.
    const bool is_checked = a.grown && hi < a.hi;
    return {lo, hi, a.grown && !is_checked, is_checked ? counter_of(a) : a.place};
}

Interval difference(const Interval& a, const Interval& b, const Interval& known, Type type) {
    const Interval bounds = {a.lo - b.hi, a.hi - b.lo, a.grown || b.grown, place_of_either(a, b)};
    const Interval exact = meet(bounds, known);
    if (exact.lo <= exact.hi && fits(exact, type)) return exact;
    const Interval settled = sum_of(bounds, a, b, type);
    const bool wrapped = settled.grown && !bounds.grown;
    return wrapped ? settled : meet(settled, known);
}

Interval apply(BinaryOp op, const Interval& a, const Interval& b, Type type) {
    switch (op) {
        case BinaryOp::Add:
            return sum_of({a.lo + b.lo, a.hi + b.hi}, a, b, type);
        case BinaryOp::Sub:
            return sum_of({a.lo - b.hi, a.hi - b.lo}, a, b, type);
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
        case BinaryOp::CDiv:
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
    if (op == UnaryOp::Neg) return settle({-a.hi, -a.lo, a.grown, a.place}, type, false);
    if (op == UnaryOp::Invert && type.is_signed()) return {-1 - a.hi, -1 - a.lo, a.grown};
    return all_of(type);
}

Interval converted(const Interval& a, Type from, Type to) {
    if (!is_whole(from) || !fits(a, to)) return all_of(to);
    return to.is_boolean() && !from.is_boolean() ? all_of(to) : a;
}

}  // namespace pyk
