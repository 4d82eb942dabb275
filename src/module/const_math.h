// Functions of numbers that module code may call: those of `math`, NumPy's, and Python's own.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "module/constant.h"

namespace pyk {

/// `name`: of a builtin's row (`math.sqrt`, `np.sin`, `abs`). nullopt: not a function that constants can go through, or
/// not defined for these numbers.
std::optional<Const> call_function(std::string_view name, std::span<const Const> numbers);

/// Of what they are without their signs. nullopt: it has too many digits.
Const::Int greatest_divisor(Const::Int a, Const::Int b);
std::optional<Const::Int> least_multiple(Const::Int a, Const::Int b);

}  // namespace pyk
