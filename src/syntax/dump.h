// The tree as text, in the exact form of CPython's `ast.dump(tree, annotate_fields=True, include_attributes=False)`.
#pragma once

#include <string>

#include "syntax/ast.h"

namespace pyk {

/// One line, equal to `ast.dump(ast.parse(text))`.
std::string dump(const ast::Module& module);

}  // namespace pyk
