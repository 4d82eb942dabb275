#pragma once

#include <vector>

#include "ir/ir.h"

namespace pyk::ir {

/// Whether two expressions without effects are written alike: names, constants, arithmetic of them, elements and fields
/// that they lead to. Others are not the same.
bool is_same(const Expr& a, const Expr& b);
bool is_same(const std::vector<Index>& a, const std::vector<Index>& b);

}  // namespace pyk::ir
