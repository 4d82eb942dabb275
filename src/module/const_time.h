// NumPy's arithmetic on constant dates and spans of time.
#pragma once

#include <optional>

#include "module/constant.h"

namespace pyk {

/// Whether it is a datetime64 or a timedelta64.
bool is_time(const Const& constant);

/// Of two operands of which one is a time; nullopt: NumPy has no such operator, or the result is no constant.
std::optional<Const> apply_to_time(ast::BinaryOp op, const Const& a, const Const& b);
std::optional<Const> apply_to_time(ast::UnaryOp op, const Const& span);
std::optional<bool> compare_times(ast::CompareOp op, const Const& a, const Const& b);

/// A time in another unit, or its count as a number.
std::optional<Const> time_as(const Const& time, Type type);

/// The span that a text or a number of so many units is: `np.timedelta64("3600", "s")`.
std::optional<int64_t> count_of_span(const Const& value);

}  // namespace pyk
