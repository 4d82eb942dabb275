// How many items a loop certainly has.
#pragma once

#include "sema/specialize.h"

namespace pyk {

/// Whether a length is known to be 1 or more. `before`: the statements in front of the loop.
bool is_surely_positive(const ir::Expr& length, const ir::Function& function, const ir::Block& before,
                        const Specializer& specializer);

}  // namespace pyk
