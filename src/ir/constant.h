// Values of scalar constants: their representation by type, and conversion as Numba converts.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "types/type.h"

namespace pyk::ir {

/// bool for boolean, int64_t for signed, uint64_t for unsigned, double for floating types. A complex constant is a call
/// of `pyk.complex` with two of these.
using ConstantValue = std::variant<bool, int64_t, uint64_t, double>;

/// Whether the value is one that a constant of the type may have: the alternative of its kind, within its width.
bool represents(const ConstantValue& value, Type type);

/// False, 0 or 0.0.
bool is_zero(const ConstantValue& value);

/// The value after conversion to a scalar type. nullopt where the result depends on the machine (a float out of range),
/// and for complex types.
std::optional<ConstantValue> convert_constant(const ConstantValue& value, Type type);

/// An integer, cut to the width of an integer type.
ConstantValue integer_constant(uint64_t bits, Type type);

}  // namespace pyk::ir
