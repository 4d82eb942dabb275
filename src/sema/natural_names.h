// Which names of a function stand for numbers that are never negative: `i = cuda.grid(1)`, the counter of `range(n)`.
#pragma once

#include <set>
#include <string_view>

#include "syntax/ast.h"

namespace pyk {

/// Whatever they are assigned is one, if it is an integer.
std::set<std::string_view> natural_names(const ast::FunctionDef& def);

}  // namespace pyk
