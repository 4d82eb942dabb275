#pragma once

#include "builtins/operators.h"
#include "passes/ranges.h"

namespace pyk {

/// Computes in 32 bits what provably fits them, so that `tx + 1` costs what it costs in C++ and needs no cast:
///
///   (int64(tx) + 1)        (int64(tx) TruncMod 32)        (int64(tx) < 5)    int64(int32(k))    where k fits an int32
///   int64((tx + 1:int32))  int64((tx TruncMod 32:int32))  (tx < 5:int32)     k
///
/// Sums of small unsigned numbers, which are uint64 in Numba, too; and what `Words` says. `ranges` are still right
/// afterwards.
void narrow(ir::Function& function, Ranges& ranges);

/// Operators of 64-bit integers that give the same bits in int32 when operands and result fit it; and builtins.
bool has_narrow_form(BinaryOp op);
bool has_narrow_form(const ir::BuiltinCall& call);
/// Whether 32 bits shift as 64 do: to the right, or to the left what stays below 2^31.
bool is_narrow_shift(const ir::Expr& expr, const Ranges& ranges);

}  // namespace pyk
