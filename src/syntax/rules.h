// What Python's compiler refuses, though its grammar takes it: a parameter twice, `yield` outside of a function.
#pragma once

#include "syntax/ast.h"

namespace pyk::syntax {

/// Throws a Failure for the first statement of a file that breaks a rule.
void check_rules(const ast::Block& file);

}  // namespace pyk::syntax
