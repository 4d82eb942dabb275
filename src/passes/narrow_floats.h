#pragma once

#include "ir/ir.h"

namespace pyk {

/// Whether a float64 is a number of float32: converted from one, a literal, a choice among them.
bool is_float32(const ir::Expr& expr);
/// The same as a float32.
void become_float32(ir::ExprPtr& expr);

/// Makes float32 of the variables that only ever hold numbers of float32, so that a literal does not have a GPU compute
/// in float64:
///
///   best.float64 = 0.0   best.float64 = max(best.float64, float64(x[i]))
///   best.float32 = 0.0   best.float32 = float32(max(float64(best.float32), float64(x[i])))
void narrow_float_locals(ir::Function& function);

/// A choice among numbers of float32 (min, max, abs, -x, `x if c else y`, rounded to whole numbers) is one of them, and
/// is made in float32 where it is converted:
///
///   float32(max(float64(x), 0.0))   int32(floor(float64(x)))
///   max(x, 0.0:float32)             int32(floor(x))
///
/// No value changes, which it would where a sum or a product became float32: those may be contracted with the next one.
void narrow_choice(ir::ExprPtr& conversion);

/// Numbers of float32 are compared as such, also with one that lies between two of them, by the nearest of these: 0.1
/// is less than the float32 of that name, and 0.7 greater.
///
///   float64(x) > 0.5   float64(x) == float64(y)   float64(x) > 0.1   float64(x) < 0.7
///   x > 0.5:float32    x == y                     x >= 0.1:float32   x <= 0.7:float32
void narrow_comparison(ir::Expr& expr);

}  // namespace pyk
