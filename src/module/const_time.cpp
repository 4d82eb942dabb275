#include "module/const_time.h"

#include <charconv>
#include <cmath>

#include "types/time.h"

namespace pyk {
namespace {

int64_t count_of(const Const& time) { return static_cast<int64_t>(*time.as<Const::Int>()); }
bool is_nat(const Const& time) { return count_of(time) == kNaT; }

std::optional<Const> made(Type type, int64_t count) { return Const{Const::Int(count), type}; }

struct Counts {
    int64_t a, b;
    int unit;
};

/// Both in the finer unit.
std::optional<Counts> in_one_unit(const Const& a, const Const& b) {
    const int unit = finest(unit_of(a.typed), unit_of(b.typed));
    const auto first = moment_in({unit_of(a.typed), count_of(a)}, unit);
    const auto second = moment_in({unit_of(b.typed), count_of(b)}, unit);
    if (!first || !second) return std::nullopt;
    return Counts{*first, *second, unit};
}

std::optional<Const> of_spans(ast::BinaryOp op, const Counts& of) {
    if (op == ast::BinaryOp::Div) return Const{static_cast<double>(of.a) / static_cast<double>(of.b), Scalar::float64};
    if (op != ast::BinaryOp::FloorDiv && op != ast::BinaryOp::Mod) return std::nullopt;
    auto value = apply(op, Const{Const::Int(of.a), {}}, Const{Const::Int(of.b), {}});
    if (value) value->typed = op == ast::BinaryOp::Mod ? timedelta_type(of.unit) : Type(Scalar::int64);
    return value;
}

std::optional<Const> sum(ast::BinaryOp op, const Const& a, const Const& b) {
    const bool is_sum = op == ast::BinaryOp::Add;
    const bool first_is_date = is_datetime(a.typed), second_is_date = is_datetime(b.typed);
    if (second_is_date && (first_is_date == is_sum)) return std::nullopt;
    const auto of = in_one_unit(a, b);
    if (!of) return std::nullopt;
    const bool is_date = first_is_date != second_is_date;
    const Type type = is_date ? datetime_type(of->unit) : timedelta_type(of->unit);
    if (is_nat(a) || is_nat(b)) return made(type, kNaT);
    int64_t count = 0;
    if (is_sum ? __builtin_add_overflow(of->a, of->b, &count) : __builtin_sub_overflow(of->a, of->b, &count))
        return std::nullopt;
    return made(type, count);
}

/// A span by a number; what is less than a unit is cut.
std::optional<Const> scaled(ast::BinaryOp op, const Const& span, const Const& number) {
    if (is_nat(span)) return span;
    const int64_t count = count_of(span);
    if (const auto* by = number.as<double>()) {
        double result = static_cast<double>(count);
        if (op == ast::BinaryOp::Mult) result *= *by;
        if (op != ast::BinaryOp::Mult) result /= *by;
        if (!(std::fabs(result) < 9e18)) return std::nullopt;
        return made(span.typed, static_cast<int64_t>(result));
    }
    const auto by = to_int(number);
    if (!by) return std::nullopt;
    int64_t result = 0;
    if (op == ast::BinaryOp::Mult)
        return __builtin_mul_overflow(count, *by, &result) ? std::nullopt : made(span.typed, result);
    if (*by == 0) return made(span.typed, kNaT);
    return made(span.typed, count / *by);
}

}  // namespace

bool is_time(const Const& c) { return c.as<Const::Int>() && (is_datetime(c.typed) || is_timedelta(c.typed)); }

std::optional<Const> apply_to_time(ast::BinaryOp op, const Const& a, const Const& b) {
    const bool is_sum = op == ast::BinaryOp::Add || op == ast::BinaryOp::Sub;
    const bool is_product = op == ast::BinaryOp::Mult;
    const bool is_quotient = op == ast::BinaryOp::Div || op == ast::BinaryOp::FloorDiv;
    if (is_sum) {  // a number counts the other's units
        if (!is_time(a) && to_int(a))
            return sum(op, Const{Const::Int(*to_int(a)), timedelta_type(unit_of(b.typed))}, b);
        if (!is_time(b) && to_int(b))
            return sum(op, a, Const{Const::Int(*to_int(b)), timedelta_type(unit_of(a.typed))});
        return is_time(a) && is_time(b) ? sum(op, a, b) : std::nullopt;
    }
    if (is_time(a) && is_time(b)) {
        if (!is_timedelta(a.typed) || !is_timedelta(b.typed) || is_nat(a) || is_nat(b)) return std::nullopt;
        const auto of = in_one_unit(a, b);
        return of ? of_spans(op, *of) : std::nullopt;
    }
    if (is_product && is_time(b) && is_timedelta(b.typed) && is_number(a)) return scaled(op, b, a);
    if ((is_product || is_quotient) && is_time(a) && is_timedelta(a.typed) && is_number(b)) return scaled(op, a, b);
    return std::nullopt;
}

std::optional<Const> apply_to_time(ast::UnaryOp op, const Const& span) {
    if (!is_timedelta(span.typed) || op == ast::UnaryOp::Invert) return std::nullopt;
    if (op == ast::UnaryOp::UAdd || is_nat(span)) return span;
    return made(span.typed, -count_of(span));
}

std::optional<bool> compare_times(ast::CompareOp op, const Const& a, const Const& b) {
    if (!is_time(a) || !is_time(b) || is_datetime(a.typed) != is_datetime(b.typed)) return std::nullopt;
    if (is_nat(a) || is_nat(b)) return op == ast::CompareOp::NotEq;
    const auto of = in_one_unit(a, b);
    if (!of) return std::nullopt;
    return compare(op, Const{Const::Int(of->a), {}}, Const{Const::Int(of->b), {}});
}

std::optional<Const> time_as(const Const& time, Type type) {
    if (!is_datetime(type) && !is_timedelta(type)) return cast(Const{time.value, {}}, type);
    if (is_datetime(type) != is_datetime(time.typed)) return std::nullopt;
    if (unit_of(type) == kNoUnit) return time;
    const auto count = moment_in({unit_of(time.typed), count_of(time)}, unit_of(type));
    return count ? made(type, *count) : std::nullopt;
}

std::optional<int64_t> count_of_span(const Const& value) {
    const auto* text = value.as<std::string>();
    if (!text) return to_int(value);
    int64_t count = 0;
    const char* const end = text->data() + text->size();
    const auto [last, error] = std::from_chars(text->data(), end, count);
    return error == std::errc() && last == end ? std::optional(count) : std::nullopt;
}

}  // namespace pyk
