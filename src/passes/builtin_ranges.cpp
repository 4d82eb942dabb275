#include "passes/builtin_ranges.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "builtins/known.h"

namespace pyk {
namespace {

using RangeOf = Interval (*)(std::span<const Interval>, Type);

Interval abs(std::span<const Interval> args, Type type) {
    const Interval& a = args[0];
    const Interval negated = apply(UnaryOp::Neg, a, type);
    if (a.lo >= 0) return a;
    return {std::max<Wide>(0, a.hi < 0 ? negated.lo : 0), std::max(a.hi, negated.hi), a.grown, a.place};
}

Interval min(std::span<const Interval> args, Type) {
    Interval result = args[0];
    for (const Interval& arg : args)
        result = {std::min(result.lo, arg.lo), std::min(result.hi, arg.hi), result.grown && arg.grown,
                  result.lo >= 0 && arg.lo >= 0 ? greater_of(result.place, arg.place) : hull(result, arg).place};
    return result;
}

Interval max(std::span<const Interval> args, Type) {
    Interval result = args[0];
    for (const Interval& arg : args)
        result = {std::max(result.lo, arg.lo), std::max(result.hi, arg.hi), result.grown || arg.grown,
                  hull(result, arg).place};
    return result;
}

Interval square(std::span<const Interval> args, Type type) { return apply(BinaryOp::Pow, args[0], {2, 2}, type); }

template <typename Range>
using Rows = std::map<uint16_t, Range>;  ///< by row of the builtin

const Rows<Interval>& fixed_ranges() {
    static const Rows<Interval> rows = {
#define PYK_BUILTIN_RANGE(name, least, greatest) {BuiltinName(name).row(), {least, greatest}},
#include "passes/builtin_ranges.def"
    };
    return rows;
}

const Rows<Interval>& index32_ranges() {
    static const Rows<Interval> rows = {
#define PYK_BUILTIN_RANGE32(name, least, greatest) {BuiltinName(name).row(), {least, greatest}},
#include "passes/builtin_ranges.def"
    };
    return rows;
}

const Rows<RangeOf>& dependent_ranges() {
    static const Rows<RangeOf> rows = {
#define PYK_BUILTIN_RANGE_OF(name, how) {BuiltinName(name).row(), how},
#include "passes/builtin_ranges.def"
    };
    return rows;
}

struct Below {
    const Builtin *builtin, *bound;
};

}  // namespace

const Builtin* always_below(const Builtin& bound) {
    static const Below rows[] = {
#define PYK_BUILTIN_BELOW(name, above) {&builtin(name), &builtin(above)},
#include "passes/builtin_ranges.def"
    };
    const auto* row = std::ranges::find(rows, &bound, &Below::bound);
    return row == std::end(rows) ? nullptr : row->builtin;
}

Interval range_of(const Builtin& builtin, std::span<const Interval> args, Type type, bool in_index32) {
    if (!type.is_integer()) return all_of(type);
    const auto small = index32_ranges().find(builtin.index);
    if (in_index32 && small != index32_ranges().end()) return meet(small->second, all_of(type));
    const auto fixed = fixed_ranges().find(builtin.index);
    if (fixed != fixed_ranges().end()) return meet(fixed->second, all_of(type));
    const auto dependent = dependent_ranges().find(builtin.index);
    if (dependent == dependent_ranges().end() || args.empty()) return all_of(type);
    return dependent->second(args, type);
}

}  // namespace pyk
