// Operators of datetime64 and timedelta64, as Numba has them (its typing/npdatetime.py).
#include "sema/infer.h"
#include "types/time.h"

namespace pyk {

bool Inference::is_time(Type type) { return is_datetime(type) || is_timedelta(type); }

// The count of a finer unit.
ir::ExprPtr Inference::in_unit(Value time, int unit) {
    const Span span = time.span;
    int from = unit_of(time.type);
    const auto call = [&](BuiltinName row, ir::ExprPtr value, ir::ExprPtr factor = nullptr) {
        std::vector<ir::ExprPtr> args;
        args.push_back(std::move(value));
        if (factor) args.push_back(std::move(factor));
        return std::move(made_by(row, Scalar::int64, std::move(args), Effects::none, span).expr);
    };
    ir::ExprPtr count = ir::convert(std::move(time.expr), Scalar::int64);
    if (is_datetime(time.type) && from <= kMonths && unit > kMonths && unit != kNoUnit) {
        count = call(from == kYears ? BuiltinName("pyk.days_of_years") : "pyk.days_of_months", std::move(count));
        from = kDays;
        if (unit == kWeeks) return call("pyk.weeks_of_days", std::move(count));
    }
    const int64_t factor = units_in(from, unit).value_or(1);
    if (factor == 1) return count;
    return call("pyk.time_scaled", std::move(count), ir::integer(factor, Scalar::int64, span));
}

namespace {

/// The unit in which both are counted, or nothing where there is none.
std::optional<int> common_unit(Type a, Type b) {
    const int x = unit_of(a), y = unit_of(b);
    if (is_datetime(a) && is_datetime(b)) return finest(x, y);
    if (is_timedelta(a) && is_timedelta(b))
        return is_finer(y, x) ? std::optional(y) : is_finer(x, y) ? std::optional(x) : std::nullopt;
    const int date = is_datetime(a) ? x : y, delta = is_datetime(a) ? y : x;
    if (date != kNoUnit && delta <= kMonths && date > kMonths) return std::nullopt;
    return finest(date, delta);
}

struct Comparison {
    BinaryOp op;
    BuiltinName row;
    bool swapped, negated;
};
constexpr Comparison kComparisons[] = {
    {BinaryOp::Eq, "pyk.time_equal", false, false}, {BinaryOp::Ne, "pyk.time_equal", false, true},
    {BinaryOp::Lt, "pyk.time_less", false, false},  {BinaryOp::Le, "pyk.time_less_equal", false, false},
    {BinaryOp::Gt, "pyk.time_less", true, false},   {BinaryOp::Ge, "pyk.time_less_equal", true, false}};

}  // namespace

// Two times.
Value Inference::time_pair(BinaryOp op, Value lhs, Value rhs, Span span) {
    const Type a = lhs.type, b = rhs.type;
    const Effects effects = lhs.effects | rhs.effects;
    const auto unit = common_unit(a, b);
    if (!unit) return Value();
    const auto both = [&](bool swapped) {
        std::vector<ir::ExprPtr> args;
        for (Value* side : {&lhs, &rhs}) args.push_back(in_unit(std::move(*side), *unit));
        if (swapped) std::swap(args[0], args[1]);
        return args;
    };
    const bool dates = is_datetime(a) && is_datetime(b), deltas = is_timedelta(a) && is_timedelta(b);
    for (const Comparison& comparison : kComparisons) {
        if (comparison.op != op || !(dates || deltas)) continue;
        Value result = made_by(comparison.row, Scalar::boolean, both(comparison.swapped), effects, span);
        return comparison.negated ? unary(UnaryOp::Not, std::move(result), span) : std::move(result);
    }
    if (op == BinaryOp::Add && !dates)
        return made_by("pyk.time_sum", deltas ? timedelta_type(*unit) : datetime_type(*unit), both(false), effects,
                       span);
    if (op == BinaryOp::Sub && (dates || is_timedelta(b)))
        return made_by("pyk.time_difference", dates || deltas ? timedelta_type(*unit) : datetime_type(*unit),
                       both(false), effects, span);
    if (op == BinaryOp::TrueDiv && deltas)
        return made_by("pyk.time_ratio", Scalar::float64, both(false), effects, span);
    return Value();
}

// An operator of which an operand is a time.
Value Inference::time_operator(BinaryOp op, Value lhs, Value rhs, Span span) {
    const Type a = lhs.type, b = rhs.type;
    Value result;
    if (is_time(a) && is_time(b)) {
        result = time_pair(op, std::move(lhs), std::move(rhs), span);
    } else {
        const bool is_product = op == BinaryOp::Mul;
        const bool is_quotient = (op == BinaryOp::TrueDiv || op == BinaryOp::FloorDiv) && is_timedelta(a);
        if (is_product && is_timedelta(b)) std::swap(lhs, rhs);
        const Type number = rhs.type;
        if (is_timedelta(lhs.type) && (is_product || is_quotient) && (number.is_integer() || number.is_float())) {
            const Effects effects = lhs.effects | rhs.effects;
            const Type type = lhs.type;
            std::vector<ir::ExprPtr> args;
            args.push_back(ir::convert(std::move(lhs.expr), Scalar::int64));
            args.push_back(in_type(rhs, number.is_integer()       ? Type(Scalar::int64)
                                        : number.is_small_float() ? Type(Scalar::float32)
                                                                  : number));
            result = made_by(is_product ? BuiltinName("pyk.time_product") : "pyk.time_quotient", type, std::move(args),
                             effects, span);
        }
    }
    if (!result.expr) return error(diag::no_operator, span, info(op).python, a.name(), b.name());
    return result;
}

// `min` and `max`: the second where it is less or greater.
Value Inference::earlier_or_later(const Builtin& builtin, Value lhs, Value rhs, Span span) {
    const bool is_min = builtin.special == Special::min;
    std::vector<ir::ExprPtr> args;
    args.push_back(ir::convert(std::move(lhs.expr), Scalar::int64));
    args.push_back(ir::convert(std::move(rhs.expr), Scalar::int64));
    return made_by(is_min ? BuiltinName("pyk.earlier") : "pyk.later", lhs.type, std::move(args),
                   lhs.effects | rhs.effects, span);
}

// `-delta`, `abs(delta)`, `np.isnat(time)`.
Value Inference::time_function(const Builtin& row, Type type, Value time, Span span) {
    std::vector<ir::ExprPtr> args;
    args.push_back(ir::convert(std::move(time.expr), Scalar::int64));
    return made_by(row, type, std::move(args), time.effects, span);
}

}  // namespace pyk
