// `def f[T](x): …`, `class A[T]: …` and `type X = …` of Python 3.12, as what they mean for values: without the
// parameters, and an assignment.
#pragma once

#include <string_view>
#include <vector>

#include "syntax/token.h"

namespace pyk::syntax {

std::vector<Token> without_type_parameters(std::string_view text, std::vector<Token> tokens);

}  // namespace pyk::syntax
