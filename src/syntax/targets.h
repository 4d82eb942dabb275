// What can stand on the left of `=`, after `for`, `as` and `del`.
#pragma once

#include <string_view>

#include "syntax/ast.h"

namespace pyk::syntax {

enum class TargetOf { assignment, loop, augmented, annotation, deletion };

/// Throws Failure at the first part of `target` that is no target of this kind.
void check_target(ast::ExprRef target, TargetOf kind);

/// What an expression is called in messages: "a function call".
std::string_view describe(const ast::Expr& expr);

}  // namespace pyk::syntax
