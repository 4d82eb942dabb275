#pragma once

#include "ir/ir.h"

namespace pyk {

/// A constant that is an int wherever it is read, or stands beside an int64, is one, as a person would have it:
///
///   constant TILE: int64 = 16     (tx // int32($TILE))   (n * $TILE)
///   constant TILE: int32 = 16     (tx // $TILE)          (n * int64($TILE))
void narrow_constants(ir::Module& module);

}  // namespace pyk
