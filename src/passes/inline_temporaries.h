#pragma once

#include "ir/ir.h"

namespace pyk {

/// Puts a compiler's temporary that is assigned once and read once where it is read:
///
///   t1 = b   t2 = (a + b)   a = t1   b = t2
///   t2 = (a + b)   a = b   b = t2
///
/// A variable of the author's that has two types is assigned as the one that it is read as:
///
///   x.int32 = a[i]   n = (n + 1)   x.int64 = int64(x.int32)
///   x.int64 = int64(a[i])   n = (n + 1)
///
/// In each way of a branch too, where what it is assigned there is seen nowhere else.
///
/// Only within one run of simple statements, where nothing between assigns what the value reads, and where C++ may
/// evaluate the reading statement in any order and still give one result.
void inline_temporaries(const ir::Module& module, ir::Function& function);

}  // namespace pyk
