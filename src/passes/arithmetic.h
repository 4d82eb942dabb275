// Integer arithmetic on constants as Numba does it: in the type's width, wrapping.
#pragma once

#include <optional>

#include "builtins/operators.h"
#include "ir/constant.h"

namespace pyk {

/// The value of `lhs op rhs` for constants; nullopt where folding would hide something (a float division by zero) or is
/// not worth the trouble. `type` is the operands' type: of a shift and a power the left one's.
std::optional<ir::ConstantValue> evaluate(BinaryOp op, const ir::ConstantValue& lhs, const ir::ConstantValue& rhs,
                                          Type type);
std::optional<ir::ConstantValue> evaluate(UnaryOp op, const ir::ConstantValue& operand, Type type);

}  // namespace pyk
