// Dicts that a function keeps from call to call for what it returned before: `if n not in cache: cache[n] = make(n)`.
#pragma once

#include <string_view>

#include "syntax/ast.h"

namespace pyk {

/// Whether the function uses a dict for nothing but that, by a key that has all of its parameters: a call finds what it
/// would make. `name`: of a variable around the function, or of a parameter with a default.
bool is_memo(const ast::FunctionDef& function, std::string_view name);
/// The same of a variable of the function around it, which makes it once, empty, and leaves it to the inner function.
bool is_memo_of(const ast::FunctionDef& function, const ast::FunctionDef& around, std::string_view name);

}  // namespace pyk
