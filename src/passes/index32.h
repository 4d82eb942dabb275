#pragma once

#include "ir/ir.h"

namespace pyk {

/// Makes a raised kernel one that is launched with arrays of at most 2^30 elements, and with grids of at most 2^20
/// blocks and so 2^30 threads along an axis (runtime/host/memory_range.h looks at that): what provably fits 32 bits
/// then has them, as in CUDA C++ by hand.
///
///   x = @cuda.grid.x:int64              x = @cuda.grid.x.int32:int32
///   (x Lt shape(a, 1):int64)            (x Lt int32(shape(a, 1)):int32)
///   for k in range(0, shape(a, 0), 1)   for k in range(0:int32, int32(shape(a, 0)), 1:int32)
///
/// Sets Function::index32; leaves a kernel alone that indexes no array of several axes, and so would not profit, or
/// that has its arrays as values (`x = a`).
void index32(const ir::Module& module, ir::Function& kernel);

/// A parameter that such a kernel has as an array with extents and places of 32 bits.
bool is_index32(const ir::Function& function, ir::LocalId id);
bool is_index32(const ir::Function& function, const ir::Expr& array);

}  // namespace pyk
