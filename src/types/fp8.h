// CUDA's floats of 8 bits, to convert from and to: bytes of their own type, without operators.
#pragma once

#include <optional>
#include <string_view>

#include "types/type.h"

namespace pyk {

/// `fp8_e5m2`, `fp8_e4m3`, `fp8_e8m0`.
std::optional<Type> fp8_from_name(std::string_view name);
bool is_fp8(Type type);

}  // namespace pyk
