// Where a file or a function says by which rules it is typed: `# pyk: typing=narrow`, `@cuda.jit(typing='narrow')`.
#pragma once

#include <optional>

#include "builtins/narrow.h"
#include "support/diagnostics.h"
#include "syntax/ast.h"

namespace pyk {

/// `numba`, `narrow`.
std::optional<Typing> typing_from_name(std::string_view name);

/// A comment `# pyk: typing=…` in a line of its own before the first function.
std::optional<Typing> typing_in_comment(const ast::Module& module, Diagnostics& diagnostics);

/// The option `typing='…'` of a decorator.
std::optional<Typing> typing_in_decorator(const ast::FunctionDef& def, Diagnostics& diagnostics);

}  // namespace pyk
