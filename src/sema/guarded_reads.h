// Reads that flags and sentinels guard: `hit = False … hit = True; where = i … if hit: use(where)`.
#pragma once

#include <string_view>

#include "syntax/ast.h"

namespace pyk {

/// Whether some path leads to a read of a local name before anything assigns it. What variables are known to be on such
/// paths decides the tests on them. `use`: of the read; one that the function's text does not have is answered by true.
bool may_read_before_assignment(const ast::FunctionDef& def, std::string_view name, Span use);

}  // namespace pyk
