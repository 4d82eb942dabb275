// NumPy's dates and times as C++ programs hold and pass them: 64-bit counts whose type says of what.
#pragma once

#include <cstdint>

namespace pyk {

/// NumPy's units of time.
enum class TimeUnit : unsigned char {
    years,
    months,
    weeks,
    days,
    hours,
    minutes,
    seconds,
    milliseconds,
    microseconds,
    nanoseconds,
    picoseconds,
    femtoseconds,
    attoseconds
};
/// numpy.datetime64: units since 1970 began.
template <TimeUnit Unit>
struct DateTime {
    std::int64_t count;
};
/// numpy.timedelta64.
template <TimeUnit Unit>
struct TimeDelta {
    std::int64_t count;
};
/// NumPy's NaT, the count of both.
inline constexpr std::int64_t not_a_time = INT64_MIN;

/// Whether T is one of both.
template <class T>
inline constexpr bool is_date = false;
template <TimeUnit Unit>
inline constexpr bool is_date<DateTime<Unit>> = true;
template <TimeUnit Unit>
inline constexpr bool is_date<TimeDelta<Unit>> = true;

}  // namespace pyk
