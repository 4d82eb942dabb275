// Narrow typing (`--typing=narrow`): the types that PyTorch and JAX give, in place of Numba's. A weak operand (a number
// written out, an extent of an array, a name that is given only such) takes the other operand's type; 32 bits stay 32
// bits; an integer where a float is needed becomes a float32. docs/semantics.md has the table.
#pragma once

#include <optional>

#include "builtins/operators.h"
#include "types/type.h"

namespace pyk {

/// Which rules type a function.
enum class Typing : uint8_t { numba, narrow };

namespace narrow {

struct Operand {
    Type type;
    bool is_weak = false;
    bool is_constant = false;
    std::optional<__int128> value = {};  ///< of an integer constant
};

/// The type that a weak value has by itself: int32, but for a number that does not fit; float32.
Type settled(const Operand& weak);

/// The type of a weak float or complex number with all of its digits; of others, what they have.
Type with_all_digits(Type type);

/// The one type of two values that meet; invalid where there is none. Weak if both are.
Type promote(const Operand& a, const Operand& b);

/// Operators on scalars. `operands`: what the operation works on, at least 32 bits wide where it is one of integers;
/// `result`: what its value is converted to then. Boolean for comparisons.
std::optional<Resolution> resolve(BinaryOp op, const Operand& lhs, const Operand& rhs);
std::optional<Resolution> resolve(UnaryOp op, Type operand);

}  // namespace narrow
}  // namespace pyk
