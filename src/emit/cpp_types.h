// What C++ makes of types where texts of two types meet. A 64-bit integer is `long long` everywhere, so that a scalar
// Type is exactly one C++ type.
#pragma once

#include <string_view>

#include "types/type.h"

namespace pyk::emitter {

/// A scalar that is a class of the prelude in C++: no text of another type converts to it by itself.
bool is_class(Type type);
/// After the integer promotions.
Type promoted(Type type);
/// After the usual arithmetic conversions of two scalars.
Type common(Type a, Type b);
/// Every value of `narrow` is one of `wide`.
bool holds(Type wide, Type narrow);

/// The C++ spelling of a scalar, or of what a distinct type is made of.
std::string_view scalar_name(Type type);
/// Of a date or a time: `seconds`. Empty: it has no unit, or is none.
std::string_view date_unit(Type type);

}  // namespace pyk::emitter
