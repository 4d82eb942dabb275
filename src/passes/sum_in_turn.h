#pragma once

#include "ir/ir.h"

namespace pyk {

/// A sum of floats takes its elements in order. Where these stand anywhere, g++ would gather several at once and then
/// add them one by one, which takes longer than to load them one by one. In loops:
///
///   total = (total + x[columns[k]])       total = (total + x[@pyk.in_turn(columns[k]):int64])
///
/// With fastmath, sums are built up in several parts at once, and nothing changes.
void sum_in_turn(ir::Function& function);

}  // namespace pyk
