// Numbers of the command line as values of scalar types.
#pragma once

#include <optional>
#include <string>

#include "sema/sema.h"

namespace pyk {

/// The value in another scalar type. nullopt: it does not fit (a fraction in an integer, 300 in uint8).
std::optional<ConstantValue> convert_number(const ConstantValue& value, Scalar to);

/// Appends the value's bytes as memory holds them. The value's alternative must be the one of the type's kind.
void append_bytes(std::string& bytes, const ConstantValue& value, Scalar type, double imaginary = 0);

}  // namespace pyk
