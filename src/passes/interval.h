// Sets of integers as intervals, and what Numba's operators make of them. Bounds have 128 bits, so that those of every
// 64-bit type and of sums of such are exact.
#pragma once

#include <algorithm>

#include "builtins/operators.h"
#include "types/type.h"

namespace pyk {

using Wide = __int128;

/// No array has more elements: addresses have 48 bits.
inline constexpr Wide kMostElements = Wide{1} << 48;
/// The most elements of an array of an index32 kernel, and threads of its grid along an axis; the most blocks along x.
inline constexpr Wide kMostInIndex32 = Wide{1} << 30;
inline constexpr Wide kMostBlocksInIndex32 = Wide{1} << 20;
/// A term or factor below it leaves no type by itself. Those of hash functions are greater.
inline constexpr Wide kSmallNumber = Wide{1} << 24;

/// What a product is made of that is a place in an array, or a sum of such.
struct PlaceFactors {
    int sizes = 0;    ///< how many extents, counters and other numbers; 0: it is no place, but a number of any kind
    int numbers = 0;  ///< how many of them are no extents: each may be as great as a place by itself
    int scale = 1;    ///< the product of its small numbers, a small number itself

    bool operator==(const PlaceFactors&) const = default;
};

/// `lo … hi`, both included. Signed values wrap on the CPU target, and hash functions rely on it; so a sum or product
/// whose bounds leave the type is taken to wrap. But for what places in arrays are made of: their bounds (extents,
/// counters up to any number) only seem to let them leave it.
struct Interval {
    Wide lo = 0, hi = 0;
    bool grown = false;  ///< the bound that it has in a loop is the type's, as nothing else was found
    PlaceFactors place = {};

    bool operator==(const Interval&) const = default;
    bool is_single() const { return lo == hi; }
    bool is_place() const { return place.sizes > 0; }
    bool contains(Wide value) const { return lo <= value && value <= hi; }
    bool within(const Interval& other) const { return other.lo <= lo && hi <= other.hi; }
};

/// Every value of a type; of one that is no integer or boolean, everything.
Interval all_of(Type type);
/// An integer or a boolean.
bool is_whole(Type type);
bool fits(const Interval& interval, Type type);
/// Every integer up to this is a float64.
inline constexpr double kExactInFloat64 = 0x1p53;
bool is_exact_in_float64(const Interval& interval);

/// Of a sum.
PlaceFactors greater_of(const PlaceFactors& a, const PlaceFactors& b);
/// Of a variable that a loop counts from `start`: nobody counts further than a place in memory.
PlaceFactors counter_of(const Interval& start);

/// What is in either; what is in both (`lo > hi` when nothing is), where `b` is a bound that the program itself checks.
Interval hull(const Interval& a, const Interval& b);
Interval meet(const Interval& a, const Interval& b);

/// The values of `a - b` in a type, which are `known` to be where it does not wrap.
Interval difference(const Interval& a, const Interval& b, const Interval& known, Type type);
/// The values of `a op b` in a type, and of `op a`.
Interval apply(BinaryOp op, const Interval& a, const Interval& b, Type type);
Interval apply(UnaryOp op, const Interval& a, Type type);
/// The values after conversion to an integer type or boolean.
Interval converted(const Interval& a, Type from, Type to);

}  // namespace pyk
