#include "types/time.h"

#include <algorithm>
#include <string>

namespace pyk {
namespace {

constexpr std::string_view kUnits[] = {"Y", "M", "W", "?", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", ""};
/// How many of the next unit one is; none from months to weeks, which is no number.
constexpr int64_t kNext[] = {12, 0, 7, 0, 24, 60, 60, 1000, 1000, 1000, 1000, 1000, 1000, 0, 0};
constexpr int kMostDigits = 18;

constexpr std::string_view kDatetime = "datetime64", kTimedelta = "timedelta64";

bool has_name(Type type, std::string_view prefix) {
    return type.is_distinct() && type.name().starts_with(std::string(prefix) + "[");
}

Type time_type(std::string_view kind, int unit) {
    return Type::distinct(std::string(kind) + "[" + std::string(kUnits[unit]) + "]", Scalar::int64);
}

int next_unit(int unit) { return unit == kWeeks ? kDays : unit + 1; }

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/// Days from 1970-01-01 to the first day of a month, by Gregory's calendar.
int64_t days_before(int64_t months) {
    const int64_t year = 1970 + floor_div(months, 12), month = months - 12 * floor_div(months, 12);
    // Years that begin with March have their leap day at the end.
    const int64_t y = year - (month < 2), m = (month + 10) % 12;
    return 365 * y + floor_div(y, 4) - floor_div(y, 100) + floor_div(y, 400) + (153 * m + 2) / 5 - 719468;
}

int64_t months_until(int64_t days) {
    int64_t months = floor_div(days * 12, 366);
    while (days_before(months) > days) --months;
    while (days_before(months + 1) <= days) ++months;
    return months;
}

/// Reads the parts of a text one behind the other.
struct Reader {
    std::string_view text;

    std::optional<int64_t> number(size_t digits) {
        if (text.size() < digits) return std::nullopt;
        int64_t value = 0;
        for (const char c : text.substr(0, digits)) {
            if (c < '0' || c > '9') return std::nullopt;
            value = 10 * value + (c - '0');
        }
        text.remove_prefix(digits);
        return value;
    }
    bool accept(char c) {
        if (!text.starts_with(c)) return false;
        text.remove_prefix(1);
        return true;
    }
};

}  // namespace

bool is_datetime(Type type) { return has_name(type, kDatetime); }
bool is_timedelta(Type type) { return has_name(type, kTimedelta); }
Type datetime_type(int unit) { return time_type(kDatetime, unit); }
Type timedelta_type(int unit) { return time_type(kTimedelta, unit); }

int unit_of(Type time) {
    const std::string name = time.name();
    const size_t open = name.find('[');
    return *unit_from_name(std::string_view(name).substr(open + 1, name.size() - open - 2));
}

std::optional<int> unit_from_name(std::string_view name) {
    const auto found = std::ranges::find(kUnits, name);
    if (found == std::end(kUnits) || name == "?") return std::nullopt;
    return static_cast<int>(found - std::begin(kUnits));
}

std::string_view unit_word(int unit) {
    static constexpr std::string_view kWords[] = {"years",
                                                  "months",
                                                  "weeks",
                                                  "",
                                                  "days",
                                                  "hours",
                                                  "minutes",
                                                  "seconds",
                                                  "milliseconds",
                                                  "microseconds",
                                                  "nanoseconds",
                                                  "picoseconds",
                                                  "femtoseconds",
                                                  "attoseconds",
                                                  ""};
    return kWords[unit];
}

std::optional<Type> time_from_name(std::string_view name) {
    const size_t open = std::min(name.find('['), name.size());
    const std::string_view kind = name.substr(0, open);
    std::string_view unit = name.substr(open);
    if (!unit.empty()) {
        if (!unit.ends_with(']')) return std::nullopt;
        unit = unit.substr(1, unit.size() - 2);
    }
    const auto code = unit_from_name(unit);
    if (!code) return std::nullopt;
    if (kind == kDatetime || kind == "M8") return datetime_type(*code);
    if (kind == kTimedelta || kind == "m8") return timedelta_type(*code);
    return std::nullopt;
}

std::string time_descr(Type time) {
    const int unit = unit_of(time);
    const std::string kind = is_datetime(time) ? "<M8" : "<m8";
    return unit == kNoUnit ? kind : kind + "[" + std::string(kUnits[unit]) + "]";
}

std::optional<int64_t> units_in(int coarse, int fine) {
    if (coarse == kNoUnit) return 1;
    int64_t factor = 1;
    while (coarse < fine) {
        if (kNext[coarse] == 0 || __builtin_mul_overflow(factor, kNext[coarse], &factor)) return std::nullopt;
        coarse = next_unit(coarse);
    }
    return coarse == fine ? std::optional(factor) : std::nullopt;
}

bool is_finer(int unit, int than) {
    if (unit == than || than == kNoUnit) return true;
    return unit != kNoUnit && than < unit && !(than <= kMonths && unit > kMonths);
}

int finest(int a, int b) {
    if (a == kNoUnit) return b;
    return b == kNoUnit ? a : std::max(a, b);
}

std::optional<Moment> parse_moment(std::string_view text) {
    if (text == "NaT" || text == "nat" || text == "NAT" || text.empty()) return Moment{kNoUnit, kNaT};
    Reader in{text};
    const bool before_christ = in.accept('-');
    const auto year = in.number(4);
    if (!year) return std::nullopt;
    Moment moment{kYears, (before_christ ? -*year : *year) - 1970};
    if (in.text.empty()) return moment;
    const auto month = in.accept('-') ? in.number(2) : std::nullopt;
    if (!month || *month < 1 || *month > 12) return std::nullopt;
    moment = {kMonths, moment.count * 12 + *month - 1};
    if (in.text.empty()) return moment;
    const auto day = in.accept('-') ? in.number(2) : std::nullopt;
    const int64_t length = days_before(moment.count + 1) - days_before(moment.count);
    if (!day || *day < 1 || *day > length) return std::nullopt;
    moment = {kDays, days_before(moment.count) + *day - 1};
    if (in.text.empty()) return moment;
    if (!in.accept('T') && !in.accept(' ')) return std::nullopt;
    for (const int64_t parts : {24, 60, 60}) {
        const auto part = in.number(2);
        if (!part || *part >= parts) return std::nullopt;
        moment = {moment.unit + 1, moment.count * parts + *part};
        if (in.text.empty()) return moment;
        if (parts == 60 && moment.unit == 7) break;
        if (!in.accept(':')) return std::nullopt;
    }
    if (!in.accept('.') || in.text.empty() || in.text.size() > kMostDigits) return std::nullopt;
    while (!in.text.empty()) {
        const size_t digits = std::min<size_t>(3, in.text.size());
        auto part = in.number(digits);
        if (!part) return std::nullopt;
        for (size_t i = digits; i < 3; ++i) *part *= 10;
        if (__builtin_mul_overflow(moment.count, int64_t{1000}, &moment.count)) return std::nullopt;
        moment = {moment.unit + 1, moment.count + *part};
    }
    return moment;
}

std::optional<int64_t> moment_in(Moment moment, int unit) {
    if (moment.count == kNaT || moment.unit == kNoUnit || unit == kNoUnit) return moment.count;
    if (moment.unit <= kMonths && unit > kMonths) {
        moment.count = days_before(moment.unit == kYears ? 12 * moment.count : moment.count);
        moment.unit = kDays;
    }
    if (moment.unit > kMonths && unit <= kMonths) {
        const auto per_day = units_in(kDays, std::max(moment.unit, kDays));
        const int64_t days = moment.unit == kWeeks ? 7 * moment.count : floor_div(moment.count, per_day.value_or(1));
        moment = {kMonths, months_until(days)};
    }
    int64_t count = moment.count;
    if (moment.unit > unit) {
        const auto factor = units_in(unit, moment.unit);
        return factor ? std::optional(floor_div(count, *factor)) : std::nullopt;
    }
    const auto factor = units_in(moment.unit, unit);
    if (!factor || __builtin_mul_overflow(count, *factor, &count)) return std::nullopt;
    return count;
}

}  // namespace pyk
