#pragma once

#include "ir/ir.h"

namespace pyk {

/// What a statement adds to, or takes from, the local that it assigns: `e` of `x = (x + e)`. Null: it does something
/// else.
ir::ExprPtr* addend_of(ir::Stmt& stmt);

}  // namespace pyk
