// An expression that stands in an f-string.
#pragma once

#include "syntax/ast.h"

namespace pyk::syntax {

/// Within parse(). `depth`: how deep the field nests. Throws Failure.
ast::ExprRef parse_field(Span at, Arena& arena, int depth);

}  // namespace pyk::syntax
