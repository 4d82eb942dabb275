// What Python's compiler refuses in the patterns of a `match`.
#pragma once

#include "syntax/ast.h"

namespace pyk::syntax {

/// Throws a Failure for the first pattern that breaks a rule.
void check_patterns(const ast::Match& match);

}  // namespace pyk::syntax
