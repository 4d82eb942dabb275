// What C++ makes of types where texts of two types meet. A 64-bit integer is `long long` everywhere, so that a scalar
// Type is exactly one C++ type.
#pragma once

#include <string>
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

/// The C++ spelling of a scalar's, a record's or a tuple's type.
std::string cpp_name(Type type);
/// Of a date or a time: `seconds`. Empty: it has no unit, or is none.
std::string_view date_unit(Type type);
/// The same in the functions of headers, where complex numbers are those of C++, and dates say their unit.
std::string host_name(Type type);
/// The same where a value of the type is held: of a record it is a pointer.
std::string held_name(Type type);
/// From now on arrays in tuples and results are held with what keeps their memory, in this thread.
void hold_kept_arrays(bool on);
/// `pyk::array<const float, 2, pyk::F>`.
std::string array_name(Type array, bool is_const);
/// `pyk::array32<const float, 2>`, of an array in C order.
std::string index32_array_name(Type array, bool is_const);
/// That of its elements.
std::string element_name(Type array, bool is_const);
/// The same of the arrays of a tuple.
std::string tuple_name(Type type, bool is_const);
/// Of a tuple as the host packs it: nothing holds its arrays' memory.
std::string given_tuple_name(Type type);

}  // namespace pyk::emitter
