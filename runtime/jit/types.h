// Arguments in the compiler's terms.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "pyk/argument.hpp"
#include "types/type.h"

namespace pyk::jit {

/// A number in the alternative of its type's kind; the compiler's ConstantValue.
using Number = std::variant<bool, int64_t, uint64_t, double>;

/// Arrays are mutable here: a const one has no instance of its own, it is only refused where the kernel writes it.
Type type_of(const Argument& argument);

Number value_of(const Argument& scalar);
Argument scalar_argument(Type type, const Number& value);
Element element_of(Type element);

/// The value in another scalar type. nullopt: it does not fit (a fraction in an integer, 300 in uint8).
std::optional<Number> convert_number(const Number& value, Scalar to);

/// Appends the value's bytes as memory holds them. The value's alternative must be the one of the type's kind.
void append_bytes(std::string& bytes, const Number& value, Scalar type);

size_t byte_size(const Argument& array);

}  // namespace pyk::jit
