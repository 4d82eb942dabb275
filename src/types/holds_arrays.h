#pragma once

#include <algorithm>

#include "types/type.h"

namespace pyk {

/// Whether it is an array, or a tuple with one in it.
inline bool holds_arrays(Type type) {
    return type.is_array() || (type.is_tuple() && std::ranges::any_of(type.elements(), holds_arrays));
}

}  // namespace pyk
