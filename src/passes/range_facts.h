// What the range analysis takes from constants, parameters, tables and the forms of expressions and loops.
#pragma once

#include <optional>

#include "ir/ir.h"
#include "ir/table.h"
#include "passes/range_state.h"

namespace pyk {

Interval of_value(const ir::ConstantValue& value, Type type);
/// What callers pass. Numbers of 32 bits that are given to a function are often extents.
Interval of_parameter(const ir::Local& param);
/// Of the numbers in a table that is not too large to ask each time.
Interval items_of(const ir::Table& table, Type type);

/// By what its left operand is divided, rounding down; nullopt: it is no such division, or by no small number.
std::optional<Wide> small_divisor(const ir::Module& module, const ir::Binary& n);

/// Locals that the function sets to numbers and moves by small steps, and nothing else.
LocalSet counters_of(const ir::Module& module, const ir::Function& function);

/// Whether what a loop asks is known of all its locals, one of which it changes: its rounds can be gone through.
bool follows_from_numbers(const ir::Expr& condition, const RangeState& state, const LocalSet& changed);

}  // namespace pyk
