// NumPy's datetime64 and timedelta64: counts of a unit; NaT is the least of all numbers, and NaT goes on.
//
// Defines: is_nat, earlier, later, time_scaled, time_sum, time_difference, time_negative, time_absolute, time_product,
// time_quotient, time_ratio, time_equal, time_less, time_less_equal, weeks_of_days, days_of_years, days_of_months
#ifndef PYK_TIME_H
#define PYK_TIME_H

#include "pyk/config.h"
#include "pyk/number.h"

namespace pyk {

inline constexpr long long nat = -9223372036854775807LL - 1;

PYK_DEVICE bool is_nat(long long t) { return t == nat; }

PYK_DEVICE long long time_scaled(long long t, long long factor) { return is_nat(t) ? nat : t * factor; }

PYK_DEVICE long long time_sum(long long a, long long b) { return is_nat(a) || is_nat(b) ? nat : a + b; }
PYK_DEVICE long long time_difference(long long a, long long b) { return is_nat(a) || is_nat(b) ? nat : a - b; }

PYK_DEVICE long long time_negative(long long t) { return is_nat(t) ? nat : -t; }
PYK_DEVICE long long time_absolute(long long t) { return t < 0 ? time_negative(t) : t; }

template <class T>
PYK_DEVICE long long time_rounded(T t) {
    return t != t ? nat : static_cast<long long>(t);
}
PYK_DEVICE long long time_product(long long t, long long n) { return is_nat(t) ? nat : t * n; }
PYK_DEVICE long long time_product(long long t, float x) {
    return is_nat(t) ? nat : time_rounded(static_cast<float>(t) * x);
}
PYK_DEVICE long long time_product(long long t, double x) {
    return is_nat(t) ? nat : time_rounded(static_cast<double>(t) * x);
}

PYK_DEVICE long long time_quotient(long long t, long long n) { return is_nat(t) || n == 0 ? nat : t / n; }
PYK_DEVICE long long time_quotient(long long t, float x) {
    return is_nat(t) || x == 0 ? nat : time_rounded(static_cast<float>(t) / x);
}
PYK_DEVICE long long time_quotient(long long t, double x) {
    return is_nat(t) || x == 0 ? nat : time_rounded(static_cast<double>(t) / x);
}

PYK_DEVICE double time_ratio(long long a, long long b) {
    return is_nat(a) || is_nat(b) ? nan() : static_cast<double>(a) / static_cast<double>(b);
}

PYK_DEVICE bool time_equal(long long a, long long b) { return a == b && !is_nat(a); }
PYK_DEVICE bool time_less(long long a, long long b) { return a < b && !is_nat(a); }
PYK_DEVICE bool time_less_equal(long long a, long long b) { return a <= b && !is_nat(a); }

PYK_DEVICE long long earlier(long long a, long long b) { return time_less(b, a) ? b : a; }
PYK_DEVICE long long later(long long a, long long b) { return time_less(a, b) && !is_nat(b) ? b : a; }

PYK_DEVICE long long floor_of(long long a, long long b) { return a / b - (a % b < 0); }

PYK_DEVICE long long weeks_of_days(long long days) { return is_nat(days) ? nat : floor_of(days, 7); }

/// From 1970-01-01 to the first day of a month, which is counted from January 1970.
PYK_DEVICE long long days_of_months(long long months) {
    if (is_nat(months)) return nat;
    const long long years = floor_of(months, 12), month = months - 12 * years;
    // Years that begin with March have their leap day at the end.
    const long long year = 1970 + years - (month < 2), m = (month + 10) % 12;
    return 365 * year + floor_of(year, 4) - floor_of(year, 100) + floor_of(year, 400) + (153 * m + 2) / 5 - 719468;
}
PYK_DEVICE long long days_of_years(long long years) { return is_nat(years) ? nat : days_of_months(12 * years); }

}  // namespace pyk

#endif  // PYK_TIME_H
