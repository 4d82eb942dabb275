// None as an element of a tuple, or where a value of run time has to be.
#pragma once

#include <string>
#include <string_view>

#include "types/vector.h"

namespace pyk {

/// None in the place of a value, as in a tuple, is a structure without fields, of a name that no class has.
inline constexpr std::string_view kNoneName = "None";

inline Type none_value() { return Type::named_tuple(TupleKind::structure, std::string(kNoneName), {}, {}); }
inline bool is_none_value(Type type) { return is_structure(type) && type.tuple_name() == kNoneName; }

}  // namespace pyk
