// IR as text: deterministic, readable, and read back by read.h. Types of operators follow from their operands, so that
// the text shows a type only where nothing else says it. A statement's line stands behind it as a comment.
//
//   kernel saxpy = pyk_saxpy_f4_a1f4c_a1f4c(a: float32, x: float32[::1], y: float32[::1]) effects(reads, writes) {
//     var i: int64
//
//     i = @cuda.grid.x:int64                      # 5
//     if (i < shape(y, 0)) {                      # 6
//       store y[i] = ((a * x[i]) + y[wrap i])     # 7
//     }
//   }
//
//   expressions: 5 (int64), 5:int32, 2.5 (float64), 2.5:float32, True, $NAME (module constant), local, (a + b), (- a),
//   (a and b),
//                (then if condition else otherwise), int32(a), convert<T>(a), @builtin(args):T, call symbol(args),
//                tuple(a, b), item(t, 0), at(t, i), a[i, wrap j], ref(a, i), view<T>(a, i, slice(start, _, _)),
//                transpose<T>(a), shape(a, 0), size(a)
//   statements:  local = e, store a[i] = e, eval e, if, while, for i in range(start, stop, step), break, continue,
//   return e locals:      by name; `name.id` where that is not unique
#pragma once

#include <string>

#include "ir/ir.h"

namespace pyk::ir {

std::string print(const Module& module);
/// One expression of a function, for messages and tests.
std::string print(const Module& module, const Function& function, const Expr& expr);

}  // namespace pyk::ir
