// `double x; if (c) x = 2.5; else x = -1.0;` of `x = -1` and `if c: x = 2.5`: where the ways of a branch give a
// variable another type, inference has each of them assign it. What the author wrote in front of the branch stands
// there again.
#pragma once

#include "ir/ir.h"

namespace pyk {

void hoist_defaults(ir::Function& function);

}  // namespace pyk
