// The mini-language of typing rules, and Numba's overload resolution over them.
//
//   rule   := "->" type                                          a value, not a function: `-> int32`
//           | ["special(" name ")"] ["safe:" | "ufunc:"] [case ("|" case)*]  ordered; the best case wins, the first
//           among equals
//   case   := "(" [param ("," param)*] ")" "->" result ["where" T ":" class]
//   param  := type ["as" type] ["=" literal]   `as`: rated as the first, converted to the second
//                                              `=`: may be left out, and is this then
//           | "ref" type ["=" literal]         an array element, in Python two arguments: array, index. Its type must
//                                              match exactly. With a literal: the array alone, the literal is the index
//           | "integer" type                   takes integers alone: no boolean, no float
//           | "rng"                            a writable 1-D array of xoroshiro128p states
//   type   := a scalar's name | a vector's (`float32x2`) | T
//   result := type | "(" type ("," type)* ")" | "none"
//   class  := names of classes (rule.cpp) or scalars, separated by blanks: the case is repeated for each, in order
//
//   `safe:` refuses unsafe conversions. `ufunc:` takes the first case that the arguments fit, as NumPy does.
//   `special(name)`: sema has a function for the call, which may ask the cases.
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
    std::vector<Type> operands;  ///< one per parameter, those that were left out included
    Type result;
};

/// One concrete case, such as `(int64, int64) -> int64`.
struct Case {
    std::vector<Type> params;
    Type result;
    std::vector<Type> operands = {};  ///< what the arguments are converted to; empty: to `params`
};

/// What a parameter takes, beside a type: the same in every case of a rule.
struct RuleParam {
    enum class Kind : uint8_t { value, ref, integer, rng };
    Kind kind = Kind::value;
    std::string_view default_value = {};

    bool is_optional() const { return (kind == Kind::value || kind == Kind::integer) && !default_value.empty(); }
    bool operator==(const RuleParam&) const = default;
};

/// A rule, parsed. Views into its text.
struct Rule {
    std::string_view special;  ///< the name in `special(…)`, or empty
    bool is_value = false;     ///< `-> type`: one case without parameters
    bool allow_unsafe = true;
    bool first_fit = false;         ///< `ufunc:`
    std::vector<RuleParam> params;  ///< of the longest case
    std::vector<Case> cases;        ///< `where` expanded
};

/// Throws InternalError when the text is not a rule: rules are ours, not input.
Rule parse_rule(std::string_view text);

/// The name in `special(…)`, or empty, without parsing the rest.
std::string_view special_of(std::string_view rule);

/// Numba's choice among ordered cases: the lexicographically smallest count of (unsafe, safe, promoting) conversions,
/// the first listed among equals. `allow_unsafe` false drops every case that needs an unsafe conversion.
std::optional<Resolution> choose(std::span<const Case> cases, std::span<const Type> args, bool allow_unsafe = true);

/// The same for a rule: a `ref` takes the element's type, arguments with a default may be missing at the end.
std::optional<Resolution> resolve(const Rule& rule, std::span<const Type> args);

}  // namespace pyk
