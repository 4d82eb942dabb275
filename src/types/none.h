// None, and values that may be None.
#pragma once

#include <string_view>

#include "types/vector.h"

namespace pyk {

/// None in the place of a value, as in a tuple, is a structure without fields, of a name that no class has.
inline constexpr std::string_view kNoneName = "None";

inline bool is_none_value(Type type) { return is_structure(type) && type.tuple_name() == kNoneName; }

/// Numba's operators of Optional numbers have types of their own; arrays that may be None are as good as arrays.
inline bool may_be_array(Type type) { return type.is_optional() && type.elements()[1].is_array(); }

}  // namespace pyk
