// NumPy's datetime64 and timedelta64: 64-bit counts of a unit, whose least value is NaT. In unit arithmetic as NumPy
// and Numba have it, a unit is its code in NumPy (years 0, months 1, weeks 2, days 4 … attoseconds 13, no unit 14).
#pragma once

#include <optional>
#include <string_view>

#include "types/type.h"

namespace pyk {

inline constexpr int kYears = 0, kMonths = 1, kWeeks = 2, kDays = 4, kNoUnit = 14;
inline constexpr int64_t kNaT = INT64_MIN;

bool is_datetime(Type type);
bool is_timedelta(Type type);
Type datetime_type(int unit);
Type timedelta_type(int unit);
int unit_of(Type time);

/// `D`, `us`; nothing for no unit.
std::optional<int> unit_from_name(std::string_view name);
/// `seconds`, as C++ names them; empty for no unit.
std::string_view unit_word(int unit);
/// NumPy's names: `datetime64[D]`, `timedelta64`, `M8[ns]`.
std::optional<Type> time_from_name(std::string_view name);
/// As NumPy writes it in files: `<M8[D]`.
std::string time_descr(Type time);

/// How many of the second unit one of the first is, where that is one number.
std::optional<int64_t> units_in(int coarse, int fine);
/// Whether timedeltas of the one unit are also ones of the other.
bool is_finer(int unit, int than);
/// The finer of two units.
int finest(int a, int b);

/// What `np.datetime64('2020-01-01T12')` says: the unit of its last part, and the count.
struct Moment {
    int unit;
    int64_t count;
};
std::optional<Moment> parse_moment(std::string_view text);
/// A count of another unit; coarser ones lose what is less.
std::optional<int64_t> moment_in(Moment moment, int unit);

}  // namespace pyk
