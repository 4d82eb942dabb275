#pragma once

#include "ir/ir.h"

namespace pyk {

/// Whether two expressions of what `is_invariant` takes (passes/usage.h), or elements at such indices, are written
/// alike. Others are not the same.
bool is_same(const ir::Expr& a, const ir::Expr& b);

}  // namespace pyk
