// What a function's variables stand for.
#pragma once

#include <map>

#include "ir/ir.h"

namespace pyk {

/// What each variable is assigned; null: more than one value. What nothing assigns is not in it: parameters, counters.
using AssignedOnce = std::map<ir::LocalId, const ir::Expr*>;
AssignedOnce assigned_once(const ir::Function& function);

/// Whether a variable is the same wherever it is read.
bool has_one_value(ir::LocalId local, const AssignedOnce& assigned);

/// So deep are variables looked through: they may stand for each other.
inline constexpr int kMostNames = 8;

/// What a variable stands for; null: nothing assigns it, or more than one value; or the expression is none.
const ir::Expr* value_of(ir::LocalId local, const AssignedOnce& assigned);
const ir::Expr* value_of(const ir::Expr& expr, const AssignedOnce& assigned);
/// What an expression stands for, through variables and conversions.
const ir::Expr& resolved(const ir::Expr& expr, const AssignedOnce& assigned);

}  // namespace pyk
