// CUDA's vector types (`float4`, which Numba calls float32x4) and Dim3, the type of `cuda.threadIdx`.
#pragma once

#include <optional>
#include <string_view>

#include "types/type.h"

namespace pyk {

/// By Numba's name or by CUDA's: `float32x4`, `float4`.
std::optional<Type> vector_from_name(std::string_view name);

/// CUDA's name of a vector's component: `uint` of uint32, `longlong` of int64. Empty: there is no such vector.
std::string_view cuda_component(Scalar component);

/// `{x, y, z: int32}`.
Type dim3_type();

/// A tuple that has elements in Python's sense, to be indexed, unpacked, compared; the others have attributes only.
bool is_sequence(Type type);
/// A dataclass: a struct of its fields, no tuple.
bool is_structure(Type type);

}  // namespace pyk
