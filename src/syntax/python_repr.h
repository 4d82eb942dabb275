// Values as Python's `repr` shows them.
#pragma once

#include <string>

#include "syntax/ast.h"

namespace pyk::syntax {

void append_repr(std::string& out, const ast::ConstantValue& value);
void append_repr(std::string& out, std::string_view text);

}  // namespace pyk::syntax
