#pragma once

#include "ir/ir.h"

namespace pyk {

/// A thread's index in the grid that is read in 32 bits alone is computed in them:
///
///   x = @cuda.grid.x:int64          i = uint32(x)      j = int32(@cuda.grid.y:int64)
///   x = @cuda.grid.x.uint32:uint32  i = x              j = @cuda.grid.y.int32:int32
///
/// LLVM drops the upper halves as well, but keeps instructions for them.
void narrow_thread_index(ir::Function& function);

/// `@cuda.grid.x:int64`, and what else has a form of 32 bits.
bool is_thread_index(const ir::Expr& expr);
/// `@cuda.grid.x:int64` in a type of 32 bits; null: the expression is no such index.
ir::ExprPtr thread_index_as(Type type, const ir::Expr& expr);

}  // namespace pyk
