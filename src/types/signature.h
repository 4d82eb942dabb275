// Signatures as text: `saxpy(float32, float32[::1], float32[::1])`, `void(float32[:], int64)`, `float64(float64)`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "types/type.h"

namespace pyk {

struct Signature {
    std::string name;  ///< empty unless written before the parenthesis and not a type
    Type result;       ///< invalid unless written
    std::vector<Type> params;
    bool noalias = false;  ///< `noalias` after the closing parenthesis: no two arrays overlap
    bool index32 = false;  ///< `index32` behind that: arrays and grids of at most 2^30 elements and 2^20 blocks
};

struct SignatureError {
    size_t offset;  ///< byte in the text
    std::string message;
    size_t length = 1;  ///< of what is wrong, in bytes
};

/// What a name that is none of Numba's stands for: a dtype of the file.
using TypeNames = std::function<std::optional<Type>(std::string_view)>;

/// Parses one signature. Types: every alias of types.def; `T[:]`, `T[:, :]` (layout A), `T[:, ::1]`, `T[::1]` (C),
/// `T[::1, :]` (F); tuples `(T, U)` and `UniTuple(T, 3)`, `Tuple((T, U))`; `void`, `none`; Numba's `Array(T, 2, 'C')`;
/// `CPointer(T)` and `voidptr`; Numba's `Record(x[type=float32;offset=0];4;True)`;
/// a prefix `types.`, `numba.`, `np.` is ignored. A trailing `noalias`, or `noalias index32`, sets the flags.
std::optional<Signature> parse_signature(std::string_view text, SignatureError& error, const TypeNames& names = {});

/// Parses one type in the same notation.
std::optional<Type> parse_type(std::string_view text, SignatureError& error, const TypeNames& names = {});

}  // namespace pyk
