// CUDA's floats of 8 bits, to convert from and to: bytes of their own type, without operators.
#pragma once

#include <optional>
#include <string_view>

#include "types/type.h"

namespace pyk {

/// `fp8_e5m2`, `fp8_e4m3`, `fp8_e8m0`; `fp8x2_e5m2` and its like of two, `fp8x4_e5m2` of four, the first lowest.
std::optional<Type> fp8_from_name(std::string_view name);
/// Of one number.
bool is_fp8(Type type);
/// How many numbers it holds: 1, 2 or 4; 0 for any other type.
size_t fp8_count(Type type);
/// The type of each number.
Type fp8_element(Type type);

}  // namespace pyk
