// The names of numba.types that are not NumPy's as well.
#pragma once

#include <optional>
#include <string_view>

#include "types/type.h"

namespace pyk {

/// The scalar of a name of numba.types: every alias of types.def, and `size_t`, `byte`, `np_int32`, `c_float64`.
std::optional<Scalar> scalar_from_numba(std::string_view name);

}  // namespace pyk
