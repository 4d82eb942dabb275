// The mini-language of typing rules, and Numba's overload resolution over them.
//
//   rule  := case (" | " case)*             ordered; the best case wins, the first among equals (reference §3.1)
//   case  := "(" param ("," param)* ")" "->" result [" where " var ":" class]
//   param := type | var | "ref" (type|var)  `ref`: an array element, given in Python as two arguments: array, index
//          | "rng"                          an array of xoroshiro128p states
//          | param "=" literal              optional, with this value when left out
//   type  := a scalar's name | class        class: `int`, `float`, `number`, `any` … (see rule.cpp)
//   result:= type | var | "(" result,… ")" | "none"
//
//   e.g.  "(float32) -> float32 | (float64) -> float64",  "(ref T, T) -> T where T: atomic"
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "types/type.h"

namespace pyk {

/// How a call or an operator is typed: the types that its operands are converted to, and the result.
struct Resolution {
    std::vector<Type> operands;
    Type result;
};

/// One concrete case, such as `(int64, int64) -> int64`.
struct Case {
    std::vector<Type> params;
    Type result;
};

/// Numba's choice among ordered cases: the lexicographically smallest count of (unsafe, safe, promoting) conversions,
/// the first listed among equals. `allow_unsafe` false drops every case that needs an unsafe conversion.
std::optional<Resolution> choose(std::span<const Case> cases, std::span<const Type> args, bool allow_unsafe = true);

}  // namespace pyk
